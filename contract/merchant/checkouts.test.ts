import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/value'
import { CARD_BRANDS } from '../brands.ts'
import { createCheckout, readMerchantCheckout } from './checkouts.ts'
import { refundCheckout } from './refunds.ts'
import { CHECKOUT_STATUSES } from '../checkout.ts'
import { WIRE_LOCALES } from '../locale.ts'
import { isMerchantMode, MERCHANT_MODES } from '../access.ts'
import { VALIDITY_DAYS_DEFAULT, VALIDITY_DAYS_MAX } from './checkouts.ts'

const order = {
  amount: 1980,
  subject: 'Tea',
  validUntil: '2026-11-29',
  remarks: 'None',
  acceptedCardBrands: ['visa', 'jcb'],
  links: { cancelUrl: 'https://shop.example.com/cart', redirectUrl: 'https://shop.example.com/thanks' },
  locale: 'ja_JP',
  metadata: { order: '42' },
}

const answer = {
  ...order,
  id: 'abc',
  url: 'https://shop.example.com/abc',
  mode: 'test',
  status: 'paid',
  createdAt: '2026-11-22T03:00:00.000Z',
  transactionId: 't1',
  paidAt: '2026-11-22T03:05:00.000Z',
  card: { brand: 'visa', number: '•••• 4242' },
  paymentPending: false,
  refundedAmount: 0,
}

const takes = (field: string, ...values: readonly unknown[]): void => {
  for (const value of values)
    assert.equal(Check(createCheckout.body, { ...order, [field]: value }), true, `${field} ${JSON.stringify(value)}`)
}
const refuses = (field: string, ...values: readonly unknown[]): void => {
  for (const value of values)
    assert.equal(Check(createCheckout.body, { ...order, [field]: value }), false, `${field} ${JSON.stringify(value)}`)
}

test('a checkout needs an amount; everything else may be left out', () => {
  assert.equal(Check(createCheckout.body, order), true)
  assert.equal(Check(createCheckout.body, { amount: 1980 }), true)
  for (const body of [{}, { subject: 'Tea' }, null, [], 'amount=1980', 1980])
    assert.equal(Check(createCheckout.body, body), false, JSON.stringify(body))
})

test('an unknown field is refused, so that a misspelt one is noticed', () => {
  for (const field of ['ammount', 'currency', 'status', 'id', 'mode']) refuses(field, 'x')
  refuses('links', { cancelURL: 'https://shop.example.com' }, { returnUrl: 'https://shop.example.com' }, [], null, 'x')
  takes('links', {}, { cancelUrl: 'https://shop.example.com' }, { redirectUrl: 'https://shop.example.com' })
})

test('an amount is whole yen from 1 to 9,999,999, and a number', () => {
  takes('amount', 1, 9_999_999)
  refuses('amount', 0, -1, -1980, 10_000_000, 0.5, 1.5, 9_999_999.5, NaN, Infinity, '1980', null, true, [1980])
})

test('a subject has at most 200 characters, remarks 2000, a deadline 40 and a link 2000', () => {
  takes('subject', '', 'あ'.repeat(200))
  refuses('subject', 'あ'.repeat(201), 1, null)
  takes('remarks', '', 'あ'.repeat(2000))
  refuses('remarks', 'あ'.repeat(2001), null)
  takes('validUntil', 'x'.repeat(40))
  refuses('validUntil', 'x'.repeat(41), 1_795_359_600_000, null)
  for (const link of ['cancelUrl', 'redirectUrl']) {
    takes('links', { [link]: 'x'.repeat(2000) })
    refuses('links', { [link]: 'x'.repeat(2001) }, { [link]: null })
  }
})

test('the accepted brands are one to six of the six, each once, in lower case', () => {
  takes('acceptedCardBrands', ['visa'], [...CARD_BRANDS])
  refuses('acceptedCardBrands', [], ['visa', 'visa'], [...CARD_BRANDS, 'visa'], [...CARD_BRANDS, 'unionpay'])
  refuses('acceptedCardBrands', ['VISA'], ['mastercard'], [''], 'visa', null, {})
})

