import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CALL_COSTS } from '#contract/access.ts'
import { createKeyLimiter, KEY_LIMITS, type CountCall } from './key-limits.ts'
import { BUCKETS_MAX } from './token-buckets.ts'

const limiterAt = (): { readonly count: CountCall; readonly time: { now: number } } => {
  const time = { now: 1_000_000 }
  return { count: createKeyLimiter(KEY_LIMITS, () => time.now), time }
}

const live = { callerHash: 'k', mode: 'live', cost: 1, isRefund: false } as const
const testCall = { callerHash: 'k', mode: 'test', cost: 1, isRefund: false } as const

/** How many calls go on before the first that does not. */
const passing = (count: CountCall, call: Parameters<CountCall>[0]): number => {
  let passed = 0
  while (count(call) === 0) passed += 1
  return passed
}

test('a key makes 200 calls at once and 100 a second, a test key no more than a live one', () => {
  for (const [call, burst, perSecond] of [
    [live, 200, 100],
    [testCall, 200, 100],
  ] as const) {
    const { count, time } = limiterAt()
    assert.equal(passing(count, call), burst)
    time.now += 500
    assert.equal(passing(count, call), perSecond / 2)
    time.now += 3_600_000
    assert.equal(passing(count, call), burst, 'an hour of silence saves up no more than the burst')
  }
})

test('refunds are 5 a second, also with a test key, and count among the calls', () => {
  for (const [call, refunds, calls] of [
    [live, 5, 200],
    [testCall, 5, 200],
  ] as const) {
    const { count, time } = limiterAt()
    assert.equal(passing(count, { ...call, isRefund: true }), refunds)
    assert.equal(passing(count, call), calls - refunds, 'other calls go on, and a refused refund counted for nothing')
    time.now += 1000
    assert.equal(passing(count, { ...call, isRefund: true }), refunds)
  }
})

test('a call takes what it costs: of the dearest a key makes four at once and two a second', () => {
  const { count, time } = limiterAt()
  const report = { ...live, cost: CALL_COSTS.reports }
  assert.equal(passing(count, report), 4)
  assert.equal(count(live), 1, 'a cheap call comes out of the same budget')
  time.now += 1000
  assert.equal(passing(count, report), 2)
})

test('a dear call that is refused is told when it may be made, not when a cheap one may', () => {
  const { count, time } = limiterAt()
  passing(count, live)
  const dear = { ...live, cost: 150 }
  assert.equal(count(dear), 2)
  time.now += 1000
  assert.equal(count(dear), 1)
  time.now += 1000
  assert.equal(count(dear), 0)
})

test('a call that is dearer than all of a budget can be made with all of it', () => {
  const { count } = limiterAt()
  assert.equal(count({ ...live, cost: 201 }), 0)
  assert.equal(count(live), 1)
})

test('a refused call is told after how many seconds it may be tried again, which is true', () => {
  const { count, time } = limiterAt()
  passing(count, live)
  const seconds = count(live)
  assert.equal(seconds, 1)
  time.now += seconds * 1000
  assert.equal(count(live), 0)
})

test('each key has its own limit', () => {
  const { count } = limiterAt()
  passing(count, live)
  assert.equal(count({ ...live, callerHash: 'other' }), 0)
})

test('time that begins anew gives nothing back and takes nothing away', () => {
  const { count, time } = limiterAt()
  passing(count, live)
  time.now = 0
  assert.ok(count(live) > 0)
  time.now = 1_000_000 + 10
  assert.equal(count(live), 0)
})

test('the key that was not used for longest is forgotten when there are too many', () => {
  const { count } = limiterAt()
  passing(count, live)
  for (let key = 0; key < BUCKETS_MAX - 1; key += 1) count({ ...live, callerHash: `k${key}` })
  assert.ok(count(live) > 0, 'it is still known')
  count({ ...live, callerHash: 'one more' })
  assert.equal(count(live), 0, 'it was the oldest, and begins anew')
})
