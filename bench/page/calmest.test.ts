import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calmestRounds, highest, medians, type Round } from './calmest.ts'

const round = (calibrationMs: number, firstPaintMs: number): Round => ({
  calibrationMs,
  pages: { ours: { firstPaintMs } },
})

test('the busier half of the rounds is left out, also if its figures are better', () => {
  const rounds = [round(9, 1), round(1, 500), round(8, 2), round(2, 510), round(7, 3), round(3, 520)]
  assert.deepEqual(medians(calmestRounds(rounds), 'ours'), { firstPaintMs: 510 })
})

test('of few rounds three are kept, and of an odd number the larger half', () => {
  assert.equal(calmestRounds([round(1, 1), round(2, 2)]).length, 2)
  assert.equal(calmestRounds([round(1, 1), round(2, 2), round(3, 3), round(4, 4)]).length, 3)
  assert.equal(calmestRounds(Array.from({ length: 9 }, (_, at) => round(at, at))).length, 5)
})

test('a measure that one visit did not reach has no median', () => {
  const reached = { calibrationMs: 1, pages: { ours: { firstPaintMs: 4, fieldUsableMs: 8 } } }
  assert.deepEqual(medians([reached, round(1, 6)], 'ours'), { firstPaintMs: 4 })
  assert.deepEqual(medians([reached], 'bareForm'), {})
})

test('what happened in one busy round is still the highest, on that page alone', () => {
  const shifted = { calibrationMs: 99, pages: { ours: { layoutShift: 0.02 }, sameWords: { layoutShift: 0.5 } } }
  const still = { calibrationMs: 1, pages: { ours: { layoutShift: 0 } } }
  assert.equal(highest([still, shifted, still], 'ours', 'layoutShift'), 0.02)
})
