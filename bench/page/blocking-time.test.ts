import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockingTime, longestTask } from './blocking-time.ts'

test('of each task the first 50 ms are free', () => {
  const tasks = [
    { startTime: 1000, duration: 80 },
    { startTime: 1200, duration: 150 },
  ]
  assert.equal(blockingTime(tasks, 500, 2000), 130)
})

test('what a shopper cannot feel is not counted: before the first paint, and after the page is live', () => {
  const beforePaint = { startTime: 100, duration: 300 }
  const afterLive = { startTime: 2100, duration: 300 }
  assert.equal(blockingTime([beforePaint, afterLive], 500, 2000), 0)
  assert.equal(blockingTime([beforePaint], 300, 2000), 100)
})

test('the task that brings the page to life is counted to its end', () => {
  assert.equal(blockingTime([{ startTime: 1900, duration: 250 }], 500, 2000), 200)
})

test('without a long task the longest one is 0', () => {
  assert.equal(longestTask([]), 0)
  assert.equal(
    longestTask([
      { startTime: 0, duration: 51 },
      { startTime: 90, duration: 70 },
    ]),
    70,
  )
})
