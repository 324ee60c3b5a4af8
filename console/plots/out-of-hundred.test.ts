import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outOfHundred } from './out-of-hundred.ts'

test('shares of begun payments add up to a hundred, however they are rounded', () => {
  assert.deepEqual(outOfHundred([1, 1, 1]), [34, 33, 33])
  assert.deepEqual(outOfHundred([2, 1, 0, 0, 0]), [67, 33, 0, 0, 0])
  for (let begun = 1; begun < 300; begun += 7) {
    const counts = [begun, begun % 3, begun % 5, begun % 11, 1]
    assert.equal(
      outOfHundred(counts).reduce((sum, share) => sum + share, 0),
      100,
    )
  }
})

test('where nothing was begun, nothing has a share', () => {
  assert.deepEqual(outOfHundred([0, 0]), [0, 0])
})
