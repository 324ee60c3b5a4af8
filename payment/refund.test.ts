import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal } from '#contract/errors.ts'
import type { Dispute } from './dispute.ts'
import type { RefundOutcome } from './ports.ts'
import {
  decideRefund,
  transitionRefund,
  refundableYen,
  refundedYen,
  refundInquiryDue,
  applyRefundAnswer,
  type Refund,
  type RefundState,
  type RefundStateName,
} from './refund.ts'
import type { Taxes } from '#contract/invoice-figures.ts'
import { CHECKOUT_STATES, checkoutIn, decisionOf, NOW, payment } from './testing/records.ts'

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
    taxes: null,
    requestedAt: NOW,
    state,
  })

const told = (refunds: readonly Refund[], disputes: readonly Dispute[] = []) => ({ refunds, disputes })

const command = { refundId: 'r9', amountYen: null, taxes: null, leaseUntil: NOW + 35 * SECOND, now: NOW }

test('a refund makes only the transitions that its table allows, over every pair of states', () => {
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

test('only a paid checkout is refunded, and the refusal names its status', () => {
  for (const state of Object.values(CHECKOUT_STATES).filter(({ status }) => status !== 'paid'))
    assert.deepEqual(decideRefund(checkoutIn(state), told([]), command), {
      refused: 'not_refundable',
      params: { status: state.status },
    })
})

test('a refund without an amount refunds all that is left', () => {
  const refund = refundIn({ name: 'requested', leaseUntil: command.leaseUntil }, 1000, 'r9')
  const decision = decideRefund(paid, told([refundIn(states.refunded)]), command)
  assert.deepEqual(decision, { decision: 'reserve', refund })
})

test('an amount from 1 yen to what is left is reserved, and one yen outside is refused with what is left', () => {
  const before = [refundIn(states.refunded)]
  for (const amountYen of [1, 1000])
    assert.equal(decisionOf(decideRefund(paid, told(before), { ...command, amountYen })), 'reserve')
  for (const amountYen of [0, 1001])
    assert.deepEqual(decideRefund(paid, told(before), { ...command, amountYen }), {
      refused: 'refund_exceeds_payment',
      params: { remaining: 1000 },
    })
})

test('a refund that is made or may still be made lowers what can be refunded, and a refused one does not', () => {
  for (const state of Object.values(states)) {
    const remaining = state.name === 'refused' ? 1980 : 1000
    assert.equal(refundableYen(paid, [refundIn(state)], []), remaining, state.name)
    assert.equal(refundedYen([refundIn(state)]), state.name === 'refunded' ? 980 : 0, state.name)
  }
})

test('what a dispute has taken cannot be refunded as well, and the refusal says so', () => {
  const disputed = (amountYen: number, kind: 'chargeback' | 'chargeback_reversal' = 'chargeback'): Dispute => ({
    merchantId: 'm1',
    checkoutId: 'c1',
    mode: 'live',
    disputeId: 'dp_1',
    orderCode: 'o1',
    status: 'open',
    amountYen,
    reason: null,
    respondBy: null,
    openedAt: NOW,
    askedAt: NOW,
    movements: [{ kind, movementId: 'txn_1', amountYen, movedAt: NOW }],
  })
  const before = [refundIn(states.refunded)]
  assert.equal(refundableYen(paid, before, [disputed(300)]), 700)
  assert.equal(refundableYen(paid, before, [{ ...disputed(300), status: 'inquiry', movements: [] }]), 1000)
  assert.equal(refundableYen(paid, before, [disputed(300), disputed(300, 'chargeback_reversal')]), 1000)
  assert.equal(refundableYen(paid, before, [disputed(1980)]), 0, 'never less than nothing')
  const over = decideRefund(paid, told(before, [disputed(300)]), { ...command, amountYen: 701 })
  assert.ok(isRefusal(over))
  assert.deepEqual([over.refused, over.params], ['refund_exceeds_payment', { remaining: 700 }])
  assert.match(over.message ?? '', /a dispute \(chargeback\) has taken the rest/)
  const all = decideRefund(paid, told(before, [disputed(300)]), command)
  assert.equal('refund' in all && all.refund.amountYen, 700)
  const given = { ...command, amountYen: 1000, isAlreadyRefunded: true } as const
  assert.equal(decisionOf(decideRefund(paid, told(before, [disputed(300)]), given)), 'reserve', 'it was refunded')
})

test('a repeated refund id is answered with the same refund, and with another amount it is refused', () => {
  for (const state of Object.values(states)) {
    const known = refundIn(state, 980, 'r9')
    for (const amountYen of [null, 980])
      assert.deepEqual(decideRefund(paid, told([known]), { ...command, amountYen }), {
        decision: 'repeat',
        refund: known,
      })
    assert.deepEqual(decideRefund(paid, told([known]), { ...command, amountYen: 981 }), {
      refused: 'refund_mismatch',
      params: { amount: 980 },
    })
  }
})

const refunded = (amountYen: number): RefundOutcome => ({ outcome: 'refunded', amountYen, refundedAt: NOW + 1 })

test('the last yen makes the checkout refunded, and no yen before it', () => {
  for (const state of [states.requested, states.unknown]) {
    const part = refundIn(state, 980)
    const first = applyRefundAnswer(paid, [part], part, { answer: refunded(980), now: NOW })
    assert.deepEqual([first.checkout.state.status, first.refundedAt], ['paid', NOW + 1])
    const others = [refundIn(states.refunded, 1000, 'r0'), part]
    const last = applyRefundAnswer(paid, others, part, { answer: refunded(980), now: NOW })
    assert.deepEqual(last.checkout.state, { status: 'refunded', payment, refundedAt: NOW + 1 })
    assert.deepEqual(last.refund.state, { name: 'refunded', refundedAt: NOW + 1 })
  }
})

test('a refund of another amount keeps the doubt and raises an alarm', () => {
  const answered = applyRefundAnswer(paid, [], refundIn(states.requested), { answer: refunded(979), now: NOW })
  assert.equal(answered.refund.state.name, 'unknown')
  assert.equal(answered.checkout.state.status, 'paid')
  assert.match(answered.alarm ?? '', /979 yen instead of 980/)
})

test('a refund without an answer is in doubt and stays in the same doubt, and a refusal ends it without a yen', () => {
  const lost: RefundOutcome = { outcome: 'unknown', why: 'no answer in time' }
  const begun = applyRefundAnswer(paid, [], refundIn(states.requested), { answer: lost, now: NOW }).refund
  assert.deepEqual(begun.state, {
    name: 'unknown',
    why: 'no answer in time',
    since: NOW,
    inquiries: 0,
    nextInquiryAt: NOW + SECOND,
  })
  assert.deepEqual(applyRefundAnswer(paid, [], begun, { answer: lost, now: NOW + 9 }).refund, begun)
  const refusal: RefundOutcome = { outcome: 'refused', reason: 'order_not_charged' }
  assert.deepEqual(applyRefundAnswer(paid, [], begun, { answer: refusal, now: NOW }).refund.state, states.refused)
})

test('a second answer about a refund that has ended changes nothing; one that contradicts raises an alarm', () => {
  for (const state of [states.refunded, states.refused]) {
    const refund = refundIn(state)
    const outcomes: readonly RefundOutcome[] = [
      refunded(980),
      { outcome: 'refused', reason: 'order_not_charged' },
      { outcome: 'unknown', why: 'no answer in time' },
    ]
    for (const outcome of outcomes) {
      const contradicts = outcome.outcome !== 'unknown' && outcome.outcome !== state.name
      const alarm = `the acquirer says that a refund was ${outcome.outcome} which is ${state.name}`
      assert.deepEqual(applyRefundAnswer(paid, [refund], refund, { answer: outcome, now: NOW }), {
        refund,
        checkout: paid,
        ...(contradicts ? { alarm } : {}),
      })
    }
  }
})

test('a refund is inquired when its lease has passed or its next inquiry is due, and not before', () => {
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

const taxed = checkoutIn(CHECKOUT_STATES.paid, {
  taxes: [
    { rate: 8, amount: 980 },
    { rate: 10, amount: 1000 },
  ],
})
const AT_8: Taxes = [{ rate: 8, amount: 980 }]
const AT_10: Taxes = [{ rate: 10, amount: 1000 }]

const taxesReserved = (refunds: readonly Refund[], more: Partial<typeof command> & { taxes?: Taxes | null }) => {
  const decision = decideRefund(taxed, told(refunds), { ...command, ...more })
  return 'refund' in decision && decision.decision === 'reserve' ? decision.refund.taxes : decisionOf(decision)
}

test('a refund is reserved with its taxes, and what may be on its way back is left at no rate any more', () => {
  for (const state of Object.values(states)) {
    const before = [{ ...refundIn(state), taxes: AT_8 }]
    const left = state.name === 'refused' ? [...AT_10, ...AT_8] : AT_10
    assert.deepEqual(taxesReserved(before, {}), left, state.name)
  }
})

test('taxes of a refund that are wrong are refused before anything is reserved', () => {
  const decision = decideRefund(taxed, told([]), { ...command, amountYen: 981, taxes: [{ rate: 8, amount: 981 }] })
  assert.ok(isRefusal(decision))
  assert.deepEqual([decision.refused, decision.params], ['invalid_field', { field: 'taxes' }])
})

test('a repeated refund id may leave the taxes out or send the same, and is refused with others', () => {
  const known = { ...refundIn(states.refunded, 980, 'r9'), taxes: AT_8 }
  for (const taxes of [null, AT_8, [...AT_8, { rate: 10, amount: 0 } as const]])
    assert.deepEqual(decideRefund(taxed, told([known]), { ...command, taxes }), { decision: 'repeat', refund: known })
  const decision = decideRefund(taxed, told([known]), { ...command, taxes: [{ rate: 10, amount: 980 }] })
  assert.ok(isRefusal(decision))
  assert.deepEqual([decision.refused, decision.params], ['refund_mismatch', { amount: 980 }])
  assert.match(decision.message ?? '', /other taxes/)
})

test('a refund that was given is reserved though nobody knows how it divides by rate, and one that is asked for is not', () => {
  const lost = { ...command, amountYen: 400 }
  assert.ok(isRefusal(decideRefund(taxed, told([]), lost)))
  const decision = decideRefund(taxed, told([]), { ...lost, isAlreadyRefunded: true })
  assert.ok(!isRefusal(decision) && decision.decision === 'reserve')
  assert.deepEqual([decision.refund.amountYen, decision.refund.taxes], [400, null])
  // Where it follows from what is left it is known, and more than is left is not given back.
  const known = decideRefund(taxed, told([{ ...refundIn(states.refunded), taxes: AT_8 }]), {
    ...lost,
    isAlreadyRefunded: true,
  })
  assert.ok(!isRefusal(known) && known.decision === 'reserve')
  assert.deepEqual(known.refund.taxes, [{ rate: 10, amount: 400 }])
  assert.ok(isRefusal(decideRefund(taxed, told([]), { ...lost, amountYen: 1981, isAlreadyRefunded: true })))
})

test('a repeated refund whose division by rate was lost is answered with what became of it, whatever taxes are sent', () => {
  const known = { ...refundIn(states.refunded, 400, 'r9'), taxes: null }
  const request = { ...command, amountYen: 400, taxes: [{ rate: 8, amount: 400 } as const] }
  assert.deepEqual(decideRefund(taxed, told([known]), request), { decision: 'repeat', refund: known })
  const untaxed = checkoutIn(CHECKOUT_STATES.paid)
  assert.ok(isRefusal(decideRefund(untaxed, told([known]), request)))
})
