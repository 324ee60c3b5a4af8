import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS, startOfJstDay } from '#contract/jst.ts'
import { ABANDON_REASONS, type AttemptState } from './attempt.ts'
import {
  addCheckout,
  addFigures,
  addMovement,
  checkoutEnd,
  closedUntil,
  differingFigures,
  isKept,
  lateDays,
  NO_FIGURES,
  type CheckoutEnd,
  type EndedAttempt,
} from './day-figures.ts'
import { ATTEMPT_STATES, NOW } from './testing/records.ts'

const attempt = (orderCode: string, state: AttemptState, startedAt = NOW): EndedAttempt => ({
  orderCode,
  startedAt,
  state,
})

describe('how a checkout ended', () => {
  const ENDS: Readonly<Record<AttemptState['name'], CheckoutEnd>> = {
    started: 'givenUp',
    authenticating: 'givenUp',
    challenged: 'givenUp',
    authenticated: 'givenUp',
    refused: 'authenticationFailed',
    charging: 'inDoubt',
    unknown: 'inDoubt',
    charged: 'paid',
    declined: 'declined',
    not_charged: 'declined',
    abandoned: 'givenUp',
  }

  test('is told by the state of its last attempt, for every state', () => {
    for (const state of Object.values(ATTEMPT_STATES))
      assert.equal(checkoutEnd([attempt('a', state)]), ENDS[state.name], state.name)
  })

  test('a shopper who leaves the challenge has given up; 3-D Secure that fails is a failed authentication', () => {
    const refused = { name: 'refused', reason: 'left', counted: false, blocksCard: false } as const
    assert.equal(checkoutEnd([attempt('a', { ...refused, unfinished: true })]), 'givenUp')
    const ends = ABANDON_REASONS.map((why) => checkoutEnd([attempt('a', { name: 'abandoned', why })]))
    assert.deepEqual(ends, [
      'givenUp',
      'givenUp',
      'authenticationFailed',
      'authenticationFailed',
      'authenticationFailed',
      'givenUp',
      'givenUp',
    ])
  })

  test('a charge counts before a doubt, a doubt before the last attempt, and a checkout without attempts was not begun', () => {
    const { charged, unknown, declined } = ATTEMPT_STATES
    const of = (...states: readonly AttemptState[]): CheckoutEnd | null =>
      checkoutEnd(states.map((state, place) => attempt(String(place), state, NOW + place)))
    assert.equal(of(charged, unknown, declined), 'paid')
    assert.equal(of(unknown, declined), 'inDoubt')
    assert.equal(of(declined, { name: 'abandoned', why: 'expired' }), 'givenUp')
    // Two in the same millisecond: the order code decides.
    assert.equal(checkoutEnd([attempt('b', declined), attempt('a', ATTEMPT_STATES.started)]), 'declined')
    assert.equal(of(), null)
  })
})

test('money is counted by its kind, and a charge by its card brand too', () => {
  const visa = { cardBrand: 'visa', amountYen: 1000 } as const
  const day = [
    { ...visa, kind: 'charge' } as const,
    { ...visa, kind: 'charge' } as const,
    { kind: 'charge', cardBrand: null, amountYen: 7 } as const,
    { ...visa, kind: 'refund', amountYen: 300 } as const,
    { ...visa, kind: 'chargeback' } as const,
    { ...visa, kind: 'chargeback_reversal' } as const,
  ].reduce(addMovement, NO_FIGURES)
  const counts = { charges: 3, chargedYen: 2007, refunds: 1, refundedYen: 300, chargebacks: 1, chargebackYen: 1000 }
  assert.deepEqual(day, {
    counts: { ...NO_FIGURES.counts, ...counts, chargebackReversals: 1, reversedYen: 1000 },
    brands: { visa: { charges: 2, chargedYen: 2000 }, unknown: { charges: 1, chargedYen: 7 } },
  })
  const both = addFigures(day, addCheckout(day, 'paid'))
  assert.equal(both.counts.chargedYen, 4014)
  assert.equal(both.counts.begun, 1)
  assert.deepEqual(both.brands.visa, { charges: 4, chargedYen: 4000 })
  assert.deepEqual(differingFigures(day, addCheckout(day, 'paid')), ['begun', 'paid'])
  assert.deepEqual(differingFigures(day, { ...day, brands: {} }), ['visa', 'unknown'])
  assert.deepEqual(differingFigures(day, day), [])
})

describe('a day that is over', () => {
  const midnight = startOfJstDay(NOW)
  const yesterday = midnight - DAY_MS
  const declinedYesterday = attempt('a', ATTEMPT_STATES.declined, midnight - HOUR_MS)
  const unchanged = { before: [declinedYesterday], after: [declinedYesterday], bookedAt: [], now: midnight }

  test('is closed half an hour after its midnight in Japan', () => {
    assert.equal(closedUntil(midnight + 30 * MINUTE_MS - 1), yesterday)
    assert.equal(closedUntil(midnight + 30 * MINUTE_MS), midnight)
  })

  test('is late when a checkout of it ends otherwise today, and only then', () => {
    const payingToday = attempt('b', ATTEMPT_STATES.charging, midnight + 1)
    const change = { ...unchanged, after: [declinedYesterday, payingToday] }
    assert.deepEqual(lateDays(change), [yesterday])
    assert.deepEqual(lateDays({ ...change, now: midnight - 1 }), [], 'on that day itself nothing is late')
    const charged = attempt('b', ATTEMPT_STATES.charged, midnight + 1)
    assert.deepEqual(lateDays({ ...change, before: change.after, after: [declinedYesterday, charged] }), [yesterday])
    const again = attempt('b', ATTEMPT_STATES.declined, midnight + 1)
    assert.deepEqual(lateDays({ ...change, after: [declinedYesterday, again] }), [])
  })

  test('is late when something is booked with a time of it, and when a first attempt is found', () => {
    assert.deepEqual(lateDays({ ...unchanged, bookedAt: [midnight - 1, midnight] }), [yesterday])
    const found = attempt('c', ATTEMPT_STATES.declined, yesterday - 1)
    assert.deepEqual(lateDays({ ...unchanged, after: [declinedYesterday, found] }), [yesterday - DAY_MS, yesterday])
    assert.deepEqual(lateDays({ ...unchanged, before: [] }), [yesterday])
  })
})

describe('a day that is not over', () => {
  test('is open until half an hour after its midnight', () => {
    const midnight = startOfJstDay(NOW)
    assert.equal(closedUntil(midnight + 30 * MINUTE_MS - 1), midnight - DAY_MS)
    assert.equal(closedUntil(midnight + 30 * MINUTE_MS), midnight)
  })

  test('is counted for each reading, and its count is kept from 500 rows on', () => {
    assert.deepEqual([isKept(0), isKept(499), isKept(500)], [false, false, true])
  })
})
