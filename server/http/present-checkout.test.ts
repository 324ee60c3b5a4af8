import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/value'
import { CheckoutAnswer } from '#contract/checkout.ts'
import { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import type { Attempt } from '#payment/attempt.ts'
import type { Checkout, CheckoutReading, CheckoutState, Payment } from '#payment/checkout.ts'
import type { Refund, RefundState } from '#payment/refund.ts'
import { merchantOrigin } from '../origins.ts'
import { presentToMerchant } from '#payment/merchant-view.ts'
import { presentCancelled, presentCheckout } from './present-checkout.ts'
import { MERCHANT_SETTINGS } from '../../proof/harness/test-merchants.ts'

const NOW = Date.parse('2026-11-15T03:00:00Z')
const DEADLINE = Date.parse('2026-11-22T14:59:59.999Z')

const plain: Checkout = {
  merchantId: 'tea-id',
  id: 'checkout',
  mode: 'test',
  amountYen: 1980,
  subject: null,
  remarks: null,
  validUntil: DEADLINE,
  acceptedCardBrands: ['jcb', 'visa'],
  cancelUrl: null,
  redirectUrl: null,
  locale: null,
  metadata: {},
  reference: null,
  taxes: null,
  createdAt: NOW - 1000,
  linkId: null,
  heldSince: null,
  state: { status: 'open' },
}

const full: Checkout = {
  ...plain,
  subject: '煎茶',
  remarks: 'A-1024\n贈答用',
  cancelUrl: 'https://shop.example.com/cart',
  redirectUrl: 'https://shop.example.com/thanks',
  locale: 'ja_JP',
  metadata: { order: 'A-1024' },
}

const payment: Payment = {
  orderCode: 'order',
  transactionId: 'txn_1',
  paidAt: NOW,
  card: { brand: 'visa', lastFour: '4242' },
  invoiceIssuer: null,
}

const attempt: Attempt = {
  merchantId: 'tea-id',
  checkoutId: 'checkout',
  orderCode: 'order',
  mode: 'test',
  amountYen: 1980,
  card: payment.card,
  startedAt: NOW,
  consentVersion: null,
  clientNetwork: null,
  cardMark: null,
  challengeDemanded: false,
  reference: null,
  state: {
    name: 'charging',
    clearance: { by: 'exemption', reason: 'not_enrolled' },
    receipt: { email: 'taro@example.com', locale: 'ja_JP' },
    claimedAt: NOW,
    leaseUntil: NOW + 35_000,
  },
}

const SHOP = { settings: MERCHANT_SETTINGS, taken: 'test' } as const

const reading = (checkout: Checkout, inFlight: Attempt | null = null, now = NOW): CheckoutReading => ({
  checkout,
  inFlight,
  now,
})
const shown = (what: CheckoutReading): CheckoutAnswer => presentCheckout(what, SHOP)

test('a checkout without extras is shown without empty fields', () => {
  const answer = shown(reading(plain))
  assert.ok(Check(CheckoutAnswer, answer))
  assert.deepEqual(answer, {
    id: 'checkout',
    status: 'open',
    amount: 1980,
    validUntil: '2026-11-22T14:59:59.999Z',
    acceptedCardBrands: ['visa', 'jcb'],
    links: {},
    merchant: { setting: MERCHANT_SETTINGS.setting },
    receipt: MERCHANT_SETTINGS.receipt,
    paymentPending: false,
  })
})

test('a paid checkout shows the payment’s facts and a masked card, and nothing that identifies who paid', () => {
  const answer = shown(reading({ ...full, state: { status: 'paid', payment } }))
  assert.ok(Check(CheckoutAnswer, answer))
  assert.deepEqual(answer, {
    id: 'checkout',
    status: 'paid',
    amount: 1980,
    subject: '煎茶',
    validUntil: '2026-11-22T14:59:59.999Z',
    remarks: 'A-1024\n贈答用',
    acceptedCardBrands: ['visa', 'jcb'],
    links: { cancelUrl: 'https://shop.example.com/cart', redirectUrl: 'https://shop.example.com/thanks' },
    locale: 'ja_JP',
    transactionId: 'txn_1',
    paidAt: '2026-11-15T03:00:00.000Z',
    card: { brand: 'visa', number: '•••• 4242' },
    merchant: { setting: MERCHANT_SETTINGS.setting },
    receipt: MERCHANT_SETTINGS.receipt,
    paymentPending: false,
  })
})

const refundOf = (amountYen: number, state: RefundState): Refund => ({
  merchantId: 'tea-id',
  checkoutId: 'checkout',
  refundId: `r${amountYen}`,
  orderCode: 'order',
  amountYen,
  taxes: null,
  requestedAt: NOW,
  state,
})

test('a paid checkout shows the parts that were given back in the order of time, none on its way or refused, and no id', () => {
  const refunds = [
    refundOf(300, { name: 'refunded', refundedAt: NOW + 2000 }),
    refundOf(500, { name: 'refunded', refundedAt: NOW + 1000 }),
    refundOf(1, { name: 'requested', leaseUntil: NOW }),
    refundOf(2, { name: 'unknown', why: 'HTTP 500', since: NOW, inquiries: 0, nextInquiryAt: NOW }),
    refundOf(3, { name: 'refused', reason: 'too late' }),
  ]
  const paid = { ...reading({ ...plain, state: { status: 'paid', payment } }), refunds }
  const answer = presentCheckout(paid, SHOP)
  assert.ok(Check(CheckoutAnswer, answer))
  assert.deepEqual(answer.refunds, [
    { amount: 500, refundedAt: '2026-11-15T03:00:01.000Z' },
    { amount: 300, refundedAt: '2026-11-15T03:00:02.000Z' },
  ])
  const none = { ...paid, refunds: refunds.slice(2) }
  assert.ok(!('refunds' in presentCheckout(none, SHOP)))
  const whole = { ...paid, checkout: { ...plain, state: { status: 'refunded', payment, refundedAt: NOW } } as const }
  assert.ok(!('refunds' in presentCheckout(whole, SHOP)))
})

test('of more than twenty parts a shopper is shown the last twenty', () => {
  for (const count of [20, 21]) {
    const refunds = Array.from({ length: count }, (_, at) =>
      refundOf(at + 1, { name: 'refunded', refundedAt: NOW + at }),
    )
    const paid = { ...reading({ ...plain, state: { status: 'paid', payment } }), refunds }
    const answer = presentCheckout(paid, SHOP)
    assert.ok(Check(CheckoutAnswer, answer))
    assert.deepEqual([answer.refunds?.length, answer.refunds?.[0]?.amount], [20, count - 19])
  }
})

test('the shopper is not shown the fields that are for the merchant alone', () => {
  const answer = shown(reading({ ...full, state: { status: 'paid', payment } }))
  for (const name of ['metadata', 'mode', 'merchantId', 'orderCode', 'createdAt', 'allowExemption', 'version']) {
    assert.ok(!JSON.stringify(answer).includes(`"${name}"`), name)
  }
})

const closings: readonly CheckoutState[] = [
  { status: 'failed', closedAt: NOW },
  { status: 'cancelled', closedAt: NOW },
  { status: 'expired', closedAt: NOW },
  { status: 'refunded', payment, refundedAt: NOW },
]
for (const state of closings) {
  test(`a ${state.status} checkout is shown as ${state.status} on both sides, within its contract`, () => {
    const what = reading({ ...full, state })
    assert.equal(shown(what).status, state.status)
    assert.equal(shown(what).transactionId, state.status === 'refunded' ? 'txn_1' : undefined)
    assert.ok(Check(CheckoutAnswer, shown(what)))
    assert.ok(Check(MerchantCheckoutAnswer, presentToMerchant(what, [], 'https://tea.example')))
  })
}

test('a payment under way is pending until the checkout is settled', () => {
  assert.equal(shown(reading(plain, attempt)).paymentPending, true)
  assert.equal(shown(reading({ ...plain, state: { status: 'paid', payment } }, attempt)).paymentPending, false)
})

test('a checkout is open to the last millisecond and expired after it, unless a payment is under way', () => {
  assert.equal(shown(reading(plain, null, DEADLINE)).status, 'open')
  assert.equal(shown(reading(plain, null, DEADLINE + 1)).status, 'expired')
  const late = shown(reading(plain, attempt, DEADLINE + 1))
  assert.deepEqual([late.status, late.paymentPending], ['open', true])
  assert.equal(presentToMerchant(reading(plain, null, DEADLINE + 1), [], 'https://tea.example').status, 'expired')
})

test('only a cancel that cancelled the checkout carries the merchant’s cancel link', () => {
  const cancelled = presentCancelled(reading({ ...full, state: { status: 'cancelled', closedAt: NOW } }), SHOP)
  assert.equal(cancelled.links.cancelUrl, 'https://shop.example.com/cart')
  for (const what of [
    reading({ ...full, state: { status: 'paid', payment } }),
    reading(full),
    reading(full, attempt),
  ]) {
    const lost = presentCancelled(what, SHOP)
    assert.deepEqual(lost.links, { redirectUrl: 'https://shop.example.com/thanks' })
    assert.deepEqual({ ...lost, links: {} }, { ...shown(what), links: {} })
  }
})

test('the merchant reads its checkout with the link to send, the mode and its own notes', () => {
  const answer = presentToMerchant(reading({ ...full, state: { status: 'paid', payment } }), [], 'https://tea.example')
  assert.ok(Check(MerchantCheckoutAnswer, answer))
  assert.equal(answer.url, 'https://tea.example/checkout')
  assert.deepEqual(
    [answer.mode, answer.metadata, answer.createdAt],
    ['test', full.metadata, '2026-11-15T02:59:59.000Z'],
  )
  assert.deepEqual(answer.card, { brand: 'visa', number: '•••• 4242' })
})

test('a merchant’s pages are one label below the base, port included', () => {
  assert.equal(merchantOrigin(new URL('http://localhost:3000'), 'tea'), 'http://tea.localhost:3000')
  assert.equal(merchantOrigin(new URL('https://pay.example.com'), 'tea'), 'https://tea.pay.example.com')
})

test('a live checkout that takes test cards alone says so, and shows its invoice as a sample', () => {
  const invoiceIssuer = { registrationNumber: 'T1234567890123', name: 'Aoyama Tea' }
  const taxes = [{ rate: 10, amount: 1980 }] as const
  const paid: Checkout = { ...full, taxes, state: { status: 'paid', payment: { ...payment, invoiceIssuer } } }
  const marksOf = (mode: 'test' | 'live', taken: 'test' | 'real') => {
    const answer = presentCheckout(reading({ ...paid, mode }), { ...SHOP, taken })
    assert.ok(Check(CheckoutAnswer, answer))
    return [answer.testCardsOnly, answer.invoice?.isSample]
  }
  assert.deepEqual(marksOf('live', 'test'), [true, true])
  assert.deepEqual(marksOf('live', 'real'), [undefined, false])
  assert.deepEqual(marksOf('test', 'test'), [undefined, true])
})
