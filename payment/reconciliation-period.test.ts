import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS } from '#contract/jst.ts'
import { ALL_TIME, disputesMovingIn, disputesToAskFor, recentPeriod, withMargin } from './reconciliation-period.ts'

const NOW = Date.parse('2026-11-18T09:00:00+09:00')

test('the last 30 days are compared, and asked for with an hour more at both ends', () => {
  const period = recentPeriod(NOW)
  assert.deepEqual(period, { from: NOW - 30 * DAY_MS, to: NOW })
  assert.deepEqual(withMargin(period), { from: NOW - 30 * DAY_MS - HOUR_MS, to: NOW + HOUR_MS })
})

test('a margin leads to no time before the calendar, and to no number that is not exact', () => {
  assert.deepEqual(withMargin(ALL_TIME), ALL_TIME)
})

test('disputes are asked for since 180 days ago, or since the oldest that is not over, with a day for the clock of the acquirer', () => {
  const to = NOW + DAY_MS
  assert.deepEqual(disputesToAskFor(NOW, null), { from: NOW - 180 * DAY_MS, to })
  assert.deepEqual(disputesToAskFor(NOW, NOW - 179 * DAY_MS), { from: NOW - 180 * DAY_MS, to })
  assert.deepEqual(disputesToAskFor(NOW, NOW - 200 * DAY_MS), { from: NOW - 200 * DAY_MS, to })
  assert.equal(disputesToAskFor(DAY_MS, null).from, 0)
})

test('a dispute that was opened 540 days before a period may have moved money in it', () => {
  assert.deepEqual(disputesMovingIn({ from: NOW - DAY_MS, to: NOW }), { from: NOW - 541 * DAY_MS, to: NOW + DAY_MS })
  assert.deepEqual(disputesMovingIn(ALL_TIME), ALL_TIME)
})
