import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSums } from './journeys.ts'

test('journeys are summed from the report, and one that passed only on a second try has failed', () => {
  const text = JSON.stringify({ stats: { expected: 7, unexpected: 1, flaky: 2, skipped: 3 }, suites: [] })
  assert.deepEqual(readSums(text), { passed: 7, failed: 3, skipped: 3 })
})

test('a report without sums counts nothing', () => {
  assert.deepEqual(readSums('{}'), { passed: 0, failed: 0, skipped: 0 })
})
