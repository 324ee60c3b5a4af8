import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal } from '#contract/errors.ts'
import { ABANDON_REASONS, type AttemptState, type AttemptStateName } from './attempt.ts'
import {
  applyJudgement,
  decideAuthenticate,
  decideReport,
  decideMonitor,
  abandonUnavailable,
  refuseUnavailable,
} from './attempt-authentication.ts'
import type { Judgement } from './authentication-verdict.ts'
import type { CheckoutSnapshot } from './checkout.ts'
import {
  ATTEMPT_STATES,
  attemptIn,
  authentication as clearance,
  checkoutIn,
  DEADLINE,
  decisionOf,
  declines,
  exemption,
  NOW,
  UNCLEARED,
} from './testing/records.ts'

const MINUTE = 60_000
const states: Record<AttemptStateName, AttemptState> = { ...ATTEMPT_STATES, started: UNCLEARED }

const open = checkoutIn({ status: 'open' })
const openSnapshot = { checkout: open, inFlight: null, attempts: [] }
const afterDeclines = (count: number) => ({ ...openSnapshot, attempts: declines(count) })
const held = { cardHeld: true, now: NOW }

test('the issuer is asked once about an attempt; a repeated call waits, gets the same answer or is refused', () => {
  const expected: Record<AttemptStateName, string> = {
    started: 'ask',
    authenticating: 'wait',
    challenged: 'replay',
    authenticated: 'replay',
    refused: 'replay',
    charging: 'payment_in_progress',
    unknown: 'payment_in_progress',
    charged: 'order_over',
    declined: 'order_over',
    not_charged: 'order_over',
    abandoned: 'order_over',
  }
  for (const state of Object.values(states))
    assert.equal(decisionOf(decideAuthenticate(openSnapshot, attemptIn(state), held)), expected[state.name], state.name)
  assert.equal(
    decisionOf(decideAuthenticate(openSnapshot, attemptIn({ name: 'started', clearance: exemption }), held)),
    'wrong_step',
  )
})

test('the issuer is asked only while the card is held, up to the deadline, on an open checkout without another payment', () => {
  const attempt = attemptIn(UNCLEARED)
  assert.equal(decisionOf(decideAuthenticate(openSnapshot, attempt, { cardHeld: false, now: NOW })), 'card_not_held')
  assert.equal(decisionOf(decideAuthenticate(openSnapshot, attempt, { cardHeld: true, now: DEADLINE })), 'ask')
  assert.equal(
    decisionOf(decideAuthenticate(openSnapshot, attempt, { cardHeld: true, now: DEADLINE + 1 })),
    'order_over',
  )
  const cancelled = checkoutIn({ status: 'cancelled', closedAt: NOW })
  assert.equal(decisionOf(decideAuthenticate({ checkout: cancelled, inFlight: null }, attempt, held)), 'order_over')
  assert.equal(
    decisionOf(decideAuthenticate({ checkout: open, inFlight: attemptIn(states.charging) }, attempt, held)),
    'payment_in_progress',
  )
})

test('an authentication whose process died is given up after a minute', () => {
  const attempt = attemptIn(states.authenticating)
  assert.equal(decisionOf(decideAuthenticate(openSnapshot, attempt, { cardHeld: true, now: NOW + MINUTE })), 'wait')
  assert.equal(
    decisionOf(decideAuthenticate(openSnapshot, attempt, { cardHeld: true, now: NOW + MINUTE + 1 })),
    'order_over',
  )
})

const cleared: Judgement = { judged: 'cleared', clearance }
const refused: Judgement = { judged: 'refused', reason: 'N', counted: true, blocksCard: false }

test('a judgement changes an attempt that waits for one and comes too late for every other', () => {
  const waits = new Set<AttemptStateName>(['started', 'authenticating', 'challenged'])
  for (const state of Object.values(states)) {
    const attempt = attemptIn(state)
    if (!waits.has(state.name)) {
      assert.deepEqual(applyJudgement(afterDeclines(4), attempt, refused, NOW), { attempt, checkout: open }, state.name)
      continue
    }
    assert.equal(applyJudgement(openSnapshot, attempt, refused, NOW).attempt.state.name, 'refused')
    if (state.name !== 'started')
      assert.deepEqual(applyJudgement(openSnapshot, attempt, cleared, NOW).attempt.state, {
        name: 'authenticated',
        clearance,
      })
  }
  assert.deepEqual(
    applyJudgement(openSnapshot, attemptIn(UNCLEARED), { judged: 'cleared', clearance: exemption }, NOW).attempt.state,
    { name: 'started', clearance: exemption },
  )
})

test('the fifth counted refusal closes the link; one that does not count never does', () => {
  const attempt = attemptIn(states.challenged)
  assert.equal(applyJudgement(afterDeclines(3), attempt, refused, NOW).checkout.state.status, 'open')
  assert.deepEqual(applyJudgement(afterDeclines(4), attempt, refused, NOW).checkout.state, {
    status: 'failed',
    closedAt: NOW,
  })
  assert.equal(
    applyJudgement(afterDeclines(4), attempt, { ...refused, counted: false }, NOW).checkout.state.status,
    'open',
  )
})

