import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#contract/jst.ts'
import {
  afterTry,
  DUE_AHEAD_MAX_MS,
  fractionOf,
  retryAfterMs,
  TRY_DELAYS_MS,
  type WebhookAnswer,
} from './webhook-retries.ts'

const NOW = Date.parse('2026-11-23T03:04:05Z')
const answered = (status: number, retryAfter: string | null = null): WebhookAnswer => ({
  outcome: 'answered',
  status,
  retryAfter,
  body: '',
})
const SILENT: WebhookAnswer = { outcome: 'unreachable', why: 'no answer within 15 s' }
const first = { step: 0, failingSince: null, isMoved: false }
const tried = { now: NOW, jitter: 0 }

test('ten tries are spread over 75 hours and a half, each after the time of its step', () => {
  assert.equal(TRY_DELAYS_MS.length, 10)
  assert.equal(Math.floor(TRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0) / 3_600_000), 75)
  const waits = TRY_DELAYS_MS.map((_delay, step) => afterTry({ ...first, step }, SILENT, tried).delivery)
  assert.deepEqual(
    waits.map(({ state, dueAt }) => [state, dueAt === null ? null : dueAt - NOW]),
    [...TRY_DELAYS_MS.slice(1).map((delay) => ['pending', delay]), ['failed', null]],
  )
})

test('jitter makes a wait up to a fifth longer, never shorter', () => {
  const wait = (jitter: number): number => (afterTry(first, SILENT, { now: NOW, jitter }).delivery.dueAt ?? 0) - NOW
  assert.deepEqual([wait(0), wait(0.5), Math.ceil(wait(0.999_999) / 10) * 10], [5000, 5500, 6000])
})

test('2xx is a delivery; 1xx, 3xx, 4xx, 5xx and silence are failures', () => {
  for (const status of [200, 204, 299])
    assert.equal(afterTry(first, answered(status), tried).delivery.state, 'delivered', String(status))
  for (const answer of [
    ...[199, 300, 301, 307, 308, 400, 404, 409, 411, 429, 500, 503].map((each) => answered(each)),
    SILENT,
  ])
    assert.equal(afterTry(first, answer, tried).delivery.state, 'pending')
})

test('410 disables the endpoint and drops the delivery, at the first try and at the last', () => {
  for (const step of [0, 9]) {
    const { delivery, endpoint } = afterTry({ ...first, step }, answered(410), tried)
    assert.deepEqual([delivery.state, endpoint.disabled, endpoint.notice], ['dropped', 'gone', 'disabled'])
  }
})

test('a success ends the failing; a failure begins it once', () => {
  assert.equal(afterTry({ ...first, step: 3, failingSince: NOW - 1 }, answered(200), tried).endpoint.failingSince, null)
  assert.equal(afterTry(first, SILENT, tried).endpoint.failingSince, NOW)
  assert.equal(afterTry({ ...first, step: 1, failingSince: NOW - 7 }, SILENT, tried).endpoint.failingSince, NOW - 7)
})

test('a day of failure is told and five days disable, not a millisecond earlier', () => {
  const after = (ms: number) => afterTry({ ...first, step: 7, failingSince: NOW - ms }, SILENT, tried).endpoint
  assert.deepEqual([after(DAY_MS - 1).notice, after(DAY_MS).notice], [null, 'failing'])
  assert.deepEqual([after(5 * DAY_MS - 1).disabled, after(5 * DAY_MS).disabled], [null, 'failing'])
  assert.equal(after(5 * DAY_MS).notice, 'disabled')
})

test('the first failure after quiet days disables nothing: only an event that was refused for more than a day does', () => {
  const hours = TRY_DELAYS_MS.slice(0, 8).reduce((sum, delay) => sum + delay, 0) / 3_600_000
  assert.ok(hours > 24 && hours - 14 < 24, `${hours}`)
  const after = (step: number) => afterTry({ ...first, step, failingSince: NOW - 13 * DAY_MS }, SILENT, tried)
  for (const step of [0, 6])
    assert.deepEqual([after(step).endpoint.disabled, after(step).delivery.state], [null, 'pending'], String(step))
  for (const step of [7, 9])
    assert.deepEqual([after(step).endpoint.disabled, after(step).delivery.state], ['failing', 'dropped'], String(step))
})

test('what the old address of an endpoint answers says nothing of the new one: the event goes there at once', () => {
  const moved = { step: 8, failingSince: NOW - 6 * DAY_MS, isMoved: true }
  for (const answer of [answered(410), answered(500), SILENT])
    assert.deepEqual(afterTry(moved, answer, tried), {
      delivery: { state: 'pending', dueAt: NOW },
      endpoint: { failingSince: moved.failingSince, disabled: null, notice: null },
    })
  assert.equal(afterTry(moved, answered(200), tried).delivery.state, 'delivered')
})

test('a failure that began in the future, by a clock that was set back, begins now', () => {
  const ahead = { ...first, step: 1, failingSince: NOW + 365 * DAY_MS }
  assert.equal(afterTry(ahead, SILENT, tried).endpoint.failingSince, NOW)
})

test('no wait is longer than what a clock that was set back is told by', () => {
  const waits = TRY_DELAYS_MS.slice(1).map((_delay, step) => {
    const { dueAt } = afterTry({ ...first, step }, answered(429, '999999999'), { now: NOW, jitter: 0.999_999 }).delivery
    return (dueAt ?? 0) - NOW
  })
  assert.ok(Math.max(...waits) > 28 * 3_600_000 && Math.max(...waits) < DUE_AHEAD_MAX_MS)
})

test('Retry-After is read as seconds and as a date, is at most a day, and makes no wait shorter', () => {
  assert.deepEqual(
    ['120', '0', '86400', '86401', '999999999', 'Mon, 23 Nov 2026 03:05:05 GMT', 'Sun, 22 Nov 2026 03:05:05 GMT'].map(
      (each) => retryAfterMs(each, NOW),
    ),
    [120_000, 0, DAY_MS, DAY_MS, DAY_MS, 60_000, 0],
  )
  for (const nonsense of [null, '', '-5', '1.5', 'soon', '1e3']) assert.equal(retryAfterMs(nonsense, NOW), 0)
  const wait = (header: string): number => (afterTry(first, answered(429, header), tried).delivery.dueAt ?? 0) - NOW
  assert.deepEqual([wait('120'), wait('1')], [120_000, 5000])
})

test('a random id is a fraction from 0 to just below 1', () => {
  assert.equal(fractionOf('a'.repeat(32)), 0)
  assert.equal(fractionOf('q'.repeat(32)) > 0.5, true)
  assert.ok(fractionOf('7'.repeat(32)) < 1 && fractionOf('7'.repeat(32)) > 0.999)
})