test('a locale is one of the six on the wire', () => {
  takes('locale', ...WIRE_LOCALES)
  refuses('locale', 'ja', 'ja-JP', 'en_GB', '', null)
})

const many = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [`k${place}`, 'v']))

test('metadata are at most 20 texts of 500 characters under names of 40', () => {
  takes('metadata', {}, many(20), { ['k'.repeat(40)]: 'v' }, { k: 'v'.repeat(500) })
  refuses('metadata', many(21), { ['k'.repeat(41)]: 'v' }, { k: 'v'.repeat(501) })
  refuses('metadata', { k: 1 }, { k: null }, { k: { deep: 'v' } }, { k: ['v'] }, [], 'k=v', null)
})

test('metadata under a name with a line break are held to the same limits', () => {
  takes('metadata', { 'a\nb': 'v' })
  refuses('metadata', { 'a\nb': { deep: 'v' } }, { 'a\nb': 'v'.repeat(501) }, { [`${'k'.repeat(40)}\n`]: 'v' })
})

test('a merchant reads every field of its checkout, and only those', () => {
  const schema = readMerchantCheckout.answer
  assert.equal(schema, createCheckout.answer)
  assert.equal(Check(schema, answer), true)
  assert.equal(Check(schema, { ...answer, surprise: 1 }), false)
  assert.equal(Check(schema, { ...answer, card: { ...answer.card, holderName: 'TARO' } }), false)
  const optional = new Set(['subject', 'remarks', 'locale', 'transactionId', 'paidAt', 'card'])
  for (const field of Object.keys(answer)) {
    const rest = Object.fromEntries(Object.entries(answer).filter(([name]) => name !== field))
    assert.equal(Check(schema, rest), optional.has(field), `without ${field}`)
  }
})

const read = (part: object): boolean => Check(readMerchantCheckout.answer, { ...answer, ...part })

test('a merchant reads a known status and mode, and an amount in whole yen', () => {
  for (const status of CHECKOUT_STATUSES) assert.equal(read({ status }), true, status)
  for (const mode of MERCHANT_MODES) assert.equal(read({ mode }), true, mode)
  for (const amount of [1, 9_999_999]) assert.equal(read({ amount }), true)
  for (const part of [{ status: 'pending' }, { mode: 'demo' }, { amount: 0 }, { amount: -1 }, { amount: 10_000_000 }])
    assert.equal(read(part), false, JSON.stringify(part))
  for (const part of [{ amount: 1.5 }, { paymentPending: 'no' }, { url: null }, { refundedAmount: -1 }])
    assert.equal(read(part), false, JSON.stringify(part))
})

test('a link is valid for 7 days unless its merchant sets a deadline, and for 180 days at most', () => {
  assert.deepEqual([VALIDITY_DAYS_DEFAULT, VALIDITY_DAYS_MAX], [7, 180])
  assert.deepEqual(MERCHANT_MODES, ['test', 'live'])
})

test('a key and its checkouts are for tests or for real money, and for nothing else', () => {
  for (const mode of MERCHANT_MODES) assert.equal(isMerchantMode(mode), true)
  for (const mode of ['demo', 'TEST', '']) assert.equal(isMerchantMode(mode), false)
})

test('a refund has its merchant’s own id of 1 to 64 plain characters, and an amount that can be paid or none', () => {
  const takesRefund = (body: unknown): boolean => Check(refundCheckout.body, body)
  for (const refundId of ['r', 'R_1-a', 'r'.repeat(64)]) assert.equal(takesRefund({ refundId }), true, refundId)
  for (const refundId of ['', 'r'.repeat(65), 'r 1', 'r/1', 'ä', 1, null])
    assert.equal(takesRefund({ refundId }), false, String(refundId))
  for (const amount of [1, 9_999_999]) assert.equal(takesRefund({ refundId: 'r', amount }), true)
  for (const amount of [0, 10_000_000, 1.5, '1', null]) assert.equal(takesRefund({ refundId: 'r', amount }), false)
  assert.equal(takesRefund({ refundId: 'r', more: 1 }), false)
})