test('a checkout that reads as expired is not failed by a late refusal', () => {
  const attempt = attemptIn(states.challenged)
  assert.equal(applyJudgement(afterDeclines(4), attempt, refused, DEADLINE).checkout.state.status, 'failed')
  assert.equal(applyJudgement(afterDeclines(4), attempt, refused, DEADLINE + 1).checkout.state.status, 'open')
})

test('a refusal while another attempt is charging or in doubt leaves the checkout open for that charge', () => {
  const attempt = attemptIn(states.challenged)
  for (const other of [states.charging, states.unknown]) {
    const judged = applyJudgement({ ...afterDeclines(4), inFlight: attemptIn(other) }, attempt, refused, NOW)
    assert.equal(judged.attempt.state.name, 'refused')
    assert.equal(judged.checkout.state.status, 'open')
  }
})

test('each error report abandons the attempt at its own step, once, and is refused at any other step', () => {
  const expected: Record<AttemptStateName, readonly [collect: string, challenge: string]> = {
    started: ['abandon', 'wrong_step'],
    authenticating: ['wrong_step', 'wrong_step'],
    challenged: ['wrong_step', 'abandon'],
    authenticated: ['wrong_step', 'abandon'],
    refused: ['wrong_step', 'done'],
    charging: ['payment_in_progress', 'payment_in_progress'],
    unknown: ['payment_in_progress', 'payment_in_progress'],
    charged: ['wrong_step', 'wrong_step'],
    declined: ['wrong_step', 'wrong_step'],
    not_charged: ['wrong_step', 'wrong_step'],
    abandoned: ['order_over', 'order_over'],
  }
  for (const state of Object.values(states))
    for (const [column, report] of (['collect error', 'challenge error'] as const).entries()) {
      const decision = decideReport(report, attemptIn(state))
      assert.equal(decisionOf(decision), expected[state.name][column], `${report}, ${state.name}`)
      if (!isRefusal(decision) && decision.decision === 'abandon') {
        assert.deepEqual(decision.attempt.state, { name: 'abandoned', why: report })
        assert.equal(decision.wasChallenged, state.name === 'challenged')
        assert.equal(decision.why, state.name === 'authenticated' ? 'pay unanswered' : report)
      }
      assert.deepEqual(decideReport(report, attemptIn({ name: 'abandoned', why: report })), { decision: 'done' })
    }
})

test('a payment without 3-D Secure that got no answer can be abandoned as well', () => {
  assert.equal(decisionOf(decideReport('challenge error', attemptIn(ATTEMPT_STATES.started))), 'abandon')
})

test('an attempt whose authentication is unavailable is abandoned before the issuer has answered, and stays as it is after', () => {
  const beforeAnswer = new Set<AttemptStateName>(['started', 'authenticating'])
  for (const state of [ATTEMPT_STATES.started, ...Object.values(states)]) {
    const attempt = attemptIn(state)
    const givenUp = { ...attempt, state: { name: 'abandoned', why: 'authentication unavailable' } }
    assert.deepEqual(abandonUnavailable(attempt), beforeAnswer.has(state.name) ? givenUp : null, state.name)
  }
})

test('only an attempt abandoned because authentication was unavailable is answered so; every other is answered that it is over', () => {
  for (const state of Object.values(states))
    assert.deepEqual(refuseUnavailable(attemptIn(state)), { refused: 'order_over' }, state.name)
  for (const why of ABANDON_REASONS) {
    const refused = why === 'authentication unavailable' ? 'authentication_unavailable' : 'order_over'
    assert.deepEqual(refuseUnavailable(attemptIn({ name: 'abandoned', why })), { refused }, why)
  }
})

test('the monitor reads the result while the attempt is challenged and its checkout is open, not longer and not before', () => {
  const monitored = (snapshot: CheckoutSnapshot, state: AttemptState, now = NOW): string =>
    decisionOf(decideMonitor({ ...snapshot, now }, attemptIn(state)))
  const expected: Record<AttemptStateName, string> = {
    started: 'wrong_step',
    authenticating: 'wrong_step',
    challenged: 'read result',
    authenticated: 'over',
    refused: 'over',
    charging: 'over',
    unknown: 'over',
    charged: 'over',
    declined: 'over',
    not_charged: 'over',
    abandoned: 'over',
  }
  for (const state of Object.values(states))
    assert.equal(monitored(openSnapshot, state), expected[state.name], state.name)
  assert.equal(monitored(openSnapshot, states.challenged, DEADLINE), 'read result')
  assert.equal(monitored(openSnapshot, states.challenged, DEADLINE + 1), 'over')
  const closed = checkoutIn({ status: 'cancelled', closedAt: NOW })
  assert.equal(monitored({ checkout: closed, inFlight: null }, states.challenged), 'over')
})
