import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckoutStatus } from '#contract/checkout.ts'
import type { AttemptState, AttemptStateName } from './attempt.ts'
import {
  COUNTED_DECLINES_MAX,
  decideCancel,
  isSupersededByStart,
  moveCheckout,
  refuseStart,
  STARTS_MAX,
  stateAsRead,
  afterCountedDecline,
  countedDeclines,
  isBlocked,
  isGivenUpByCancel,
} from './checkout.ts'
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
const charging = attemptIn(ATTEMPT_STATES.charging)
const unknown = attemptIn(ATTEMPT_STATES.unknown)

const open = { checkout: checkoutIn(states.open), inFlight: null }

/** One row a status, one column a next status, in the order of the rows. */
const moves: Record<CheckoutStatus, string> = {
  open: '.x.xxx',
  paid: '..x...',
  refunded: '......',
  failed: '......',
  cancelled: '......',
  expired: '......',
}

test('a checkout moves only where its table allows, over every pair of statuses', () => {
  assert.deepEqual(Object.keys(moves), ['open', 'paid', 'refunded', 'failed', 'cancelled', 'expired'])
  for (const from of Object.values(states)) {
    for (const [column, to] of Object.values(states).entries()) {
      const checkout = checkoutIn(from)
      if (moves[from.status][column] === 'x') {
        assert.deepEqual(moveCheckout(checkout, to), { ...checkout, state: to }, `${from.status} to ${to.status}`)
      } else {
        const message = `a checkout cannot go from ${from.status} to ${to.status}`
        assert.throws(() => moveCheckout(checkout, to), { message }, message)
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

test('a link takes 20 starts and refuses the next one', () => {
  assert.equal(STARTS_MAX, 20)
  for (const starts of [0, 1, 19]) assert.equal(refuseStart(open, starts, NOW), undefined, String(starts))
  for (const starts of [20, 21]) assert.deepEqual(refuseStart(open, starts, NOW), { refused: 'too_many_starts' })
})

test('a checkout that is not open takes no start and says why', () => {
  for (const state of closedStates) {
    const { status } = state
    const expected = { refused: 'checkout_closed', params: { status } }
    assert.deepEqual(refuseStart({ checkout: checkoutIn(state), inFlight: null }, 0, NOW), expected, status)
  }
})

test('the last moment to start is the deadline itself', () => {
  assert.equal(refuseStart(open, 0, DEADLINE), undefined)
  const expired = { refused: 'checkout_closed', params: { status: 'expired' } }
  assert.deepEqual(refuseStart(open, 0, LATE), expired)
  assert.deepEqual(refuseStart(open, 20, LATE), expired)
})

test('nobody starts while money may be moving, neither before the deadline nor after it', () => {
  for (const inFlight of [charging, unknown])
    for (const now of [NOW, DEADLINE, LATE])
      for (const starts of [1, 20])
        assert.deepEqual(refuseStart({ ...open, inFlight }, starts, now), { refused: 'payment_in_progress' })
})

const { refused } = ATTEMPT_STATES

test('a new start gives up attempts that wait but none in a challenge, a cancel gives up both, and neither one that is in flight or over', () => {
  const givenUp: Record<AttemptStateName, readonly [byStart: boolean, byCancel: boolean]> = {
    started: [true, true],
    authenticating: [true, true],
    challenged: [false, true],
    authenticated: [true, true],
    refused: [false, false],
    charging: [false, false],
    unknown: [false, false],
    charged: [false, false],
    declined: [false, false],
    void: [false, false],
    abandoned: [false, false],
  }
  for (const state of [UNCLEARED, ...Object.values(ATTEMPT_STATES)]) {
    const [byStart, byCancel] = givenUp[state.name]
    assert.equal(isSupersededByStart(attemptIn(state)), byStart, state.name)
    assert.equal(isGivenUpByCancel(attemptIn(state)), byCancel, state.name)
  }
})

test('declines of the acquirer and counted refusals of the issuer count, other ends do not', () => {
  const counted: readonly AttemptState[] = [refused, { name: 'declined', reason: '' }]
  const others: readonly AttemptState[] = [
    { ...refused, counted: false },
    { name: 'void', why: '' },
    { name: 'abandoned', why: 'authentication unavailable' },
    { name: 'challenged' },
  ]
  assert.equal(countedDeclines([...counted, ...others].map((state) => attemptIn(state))), 2)
  assert.equal(countedDeclines([]), 0)
})

test('the fifth counted decline closes a link, the fourth does not', () => {
  assert.equal(afterCountedDecline(open.checkout, 3, NOW).state.status, 'open')
  assert.deepEqual(afterCountedDecline(open.checkout, 4, NOW).state, { status: 'failed', closedAt: NOW })
})

test('a card that its issuer rejected is blocked on that link, by its brand and last four digits', () => {
  const rejected = attemptIn({ ...refused, blocksCard: true })
  assert.equal(isBlocked(rejected.card, [rejected]), true)
  assert.equal(isBlocked({ ...rejected.card, lastFour: '0000' }, [rejected]), false)
  assert.equal(isBlocked({ ...rejected.card, brand: 'jcb' }, [rejected]), false)
  assert.equal(isBlocked(rejected.card, [attemptIn(refused), attemptIn({ name: 'declined', reason: '' })]), false)
})

test('an open checkout is cancelled at once, up to its deadline', () => {
  for (const now of [NOW, DEADLINE]) {
    const cancelled = { ...open.checkout, state: { status: 'cancelled', closedAt: now } }
    assert.deepEqual(decideCancel(open, now), { decision: 'cancel', checkout: cancelled })
  }
  assert.deepEqual(decideCancel(open, LATE), { decision: 'settled' })
})

test('a cancel waits for money that may be moving, also past the deadline', () => {
  for (const inFlight of [charging, unknown])
    for (const now of [NOW, DEADLINE, LATE])
      assert.deepEqual(decideCancel({ ...open, inFlight }, now), { decision: 'wait' })
})

test('a cancel of a checkout that is not open changes nothing, also when it is repeated', () => {
  for (const state of closedStates)
    for (const now of [NOW, DEADLINE, LATE])
      assert.deepEqual(decideCancel({ checkout: checkoutIn(state), inFlight: null }, now), { decision: 'settled' })
})

test('five counted declines close a link', () => {
  assert.equal(COUNTED_DECLINES_MAX, 5)
})
