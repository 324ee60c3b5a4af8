import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONSENT_VERSION } from '#contract/consent.ts'
import type { Attempt, AttemptStateName } from './attempt.ts'
import { CardNumber } from './card-number.ts'
import type { CheckoutWithAttempts } from './checkout.ts'
import {
  decideStart,
  refuseCard,
  refuseWithoutLock,
  STARTS_MAX,
  takenCards,
  type StartDecision,
} from './start-payment.ts'
import {
  ATTEMPT_STATES,
  attemptIn,
  CHECKOUT_STATES as states,
  checkoutIn,
  DEADLINE,
  decisionOf,
  NOW,
  UNCLEARED,
} from './testing/records.ts'

const LATE = DEADLINE + 1
const closedStates = Object.values(states).filter(({ status }) => status !== 'open')
const attemptsInFlight = [attemptIn(ATTEMPT_STATES.charging), attemptIn(ATTEMPT_STATES.unknown)]
const card = attemptIn(UNCLEARED).card ?? assert.fail()
const { abandoned, refused } = ATTEMPT_STATES

const open: CheckoutWithAttempts = { checkout: checkoutIn(states.open), inFlight: null, attempts: [] }
const after = (...attempts: readonly Attempt[]): CheckoutWithAttempts => ({ ...open, attempts })
const startedTimes = (count: number): CheckoutWithAttempts =>
  after(...Array.from({ length: count }, (_, place) => attemptIn(abandoned, { orderCode: `a${place}` })))

const decided = (snapshot: CheckoutWithAttempts, more: { now?: number; card?: typeof card } = {}): StartDecision =>
  decideStart(snapshot, { orderCode: 'o9', card, clientNetwork: '192.0.2.1', cardMark: null, now: NOW, ...more })

test('a start opens an attempt for the amount of its checkout, with this card and the current consent version, not yet cleared', () => {
  assert.deepEqual(decided(open), {
    decision: 'open',
    attempt: attemptIn(UNCLEARED, { orderCode: 'o9', consentVersion: CONSENT_VERSION }),
    superseded: [],
  })
})

test('a link takes 20 starts and refuses the next one', () => {
  assert.equal(STARTS_MAX, 20)
  for (const starts of [0, 1, 19]) assert.equal(decisionOf(decided(startedTimes(starts))), 'open', String(starts))
  for (const starts of [20, 21]) assert.equal(decisionOf(decided(startedTimes(starts))), 'too_many_starts')
})

test('a checkout that is not open refuses a start and says why, before the lock and under it', () => {
  for (const state of closedStates) {
    const refusal = { refused: 'checkout_closed', params: { status: state.status } }
    const closed = { ...open, checkout: checkoutIn(state) }
    assert.deepEqual(refuseWithoutLock(closed, NOW), refusal, state.status)
    assert.deepEqual(decided(closed), refusal, state.status)
  }
})

test('the last moment to start is the deadline itself', () => {
  assert.equal(refuseWithoutLock(open, DEADLINE), undefined)
  assert.equal(decisionOf(decided(open, { now: DEADLINE })), 'open')
  const refusal = { refused: 'checkout_closed', params: { status: 'expired' } }
  assert.deepEqual(refuseWithoutLock(open, LATE), refusal)
  assert.deepEqual(decided(startedTimes(20), { now: LATE }), refusal)
})

test('no payment starts while money may be moving, neither before the deadline nor after it', () => {
  for (const inFlight of attemptsInFlight)
    for (const now of [NOW, DEADLINE, LATE])
      for (const starts of [1, 20]) {
        const snapshot = { ...startedTimes(starts), inFlight }
        assert.deepEqual(refuseWithoutLock(snapshot, now), { refused: 'payment_in_progress' })
        assert.equal(decisionOf(decided(snapshot, { now })), 'payment_in_progress')
      }
})

test('a new start abandons attempts that wait, but none in a challenge, in flight or over', () => {
  const isGivenUp: Record<AttemptStateName, boolean> = {
    started: true,
    authenticating: true,
    challenged: false,
    authenticated: true,
    refused: false,
    charging: false,
    unknown: false,
    charged: false,
    declined: false,
    not_charged: false,
    abandoned: false,
  }
  for (const state of [UNCLEARED, ...Object.values(ATTEMPT_STATES)]) {
    const decision = decided(after(attemptIn(state)))
    assert.ok('superseded' in decision)
    const expected = isGivenUp[state.name] ? [attemptIn({ name: 'abandoned', why: 'superseded' })] : []
    assert.deepEqual(decision.superseded, expected, state.name)
  }
})

test('a card that its issuer rejected is blocked on that link, by its brand and last four digits', () => {
  const rejected = attemptIn({ ...refused, blocksCard: true })
  assert.equal(decisionOf(decided(after(rejected))), 'card_declined')
  assert.equal(decisionOf(decided(after(rejected), { card: { ...card, lastFour: '0000' } })), 'open')
  assert.equal(decisionOf(decided(after(rejected), { card: { ...card, brand: 'jcb' } })), 'open')
  assert.equal(decisionOf(decided(after(attemptIn(refused), attemptIn(ATTEMPT_STATES.declined)))), 'open')
})

test('a card is tried where its brand is accepted, a test card where test cards are taken, and a real one where real ones are', () => {
  const [test4242, real] = ['4242424242424242', '4539578763621486'].map((digits) => CardNumber.parse(digits))
  assert.ok(test4242 !== undefined && real !== undefined)
  const checkout = checkoutIn(states.open)
  assert.equal(refuseCard(test4242, checkout, 'test'), undefined)
  assert.equal(refuseCard(real, checkout, 'real'), undefined)
  assert.equal(refuseCard(test4242, checkout, 'real')?.refused, 'card_declined')
  assert.equal(refuseCard(real, checkout, 'test')?.refused, 'not_a_test_card')
  const jcbAlone = checkoutIn(states.open, { acceptedCardBrands: ['jcb'] })
  assert.equal(refuseCard(test4242, jcbAlone, 'test')?.refused, 'card_declined')
  assert.equal(refuseCard(real, jcbAlone, 'real')?.refused, 'card_declined')
})

test('a live checkout takes test cards alone where its acquirer is on this machine, because that is a double', () => {
  for (const apiBase of ['http://127.0.0.1:3001/stripe', 'https://adyen.localhost', 'http://[::1]:3001/adyen'])
    assert.equal(takenCards('live', apiBase), 'test', apiBase)
  for (const apiBase of [
    null,
    'https://api.stripe.com',
    'https://localhost.example.com',
    'https://127.0.0.1.example.com',
  ])
    assert.equal(takenCards('live', apiBase), 'real', String(apiBase))
  assert.deepEqual([takenCards('test', null), takenCards('test', 'https://api.stripe.com')], ['test', 'test'])
})
