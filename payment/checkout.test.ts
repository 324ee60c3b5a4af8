import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckoutStatus } from '#contract/checkout.ts'
import { transitionCheckout, stateAsRead } from './checkout.ts'
import { ATTEMPT_STATES, attemptIn, CHECKOUT_STATES as states, checkoutIn, DEADLINE, NOW } from './testing/records.ts'

const LATE = DEADLINE + 1
const closedStates = Object.values(states).filter(({ status }) => status !== 'open')
const charging = attemptIn(ATTEMPT_STATES.charging)
const unknown = attemptIn(ATTEMPT_STATES.unknown)

const open = { checkout: checkoutIn(states.open), inFlight: null }

/** One row a status, one column a next status, in the order of the rows. */
const transitions: Record<CheckoutStatus, string> = {
  open: '.x.xxx',
  paid: '..x...',
  refunded: '......',
  failed: '......',
  cancelled: '......',
  expired: '......',
}

test('a checkout makes only the transitions that its table allows, over every pair of statuses', () => {
  assert.deepEqual(Object.keys(transitions), ['open', 'paid', 'refunded', 'failed', 'cancelled', 'expired'])
  for (const from of Object.values(states)) {
    for (const [column, to] of Object.values(states).entries()) {
      const checkout = checkoutIn(from)
      if (transitions[from.status][column] === 'x') {
        assert.deepEqual(transitionCheckout(checkout, to), { ...checkout, state: to }, `${from.status} to ${to.status}`)
      } else {
        const message = `a checkout cannot go from ${from.status} to ${to.status}`
        assert.throws(() => transitionCheckout(checkout, to), { message }, message)
      }
    }
  }
})

test('an open checkout is open at its deadline and reads as expired one millisecond after', () => {
  for (const now of [NOW, DEADLINE - 1, DEADLINE]) assert.equal(stateAsRead(open, now), states.open)
  assert.deepEqual(stateAsRead(open, LATE), { status: 'expired', closedAt: DEADLINE })
})

test('past its deadline a checkout stays open while a payment claimed in time is finishing', () => {
  for (const inFlight of [charging, unknown]) assert.equal(stateAsRead({ ...open, inFlight }, LATE), states.open)
})

test('a closed checkout reads as it was closed, before and after its deadline', () => {
  for (const state of closedStates)
    for (const now of [NOW, DEADLINE, LATE])
      assert.equal(stateAsRead({ checkout: checkoutIn(state), inFlight: null }, now), state, state.status)
})
