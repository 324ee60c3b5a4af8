import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calmest, calmRate } from './rounds.ts'

test('the calmest rounds are those with the highest rates', () => {
  assert.deepEqual(calmest([900, 1000, 90, 950, 100], 3), [1000, 950, 900])
})

test('the rate of five rounds is the middle of the three calmest, so two disturbed rounds and a lucky one change nothing', () => {
  assert.equal(calmRate([900, 5000, 90, 950, 100]), 950)
  assert.equal(calmRate([900, 5000, 890, 950, 899]), 950)
})

test('without rounds there is no rate', () => {
  assert.equal(calmRate([]), Number.NaN)
})
