import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median, percentile } from './percentile.ts'

test('a percentile is the smallest value that so many are not above, in whatever order they come', () => {
  const values = Array.from({ length: 200 }, (_, place) => 200 - place)
  assert.equal(percentile(values, 99), 198)
  assert.equal(percentile(values, 50), 100)
  assert.equal(percentile([7], 99), 7)
  assert.equal(percentile([7, 9], 0), 7)
})

test('the median of five rounds is the third of them, and 9 stands before 10', () => {
  assert.equal(median([10, 9, 1, 100, 2]), 9)
})

test('nothing measured is not zero', () => {
  assert.equal(percentile([], 99), Number.NaN)
})
