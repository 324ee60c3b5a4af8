import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ANCHOR_LIFETIME_MS,
  CONFIRMED_WITHIN_MS,
  DIFFERENCE_MAX_MS,
  firstAnchor,
  isConfirmedByOperator,
  isConfirmedBySecondClocks,
  isFollowed,
  OFF_MAX_MS,
  renewedAnchor,
  trustedTime,
  SERVERS_DIFFER_MAX_MS,
  isYetToCome,
  isClockSkewed,
} from './clock.ts'

const NOW = Date.parse('2026-11-17T03:00:00Z')
const YEAR_MS = 365 * 86_400_000

test('the trusted time is the last one that was trusted and what has passed since', () => {
  assert.equal(trustedTime({ time: NOW, elapsedMs: 500 }, 500), NOW)
  assert.equal(trustedTime({ time: NOW, elapsedMs: 500 }, 1750), NOW + 1250)
})

test('a clock is followed up to a minute away in either direction, and not a millisecond further', () => {
  for (const sign of [1, -1]) {
    assert.equal(isFollowed(NOW + sign * DIFFERENCE_MAX_MS, NOW), true)
    assert.equal(isFollowed(NOW + sign * (DIFFERENCE_MAX_MS + 1), NOW), false)
  }
  assert.equal(isFollowed(NOW, NOW), true)
})

test('small differences are taken over once an hour', () => {
  const anchor = { time: NOW, elapsedMs: 0 }
  const later = NOW + ANCHOR_LIFETIME_MS + 900
  assert.equal(renewedAnchor(anchor, later, ANCHOR_LIFETIME_MS - 1), anchor)
  assert.deepEqual(renewedAnchor(anchor, later, ANCHOR_LIFETIME_MS), { time: later, elapsedMs: ANCHOR_LIFETIME_MS })
})

test('a process begins with the clock of its machine, unless that lies far from the newest stored time', () => {
  const beginsWith = (stored: number | null): number => firstAnchor(stored, NOW, 7).time
  assert.deepEqual(firstAnchor(null, NOW, 7), { time: NOW, elapsedMs: 7 })
  // Off for ten minutes at most, or the stored time a minute ahead.
  for (const stored of [NOW, NOW - OFF_MAX_MS, NOW + DIFFERENCE_MAX_MS]) assert.equal(beginsWith(stored), NOW)
  for (const stored of [NOW - OFF_MAX_MS - 1, NOW + DIFFERENCE_MAX_MS + 1, NOW - YEAR_MS, NOW + YEAR_MS])
    assert.equal(beginsWith(stored), stored)
})

test('second clocks confirm the clock of the machine where one says the same and none says the trusted time', () => {
  const wall = NOW + YEAR_MS
  const isConfirmed = (...answers: number[]): boolean => isConfirmedBySecondClocks(wall, NOW, answers)
  assert.equal(isConfirmed(), false)
  for (const sign of [1, -1]) {
    assert.equal(isConfirmed(wall + sign * CONFIRMED_WITHIN_MS), true)
    assert.equal(isConfirmed(wall + sign * (CONFIRMED_WITHIN_MS + 1)), false)
    assert.equal(isConfirmed(wall, NOW + sign * CONFIRMED_WITHIN_MS), false)
    assert.equal(isConfirmed(wall, NOW + sign * (CONFIRMED_WITHIN_MS + 1)), true)
  }
  assert.equal(isConfirmed(NOW), false)
  // A second clock that is far from both says nothing.
  assert.equal(isConfirmed(NOW - YEAR_MS), false)
  assert.equal(isConfirmed(NOW - YEAR_MS, wall), true)
})

test('a step of a little more than a minute is confirmed by a clock that is nearer to the new time', () => {
  const wall = NOW + DIFFERENCE_MAX_MS + 2
  assert.equal(isConfirmedBySecondClocks(wall, NOW, [NOW + DIFFERENCE_MAX_MS / 2 + 2]), true)
  assert.equal(isConfirmedBySecondClocks(wall, NOW, [NOW + DIFFERENCE_MAX_MS / 2 + 1]), false)
  assert.equal(isConfirmedBySecondClocks(wall, NOW, [NOW + DIFFERENCE_MAX_MS / 2]), false)
})

test('a stored time is yet to come where it is later than the clocks of two servers may differ', () => {
  assert.equal(isYetToCome(NOW + SERVERS_DIFFER_MAX_MS, NOW), false)
  assert.equal(isYetToCome(NOW + SERVERS_DIFFER_MAX_MS + 1, NOW), true)
  // One as far ahead of the database as is accepted, the other as far behind.
  assert.equal(isClockSkewed(SERVERS_DIFFER_MAX_MS / 2), false)
  assert.equal(isClockSkewed(-SERVERS_DIFFER_MAX_MS / 2 - 1), true)
})

test('what an operator has confirmed counts while the clock of the machine says about the same', () => {
  assert.equal(isConfirmedByOperator(NOW, null), false)
  for (const sign of [1, -1]) {
    assert.equal(isConfirmedByOperator(NOW + sign * CONFIRMED_WITHIN_MS, NOW), true)
    assert.equal(isConfirmedByOperator(NOW + sign * (CONFIRMED_WITHIN_MS + 1), NOW), false)
  }
})
