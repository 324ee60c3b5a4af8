import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginDoubt, inquiryDueNow, isLongDoubt, leaseFrom, longRefundDoubt, notByHand, type Doubt } from './doubt.ts'

const NOW = 1_800_000_000_000
const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Each inquiry is made the moment it is due. */
const inquiryTimes = (doubt: Doubt, count: number): number[] => {
  const times: number[] = []
  let current: Doubt = doubt
  for (let inquiry = 0; inquiry < count; inquiry += 1) {
    const at = current.nextInquiryAt
    times.push(at - doubt.since)
    assert.equal(inquiryDueNow(current, at - 1), undefined, 'one millisecond too early')
    current = inquiryDueNow(current, at) ?? assert.fail('the inquiry was not due')
  }
  return times
}

test('a payment in doubt is inquired after 1 s, 5 s, 30 s, 2 min and 10 min, then every hour', () => {
  assert.deepEqual(inquiryTimes(beginDoubt('no answer in time', NOW), 7), [
    1 * SECOND_MS,
    5 * SECOND_MS,
    30 * SECOND_MS,
    2 * MINUTE_MS,
    10 * MINUTE_MS,
    10 * MINUTE_MS + HOUR_MS,
    10 * MINUTE_MS + 2 * HOUR_MS,
  ])
})

test('an inquiry that was made late is followed by the next one, never sooner than a second later', () => {
  const late = NOW + 3 * MINUTE_MS
  const doubt = inquiryDueNow(beginDoubt('no answer in time', NOW), late)
  assert.deepEqual([doubt?.inquiries, doubt?.nextInquiryAt], [1, late + SECOND_MS])
})

test('a charge is inquired one millisecond after its lease, and not at its end', () => {
  const leaseUntil = leaseFrom(NOW, 20_000)
  assert.equal(leaseUntil, NOW + 35_000)
  assert.equal(inquiryDueNow({ leaseUntil }, leaseUntil), undefined)
  const doubt = inquiryDueNow({ leaseUntil }, leaseUntil + 1)
  assert.deepEqual(doubt, {
    why: 'lease passed',
    since: leaseUntil + 1,
    inquiries: 1,
    nextInquiryAt: leaseUntil + 1 + 5 * SECOND_MS,
  })
})

test('a doubt of ten minutes needs a person, one of a millisecond less does not', () => {
  assert.equal(isLongDoubt(NOW, NOW + 10 * MINUTE_MS), true)
  assert.equal(isLongDoubt(NOW, NOW + 10 * MINUTE_MS - 1), false)
})

test('a refund in doubt calls a person after ten minutes, at Adyen after three days, and not a millisecond sooner', () => {
  for (const [acquirer, afterMs] of [
    [null, 10 * MINUTE_MS],
    ['stripe', 10 * MINUTE_MS],
    ['adyen', 72 * HOUR_MS],
  ] as const) {
    assert.equal(longRefundDoubt(NOW, NOW + afterMs - 1, acquirer), null)
    assert.notEqual(longRefundDoubt(NOW, NOW + afterMs, acquirer), null)
  }
})

test('a clock that is set back by a day delays no inquiry: what is due in more than an hour is due now', () => {
  const yesterday = NOW - 24 * HOUR_MS
  const restarted = inquiryDueNow(beginDoubt('no answer in time', NOW), yesterday)
  assert.deepEqual(restarted, {
    why: 'no answer in time',
    since: yesterday,
    inquiries: 1,
    nextInquiryAt: yesterday + 5 * SECOND_MS,
  })
  assert.equal(inquiryDueNow({ leaseUntil: leaseFrom(NOW, 20_000) }, yesterday)?.since, yesterday)
  // The longest that is due later without a clock set back: an hour after the inquiry before.
  const hourly = { why: 'x', since: NOW - HOUR_MS, inquiries: 6, nextInquiryAt: NOW + HOUR_MS }
  assert.equal(inquiryDueNow(hourly, NOW), undefined)
})

test('an operator ends a doubt after ten minutes, and a charge only with the reference that a refund will need', () => {
  const doubt = beginDoubt('no answer in time', NOW)
  const late = NOW + 10 * MINUTE_MS
  const charged = { as: 'charged', hasReference: true } as const
  assert.equal(notByHand(null, charged, late), 'not in doubt')
  assert.equal(notByHand(doubt, charged, late - 1), 'too early')
  assert.equal(notByHand(doubt, charged, late), undefined)
  assert.equal(notByHand(doubt, { as: 'charged', hasReference: false }, late), 'no reference')
  assert.equal(notByHand(doubt, { as: 'not_charged', hasReference: false }, late), undefined)
})
