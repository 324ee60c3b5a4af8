import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS } from '#contract/jst.ts'
import { ALL_TIME, recentPeriod, withMargin } from './reconciliation-period.ts'

const NOW = Date.parse('2026-11-18T09:00:00+09:00')

test('the last 30 days are compared, and asked for with an hour more at both ends', () => {
  const period = recentPeriod(NOW)
  assert.deepEqual(period, { from: NOW - 30 * DAY_MS, to: NOW })
  assert.deepEqual(withMargin(period), { from: NOW - 30 * DAY_MS - HOUR_MS, to: NOW + HOUR_MS })
})

test('a margin leads to no time before the calendar, and to no number that is not exact', () => {
  assert.deepEqual(withMargin(ALL_TIME), ALL_TIME)
})
