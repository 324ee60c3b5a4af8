import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHECKOUT_STATUSES } from '#contract/checkout.ts'
import { afterTransition, eventData, eventsOf, type CheckoutWhole } from './events.ts'
import type { Dispute } from './dispute.ts'
import type { Refund, RefundState } from './refund.ts'
import { ATTEMPT_STATES, attemptIn, checkoutIn, CHECKOUT_STATES, NOW } from './testing/records.ts'

const open = checkoutIn(CHECKOUT_STATES.open)
const attempt = attemptIn(ATTEMPT_STATES.charging)
const doubted = attemptIn(ATTEMPT_STATES.unknown)
const refundIn = (state: RefundState): Refund => ({
  merchantId: open.merchantId,
  checkoutId: open.id,
  refundId: 'r1',
  orderCode: attempt.orderCode,
  amountYen: 100,
  taxes: null,
  requestedAt: NOW,
  state,
})
const whole = (more: Partial<CheckoutWhole> = {}): CheckoutWhole => ({
  checkout: open,
  attempts: [{ attempt, authentication: null }],
  refunds: [],
  disputes: [],
  ...more,
})
const typesOf = (...[before, next]: Parameters<typeof eventsOf>): string[] =>
  eventsOf(before, next).map(({ type }) => type)

test('every way in which a checkout can be closed is told, and what stays as it is is not', () => {
  for (const status of CHECKOUT_STATUSES) {
    const checkout = checkoutIn(CHECKOUT_STATES[status])
    assert.deepEqual(typesOf(whole(), { checkout }), status === 'open' ? [] : [`checkout.${status}`])
    assert.deepEqual(typesOf(whole({ checkout }), { checkout }), [])
    assert.deepEqual(typesOf(whole({ checkout }), {}), [])
  }
})

test('an attempt is told of when it falls into doubt, and not while it stays there', () => {
  assert.deepEqual(typesOf(whole(), { attempts: [doubted] }), ['alert.payment_in_doubt'])
  const inDoubt = whole({ attempts: [{ attempt: doubted, authentication: null }] })
  assert.deepEqual(typesOf(inDoubt, { attempts: [doubted] }), [])
  for (const state of Object.values(ATTEMPT_STATES))
    if (state.name !== 'unknown') assert.deepEqual(typesOf(whole(), { attempts: [attemptIn(state)] }), [])
})

test('a refund is told of when it ends, and before the checkout that it has refunded', () => {
  const requested = refundIn({ name: 'requested', leaseUntil: NOW })
  const refunded = refundIn({ name: 'refunded', refundedAt: NOW })
  const refused = refundIn({ name: 'refused', reason: 'no' })
  const paid = whole({ checkout: checkoutIn(CHECKOUT_STATES.paid), refunds: [requested] })
  const checkout = checkoutIn(CHECKOUT_STATES.refunded)
  assert.deepEqual(typesOf(paid, { refunds: [requested] }), [])
  assert.deepEqual(typesOf(paid, { refunds: [refused] }), ['refund.refused'])
  assert.deepEqual(typesOf(paid, { refunds: [refunded], checkout }), ['refund.succeeded', 'checkout.refunded'])
  assert.deepEqual(typesOf({ ...paid, refunds: [refunded] }, { refunds: [refunded] }), [])
})

test('an event holds what stands after the transition: status, doubt, what was given back, who pays', () => {
  const stands = afterTransition(whole(), { attempts: [doubted] })
  const { checkout } = eventData(stands, { type: 'alert.payment_in_doubt' }, 'https://tea.example.com')
  assert.deepEqual(
    [checkout?.status, checkout?.paymentPending, checkout?.shopper?.email, checkout?.url],
    ['open', true, 'taro@example.com', `https://tea.example.com/${open.id}`],
  )
  assert.notEqual(checkout?.doubt, undefined)
  const refunded = refundIn({ name: 'refunded', refundedAt: NOW })
  const paid = whole({ checkout: checkoutIn(CHECKOUT_STATES.paid) })
  const told = eventData(
    afterTransition(paid, { refunds: [refunded] }),
    { type: 'refund.succeeded', refund: refunded },
    'https://tea.example.com',
  )
  assert.deepEqual([told.checkout?.refundedAmount, told.refund?.status], [100, 'refunded'])
})

test('a dispute is told with the checkout as it stands then, which names the dispute too', () => {
  const dispute: Dispute = {
    merchantId: open.merchantId,
    checkoutId: open.id,
    mode: 'test',
    disputeId: 'dp_1',
    orderCode: attempt.orderCode,
    status: 'open',
    amountYen: 1980,
    reason: null,
    respondBy: null,
    openedAt: NOW,
    askedAt: NOW,
    movements: [{ kind: 'chargeback', movementId: 'txn_1', amountYen: 1980, movedAt: NOW }],
  }
  const paid = whole({ checkout: checkoutIn(CHECKOUT_STATES.paid) })
  assert.deepEqual(typesOf(paid, { disputes: [dispute] }), ['dispute.opened'])
  const known = { ...paid, disputes: [dispute] }
  assert.deepEqual(typesOf(known, { disputes: [{ ...dispute, status: 'lost' }] }), ['dispute.closed'])
  const stands = afterTransition(known, { disputes: [{ ...dispute, status: 'lost' }] })
  const data = eventData(stands, { type: 'dispute.closed', dispute }, 'https://tea.example.com')
  assert.deepEqual([data.checkout?.disputes?.map(({ status }) => status), data.checkout?.status], [['lost'], 'paid'])
  assert.deepEqual(data.dispute, {
    id: 'dp_1',
    status: 'open',
    amount: 1980,
    withdrawnAmount: 1980,
    openedAt: new Date(NOW).toISOString(),
  })
  assert.equal(eventData(paid, { type: 'checkout.paid' }, 'https://tea.example.com').checkout?.disputes, undefined)
})
