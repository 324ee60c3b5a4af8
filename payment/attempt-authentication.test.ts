import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ABANDON_REASONS, type AttemptState, type AttemptStateName } from './attempt.ts'
import {
  applyJudgement,
  decideAuthenticate,
  decideReport,
  decideMonitor,
  abandonUnavailable,
  refuseUnavailable,
  type AuthenticateDecision,
} from './attempt-authentication.ts'
import type { Judgement } from './verdict.ts'
import type { CheckoutSnapshot } from './checkout.ts'
import {
  ATTEMPT_STATES,
  attemptIn,
  authentication as clearance,
  checkoutIn,
  DEADLINE,
  declines,
  exemption,
  NOW,
  UNCLEARED,
} from './testing/records.ts'

const MINUTE = 60_000
const states: Record<AttemptStateName, AttemptState> = { ...ATTEMPT_STATES, started: UNCLEARED }

const open = checkoutIn({ status: 'open' })
const inPlay = { checkout: open, inFlight: null, attempts: [] }
const after = (count: number) => ({ ...inPlay, attempts: declines(count) })
const held = { cardHeld: true, now: NOW }

const said = (decision: AuthenticateDecision): string =>
  decision.decision === 'refuse' ? decision.refusal.refused : decision.decision

test('the issuer is asked once about an attempt; who calls again waits, hears the answer or is refused', () => {
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
    void: 'order_over',
    abandoned: 'order_over',
  }
  for (const state of Object.values(states))
    assert.equal(said(decideAuthenticate(inPlay, attemptIn(state), held)), expected[state.name], state.name)
  assert.equal(
    said(decideAuthenticate(inPlay, attemptIn({ name: 'started', clearance: exemption }), held)),
    'wrong_step',
  )
})

test('the issuer is asked only with the card in hand, in time, on an open checkout without another payment', () => {
  const attempt = attemptIn(UNCLEARED)
  assert.equal(said(decideAuthenticate(inPlay, attempt, { cardHeld: false, now: NOW })), 'card_not_held')
  assert.equal(said(decideAuthenticate(inPlay, attempt, { cardHeld: true, now: DEADLINE })), 'ask')
  assert.equal(said(decideAuthenticate(inPlay, attempt, { cardHeld: true, now: DEADLINE + 1 })), 'order_over')
  const cancelled = checkoutIn({ status: 'cancelled', closedAt: NOW })
  assert.equal(said(decideAuthenticate({ checkout: cancelled, inFlight: null }, attempt, held)), 'order_over')
  assert.equal(
    said(decideAuthenticate({ checkout: open, inFlight: attemptIn(states.charging) }, attempt, held)),
    'payment_in_progress',
  )
})

test('a question whose process is gone is given up after a minute', () => {
  const attempt = attemptIn(states.authenticating)
  assert.equal(said(decideAuthenticate(inPlay, attempt, { cardHeld: true, now: NOW + MINUTE })), 'wait')
  assert.equal(said(decideAuthenticate(inPlay, attempt, { cardHeld: true, now: NOW + MINUTE + 1 })), 'order_over')
})

const cleared: Judgement = { judged: 'cleared', clearance }
const refused: Judgement = { judged: 'refused', reason: 'N', counted: true, blocksCard: false }

test('a judgement moves an attempt that waits for one and comes too late for every other', () => {
  const waits = new Set<AttemptStateName>(['started', 'authenticating', 'challenged'])
  for (const state of Object.values(states)) {
    const attempt = attemptIn(state)
    if (!waits.has(state.name)) {
      assert.deepEqual(applyJudgement(after(4), attempt, refused, NOW), { attempt, checkout: open }, state.name)
      continue
    }
    assert.equal(applyJudgement(inPlay, attempt, refused, NOW).attempt.state.name, 'refused')
    if (state.name !== 'started')
      assert.deepEqual(applyJudgement(inPlay, attempt, cleared, NOW).attempt.state, {
        name: 'authenticated',
        clearance,
      })
  }
  assert.deepEqual(
    applyJudgement(inPlay, attemptIn(UNCLEARED), { judged: 'cleared', clearance: exemption }, NOW).attempt.state,
    { name: 'started', clearance: exemption },
  )
})

test('the fifth counted refusal closes the link; one that does not count never does', () => {
  const attempt = attemptIn(states.challenged)
  assert.equal(applyJudgement(after(3), attempt, refused, NOW).checkout.state.status, 'open')
  assert.deepEqual(applyJudgement(after(4), attempt, refused, NOW).checkout.state, { status: 'failed', closedAt: NOW })
  assert.equal(applyJudgement(after(4), attempt, { ...refused, counted: false }, NOW).checkout.state.status, 'open')
})

