import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RefundOutcome } from './ports.ts'
import {
  decideRefund,
  transitionRefund,
  refundableYen,
  refundedYen,
  refundInquiryDue,
  applyRefundOutcome,
  type Refund,
  type RefundDecision,
  type RefundState,
  type RefundStateName,
} from './refund.ts'
import { CHECKOUT_STATES, checkoutIn, NOW, payment } from './testing/records.ts'

const SECOND = 1000
const paid = checkoutIn(CHECKOUT_STATES.paid)

const states: Record<RefundStateName, RefundState> = {
  requested: { name: 'requested', leaseUntil: NOW + 35 * SECOND },
  unknown: { name: 'unknown', why: 'HTTP 500', since: NOW, inquiries: 0, nextInquiryAt: NOW + SECOND },
  refunded: { name: 'refunded', refundedAt: NOW },
  refused: { name: 'refused', reason: 'order_not_charged' },
}
const refundIn = (state: RefundState, amountYen = 980, refundId = 'r1'): Refund =>
  Object.freeze({
    merchantId: 'm1',
    checkoutId: 'c1',
    refundId,
    orderCode: 'o1',
    amountYen,
    requestedAt: NOW,
    state,
  })

const command = { refundId: 'r9', amountYen: null, leaseUntil: NOW + 35 * SECOND, now: NOW }
const said = (decision: RefundDecision): string =>
  decision.decision === 'refuse' ? decision.refusal.refused : decision.decision

test('a refund moves only where its table allows, over every pair of states', () => {
  const allowed: Record<RefundStateName, string> = {
    requested: '.xxx',
    unknown: '.xxx',
    refunded: '....',
    refused: '....',
  }
  for (const from of Object.values(states))
    for (const [column, to] of Object.values(states).entries()) {
      const refund = refundIn(from)
      if (allowed[from.name][column] === 'x') assert.deepEqual(transitionRefund(refund, to).state, to)
      else assert.throws(() => transitionRefund(refund, to), /cannot go from/, `${from.name} to ${to.name}`)
    }
})

test('only a paid checkout is refunded, and the refusal says how it stands', () => {
  for (const state of Object.values(CHECKOUT_STATES).filter(({ status }) => status !== 'paid'))
    assert.deepEqual(decideRefund(checkoutIn(state), [], command), {
      decision: 'refuse',
      refusal: { refused: 'not_refundable', params: { status: state.status } },
    })
})

test('a refund without an amount gives back all that is left', () => {
  const decision = decideRefund(paid, [refundIn(states.refunded)], command)
  assert.ok(decision.decision === 'reserve')
  assert.deepEqual(decision.refund, {
    ...refundIn({ name: 'requested', leaseUntil: command.leaseUntil }, 1000, 'r9'),
  })
})

test('an amount from 1 yen to what is left is reserved, and one yen outside is refused with what is left', () => {
  const before = [refundIn(states.refunded)]
  for (const amountYen of [1, 1000])
    assert.equal(said(decideRefund(paid, before, { ...command, amountYen })), 'reserve')
  for (const amountYen of [0, 1001])
    assert.deepEqual(decideRefund(paid, before, { ...command, amountYen }), {
      decision: 'refuse',
      refusal: { refused: 'refund_exceeds_payment', params: { remaining: 1000 } },
    })
})

test('money that may be on its way back counts as given, and money that was refused does not', () => {
  for (const state of Object.values(states)) {
    const left = state.name === 'refused' ? 1980 : 1000
    assert.equal(refundableYen(paid, [refundIn(state)]), left, state.name)
    assert.equal(refundedYen([refundIn(state)]), state.name === 'refunded' ? 980 : 0, state.name)
  }
})

test('the same refund id is told again what became of it, and with another amount it is refused', () => {
  for (const state of Object.values(states)) {
    const known = refundIn(state, 980, 'r9')
    for (const amountYen of [null, 980])
      assert.deepEqual(decideRefund(paid, [known], { ...command, amountYen }), { decision: 'repeat', refund: known })
    assert.deepEqual(decideRefund(paid, [known], { ...command, amountYen: 981 }), {
      decision: 'refuse',
      refusal: { refused: 'refund_mismatch', params: { amount: 980 } },
    })
  }
})

