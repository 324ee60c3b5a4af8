import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AbandonReason, Attempt, AttemptStateName } from './attempt.ts'
import type { CheckoutWithAttempts } from './checkout.ts'
import { decideCancel, decideExpiry } from './close-checkout.ts'
import {
  ATTEMPT_STATES,
  attemptIn,
  CHECKOUT_STATES as states,
  checkoutIn,
  DEADLINE,
  NOW,
  UNCLEARED,
} from './testing/records.ts'

const LATE = DEADLINE + 1
const closedStates = Object.values(states).filter(({ status }) => status !== 'open')
const attemptsInFlight = [attemptIn(ATTEMPT_STATES.charging), attemptIn(ATTEMPT_STATES.unknown)]

const open: CheckoutWithAttempts = { checkout: checkoutIn(states.open), inFlight: null, attempts: [] }

/** One attempt in each state whose money is not moving, under an order code of its own. */
const attempts = [UNCLEARED, ...Object.values(ATTEMPT_STATES)]
  .filter(({ name }) => name !== 'charging' && name !== 'unknown')
  .map((state, place) => attemptIn(state, { orderCode: `o${place}` }))
const UNFINISHED = new Set<AttemptStateName>(['started', 'authenticating', 'challenged', 'authenticated'])
const abandoned = (why: AbandonReason): Attempt[] =>
  attempts
    .filter(({ state }) => UNFINISHED.has(state.name))
    .map((attempt) => ({ ...attempt, state: { name: 'abandoned', why } }))
const challenged = attempts.filter(({ state }) => state.name === 'challenged').map(({ orderCode }) => orderCode)

test('an open checkout is cancelled at once, up to its deadline', () => {
  for (const now of [NOW, DEADLINE]) {
    const checkout = checkoutIn({ status: 'cancelled', closedAt: now })
    assert.deepEqual(decideCancel(open, now), { decision: 'cancel', checkout, attempts: [], challenged: [] })
  }
  assert.deepEqual(decideCancel(open, LATE), { decision: 'closed' })
})

test('a cancel abandons every attempt that has not ended, and lists those whose challenge is still open', () => {
  assert.equal(challenged.length, 1)
  assert.deepEqual(decideCancel({ ...open, attempts }, NOW), {
    decision: 'cancel',
    checkout: checkoutIn({ status: 'cancelled', closedAt: NOW }),
    attempts: abandoned('cancelled'),
    challenged,
  })
})

test('a cancel waits for money that may be moving, also past the deadline', () => {
  for (const inFlight of attemptsInFlight)
    for (const now of [NOW, DEADLINE, LATE])
      assert.deepEqual(decideCancel({ ...open, inFlight }, now), { decision: 'wait' })
})

test('a cancel of a checkout that is not open changes nothing, also when it is repeated', () => {
  for (const state of closedStates)
    for (const now of [NOW, DEADLINE, LATE])
      assert.deepEqual(decideCancel({ ...open, checkout: checkoutIn(state) }, now), { decision: 'closed' })
})

test('a checkout expires one millisecond past its deadline, as of the deadline, with every attempt that has not ended', () => {
  for (const now of [NOW, DEADLINE]) assert.equal(decideExpiry({ ...open, attempts }, now), null)
  for (const now of [LATE, LATE + 3_600_000])
    assert.deepEqual(decideExpiry({ ...open, attempts }, now), {
      checkout: checkoutIn({ status: 'expired', closedAt: DEADLINE }),
      attempts: abandoned('expired'),
    })
})

test('a checkout that is closed, or whose payment is finishing, does not expire', () => {
  for (const state of closedStates)
    assert.equal(decideExpiry({ ...open, checkout: checkoutIn(state) }, LATE), null, state.status)
  for (const inFlight of attemptsInFlight) assert.equal(decideExpiry({ ...open, inFlight }, LATE), null)
})
