import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS } from '#contract/jst.ts'
import { chargeAsListed, coversGap, narrowerBounds, recoveryPeriod, refundAsListed } from './recovery.ts'

const TAKEN = Date.parse('2026-11-10T03:00:00+09:00')
const RESTORE = { takenAt: TAKEN, restoredAt: TAKEN + 9 * HOUR_MS }

test('recovery asks about what moved since the backup less an hour, and never about a time before the calendar', () => {
  const now = TAKEN + 10 * HOUR_MS
  assert.deepEqual(recoveryPeriod(RESTORE, now), { from: TAKEN - HOUR_MS, to: now + HOUR_MS })
  assert.equal(recoveryPeriod({ takenAt: 5 }, now).from, 0)
})

test('a list without bounds names every payment that a restore may have lost', () => {
  assert.equal(coversGap({}, RESTORE), true)
})

test('a list of reports covers the gap once a report is told of two weeks after the restore: late settlements are in it', () => {
  const until = RESTORE.restoredAt + 14 * DAY_MS
  assert.equal(coversGap({ completeUntil: RESTORE.restoredAt }, RESTORE), false)
  assert.equal(coversGap({ completeUntil: until - 1 }, RESTORE), false)
  assert.equal(coversGap({ completeUntil: until }, RESTORE), true)
})

test('a list whose first reports may be lost with the database does not cover the gap', () => {
  const completeUntil = RESTORE.restoredAt + 30 * DAY_MS
  assert.equal(coversGap({ completeFrom: TAKEN, completeUntil }, RESTORE), false)
  assert.equal(coversGap({ completeFrom: TAKEN - HOUR_MS, completeUntil }, RESTORE), true)
})

test('a list is as complete as its least complete page', () => {
  assert.deepEqual(narrowerBounds({}, {}), {})
  assert.deepEqual(narrowerBounds({ completeUntil: 5 }, { completeFrom: 2 }), { completeFrom: 2, completeUntil: 5 })
  assert.deepEqual(narrowerBounds({ completeFrom: 1, completeUntil: 5 }, { completeFrom: 2, completeUntil: 4 }), {
    completeFrom: 2,
    completeUntil: 4,
  })
})

const CHARGE = { kind: 'charge', orderCode: 'o', reference: 'psp', amountYen: 700, movedAt: 5 } as const
const REFUND = { kind: 'refund', orderCode: 'o', refundId: 'r', amountYen: 300, movedAt: 6 } as const
const LATER = { outcome: 'unknown', why: 'no answer in time' } as const
const NEVER = { ...LATER, needsPerson: true } as const

test('a listed charge that no inquiry can answer about any more is as the list says; one that may still be answered waits', () => {
  const charged = { outcome: 'charged', transactionId: 'psp', amountYen: 700, approvedAt: 5 } as const
  assert.deepEqual(chargeAsListed(NEVER, CHARGE), charged)
  assert.equal(chargeAsListed(LATER, CHARGE), LATER)
  assert.equal(chargeAsListed(NEVER, undefined), NEVER)
  const declined = { outcome: 'declined', reason: 'x' } as const
  assert.equal(chargeAsListed(declined, CHARGE), declined)
})

test('a listed refund is as the list says, unless the acquirer says that it was refused', () => {
  const refunded = { outcome: 'refunded', amountYen: 300, refundedAt: 6 } as const
  for (const inquiry of [LATER, { outcome: 'not_found' } as const])
    assert.deepEqual(refundAsListed(inquiry, REFUND), refunded)
  const refused = { outcome: 'refused', reason: 'x' } as const
  assert.equal(refundAsListed(refused, REFUND), refused)
  assert.equal(refundAsListed(LATER, undefined), LATER)
})