const refunded = (amountYen: number): RefundOutcome => ({ outcome: 'refunded', amountYen, refundedAt: NOW + 1 })

test('the last yen makes the checkout refunded, and no yen before it', () => {
  for (const state of [states.requested, states.unknown]) {
    const part = refundIn(state, 980)
    const first = applyRefundOutcome(paid, [part], part, { said: refunded(980), now: NOW })
    assert.deepEqual([first.checkout.state.status, first.refundedAt], ['paid', NOW + 1])
    const others = [refundIn(states.refunded, 1000, 'r0'), part]
    const last = applyRefundOutcome(paid, others, part, { said: refunded(980), now: NOW })
    assert.deepEqual(last.checkout.state, { status: 'refunded', payment, refundedAt: NOW + 1 })
    assert.deepEqual(last.refund.state, { name: 'refunded', refundedAt: NOW + 1 })
  }
})

test('a refund of another amount keeps the doubt and calls a person', () => {
  const settled = applyRefundOutcome(paid, [], refundIn(states.requested), { said: refunded(979), now: NOW })
  assert.equal(settled.refund.state.name, 'unknown')
  assert.equal(settled.checkout.state.status, 'paid')
  assert.match(settled.alarm ?? '', /979 yen instead of 980/)
})

test('no answer is a doubt that stays the same doubt, and a refusal ends it without a yen', () => {
  const lost: RefundOutcome = { outcome: 'unknown', why: 'no answer in time' }
  const begun = applyRefundOutcome(paid, [], refundIn(states.requested), { said: lost, now: NOW }).refund
  assert.deepEqual(begun.state, {
    name: 'unknown',
    why: 'no answer in time',
    since: NOW,
    inquiries: 0,
    nextInquiryAt: NOW + SECOND,
  })
  assert.deepEqual(applyRefundOutcome(paid, [], begun, { said: lost, now: NOW + 9 }).refund, begun)
  const refusal: RefundOutcome = { outcome: 'refused', reason: 'order_not_charged' }
  assert.deepEqual(applyRefundOutcome(paid, [], begun, { said: refusal, now: NOW }).refund.state, states.refused)
})

test('a second word about a refund that has ended changes nothing; one that contradicts calls a person', () => {
  for (const state of [states.refunded, states.refused]) {
    const refund = refundIn(state)
    const words: readonly RefundOutcome[] = [
      refunded(980),
      { outcome: 'refused', reason: 'order_not_charged' },
      { outcome: 'unknown', why: 'no answer in time' },
    ]
    for (const said of words) {
      const contradicts = said.outcome !== 'unknown' && said.outcome !== state.name
      const alarm = `the acquirer says that a refund was ${said.outcome} which is ${state.name}`
      assert.deepEqual(applyRefundOutcome(paid, [refund], refund, { said, now: NOW }), {
        refund,
        checkout: paid,
        ...(contradicts ? { alarm } : {}),
      })
    }
  }
})

test('a refund is asked about when its lease has passed or its next inquiry is due, and not before', () => {
  const requested = refundIn(states.requested)
  assert.equal(refundInquiryDue(requested, NOW + 35 * SECOND), undefined)
  const late = refundInquiryDue(requested, NOW + 35 * SECOND + 1)
  assert.equal(late?.state.name === 'unknown' && late.state.why, 'lease passed')
  const unknown = refundIn(states.unknown)
  assert.equal(refundInquiryDue(unknown, NOW + SECOND - 1), undefined)
  const due = refundInquiryDue(unknown, NOW + SECOND)
  assert.ok(due?.state.name === 'unknown')
  assert.deepEqual([due.state.inquiries, due.state.nextInquiryAt], [1, NOW + 5 * SECOND])
  for (const state of [states.refunded, states.refused])
    assert.equal(refundInquiryDue(refundIn(state), NOW + 1e9), undefined)
})