test('a checkout that reads as expired is not failed by a late refusal', () => {
  const attempt = attemptIn(states.challenged)
  assert.equal(applyJudgement(after(4), attempt, refused, DEADLINE).checkout.state.status, 'failed')
  assert.equal(applyJudgement(after(4), attempt, refused, DEADLINE + 1).checkout.state.status, 'open')
})

test('a refusal beside a charge under way leaves the checkout open for that charge', () => {
  const attempt = attemptIn(states.challenged)
  for (const other of [states.charging, states.unknown]) {
    const judged = applyJudgement({ ...after(4), inFlight: attemptIn(other) }, attempt, refused, NOW)
    assert.equal(judged.attempt.state.name, 'refused')
    assert.equal(judged.checkout.state.status, 'open')
  }
})

test('each error report gives up the attempt of its own step, once, and is refused at any other', () => {
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
    void: ['wrong_step', 'wrong_step'],
    abandoned: ['order_over', 'order_over'],
  }
  for (const state of Object.values(states))
    for (const [column, report] of (['collect error', 'challenge error'] as const).entries()) {
      const decision = decideReport(report, attemptIn(state))
      const told = decision.decision === 'refuse' ? decision.refusal.refused : decision.decision
      assert.equal(told, expected[state.name][column], `${report}, ${state.name}`)
      if (decision.decision === 'abandon') {
        assert.deepEqual(decision.attempt.state, { name: 'abandoned', why: report })
        assert.equal(decision.wasChallenged, state.name === 'challenged')
        assert.equal(decision.why, state.name === 'authenticated' ? 'pay unanswered' : report)
      }
      assert.deepEqual(decideReport(report, attemptIn({ name: 'abandoned', why: report })), { decision: 'done' })
    }
})

test('a payment without 3-D Secure that got no answer can be given up as well', () => {
  const { decision } = decideReport('challenge error', attemptIn(ATTEMPT_STATES.started))
  assert.equal(decision, 'abandon')
})

test('an attempt that nobody answers for is given up before its answer, and stays as it is after', () => {
  const beforeAnswer = new Set<AttemptStateName>(['started', 'authenticating'])
  for (const state of [ATTEMPT_STATES.started, ...Object.values(states)]) {
    const attempt = attemptIn(state)
    const givenUp = { ...attempt, state: { name: 'abandoned', why: 'authentication unavailable' } }
    assert.deepEqual(abandonUnavailable(attempt), beforeAnswer.has(state.name) ? givenUp : null, state.name)
  }
})

test('only an attempt that was given up unanswered is told so; every other is told that it is over', () => {
  for (const state of Object.values(states))
    assert.deepEqual(refuseUnavailable(attemptIn(state)), { refused: 'order_over' }, state.name)
  for (const why of ABANDON_REASONS) {
    const refused = why === 'authentication unavailable' ? 'authentication_unavailable' : 'order_over'
    assert.deepEqual(refuseUnavailable(attemptIn({ name: 'abandoned', why })), { refused }, why)
  }
})

test('a page waits while the card holder is asked and its checkout is open, not longer and not before', () => {
  const watched = (scene: CheckoutSnapshot | null, state: AttemptState, now = NOW): string => {
    const decided = decideMonitor(scene === null ? null : { ...scene, now }, attemptIn(state))
    return decided.decision === 'refuse' ? decided.refusal.refused : decided.decision
  }
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
    void: 'over',
    abandoned: 'over',
  }
  for (const state of Object.values(states)) assert.equal(watched(inPlay, state), expected[state.name], state.name)
  assert.equal(watched(inPlay, states.challenged, DEADLINE), 'read result')
  assert.equal(watched(inPlay, states.challenged, DEADLINE + 1), 'over')
  const closed = checkoutIn({ status: 'cancelled', closedAt: NOW })
  assert.equal(watched({ checkout: closed, inFlight: null }, states.challenged), 'over')
  assert.equal(watched(null, states.challenged), 'over')
  assert.equal(watched(null, states.authenticating), 'wrong_step')
  const unknown = { decision: 'refuse', refusal: { refused: 'order_not_found' } }
  for (const scene of [{ ...inPlay, now: NOW }, null]) assert.deepEqual(decideMonitor(scene, null), unknown)
})
