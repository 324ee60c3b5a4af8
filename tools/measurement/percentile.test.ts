import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median, percentile } from './percentile.ts'

test('a percentile is the smallest value that this share of the values does not exceed, in any order', () => {
  const values = Array.from({ length: 200 }, (_, place) => 200 - place)
  assert.equal(percentile(values, 99), 198)
  assert.equal(percentile(values, 50), 100)
  assert.equal(percentile([7], 99), 7)
  assert.equal(percentile([7, 9], 0), 7)
})

test('the median of five rounds is the third by size, and 9 is smaller than 10', () => {
  assert.equal(median([10, 9, 1, 100, 2]), 9)
})

test('without values a percentile is not zero', () => {
  assert.equal(percentile([], 99), Number.NaN)
})
