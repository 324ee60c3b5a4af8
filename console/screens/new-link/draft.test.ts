import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/value'
import { CreateCheckoutBody } from '#contract/merchant/checkouts.ts'
import { CreateReusableLinkBody } from '#contract/merchant/reusable-links.ts'
import { HALF_TYPED } from '../../forms/date-range.ts'
import {
  checkoutBody,
  EMPTY_DRAFT,
  previewedDeadline,
  previewedTaxes,
  previewedYen,
  problemsOf,
  refusedField,
  reusableLinkBody,
} from './draft.ts'

const ENTERED = { ...EMPTY_DRAFT, kind: 'reusable', amountBy: 'shopper' } as const

test('a link for one shopper needs an amount and nothing else', () => {
  assert.deepEqual(problemsOf(EMPTY_DRAFT), { amount: 'missing' })
  assert.deepEqual(problemsOf({ ...EMPTY_DRAFT, amount: '0' }), { amount: 'not an amount' })
  const draft = { ...EMPTY_DRAFT, amount: '１，９８０円' }
  assert.deepEqual(problemsOf(draft), {})
  assert.deepEqual(checkoutBody(draft), { amount: 1980 })
})

test('what was entered is what is sent, and both bodies are those of the contract', () => {
  const draft = {
    ...EMPTY_DRAFT,
    amount: '3000',
    subject: ' お茶会 ',
    until: '2026-12-02',
    locale: 'ja_JP',
    remarks: '一行目\n二行目',
    reference: 'A-1',
    maxPayments: '２０件',
  } as const
  const common = {
    amount: 3000,
    subject: 'お茶会',
    validUntil: '2026-12-02',
    locale: 'ja_JP',
    remarks: '一行目\n二行目',
    reference: 'A-1',
  }
  assert.deepEqual(checkoutBody(draft), common)
  assert.ok(Check(CreateCheckoutBody, checkoutBody(draft)))
  const reusable = reusableLinkBody({ ...draft, kind: 'reusable' })
  assert.deepEqual(reusable, { ...common, maxPayments: 20 })
  assert.ok(Check(CreateReusableLinkBody, reusable))
})

test('an amount that the shopper enters needs two bounds, the smaller one first', () => {
  assert.deepEqual(problemsOf(ENTERED), { min: 'missing', max: 'missing' })
  assert.deepEqual(problemsOf({ ...ENTERED, min: '500', max: '499' }), { max: 'below the smallest' })
  assert.deepEqual(problemsOf({ ...ENTERED, min: '500', max: '500' }), {})
  assert.deepEqual(reusableLinkBody({ ...ENTERED, amount: '1', min: '500', max: '5,000' }), {
    amountRange: { min: 500, max: 5000 },
  })
})

test('a limit is a whole number of payments, of a reusable link alone', () => {
  for (const maxPayments of ['0', '-1', '1.5', '多数', '1000000'])
    assert.deepEqual(problemsOf({ ...ENTERED, min: '1', max: '2', maxPayments }), { maxPayments: 'not a number' })
  assert.deepEqual(problemsOf({ ...EMPTY_DRAFT, amount: '1', maxPayments: 'x' }), {})
})

test('a deadline of which a part is missing is not sent as none', () => {
  const draft = { ...EMPTY_DRAFT, amount: '1', until: HALF_TYPED }
  assert.deepEqual(problemsOf(draft), { until: 'half typed' })
  assert.equal(previewedDeadline(draft, 0), undefined)
})

const TEA = { ...EMPTY_DRAFT, amount: '3,000', subject: 'お茶会' } as const

test('taxes, brands and the page after paying are sent as the contract has them', () => {
  const draft = {
    ...TEA,
    taxedBy: '8',
    brands: ['visa', 'jcb'],
    redirectUrl: ' https://shop.example.com/thanks ',
  } as const
  assert.deepEqual(problemsOf(draft), {})
  const body = checkoutBody(draft)
  assert.deepEqual(body, {
    amount: 3000,
    subject: 'お茶会',
    taxes: [{ rate: 8, amount: 3000 }],
    acceptedCardBrands: ['visa', 'jcb'],
    links: { redirectUrl: 'https://shop.example.com/thanks' },
  })
  assert.ok(Check(CreateCheckoutBody, body))
  assert.ok(Check(CreateReusableLinkBody, reusableLinkBody({ ...draft, kind: 'reusable' })))
  assert.deepEqual(problemsOf({ ...draft, brands: [] }), { brands: 'no brand' })
})

test('amounts at several tax rates add up to the amount, and a receipt with taxes says what was sold', () => {
  const mixed = { ...TEA, taxedBy: 'mixed', taxed10: '２，０００', taxed8: '1000' } as const
  assert.deepEqual(problemsOf(mixed), {})
  const taxes = [
    { rate: 10, amount: 2000 },
    { rate: 8, amount: 1000 },
  ]
  assert.deepEqual(checkoutBody(mixed).taxes, taxes)
  assert.deepEqual(previewedTaxes(mixed), { taxes })
  assert.deepEqual(problemsOf({ ...mixed, taxed8: '' }), { taxes: 'not the amount' })
  assert.deepEqual(previewedTaxes({ ...mixed, taxed8: '' }), {})
  assert.deepEqual(problemsOf({ ...mixed, taxed8: 'x' }), { taxed8: 'not an amount' })
  assert.deepEqual(problemsOf({ ...mixed, subject: ' ' }), { subject: 'subject missing' })
})

test('of an amount that the shopper enters nobody knows the taxes', () => {
  const draft = { ...ENTERED, min: '1', max: '2', taxedBy: 'mixed' } as const
  assert.deepEqual(problemsOf(draft), {})
  assert.equal(reusableLinkBody(draft).taxes, undefined)
})

test('a refusal of the server stands beside its field', () => {
  assert.deepEqual(refusedField('links.redirectUrl'), { redirectUrl: 'not an address' })
  assert.deepEqual(refusedField('taxes'), { taxes: 'refused' })
  assert.deepEqual(refusedField('subject'), { subject: 'card number' })
  assert.deepEqual(refusedField('amountRange.min'), { min: 'refused' })
  assert.deepEqual(refusedField('links.cancelUrl'), {})
  assert.deepEqual(refusedField(undefined), {})
})

test('the preview shows what was entered, and a sample until then', () => {
  assert.equal(previewedYen(EMPTY_DRAFT), 1980)
  assert.equal(previewedYen({ ...EMPTY_DRAFT, amount: '300' }), 300)
  assert.equal(previewedYen({ ...ENTERED, amount: '300', min: '100' }), 100)
  const now = Date.parse('2026-11-22T03:00:00Z')
  assert.equal(previewedDeadline({ ...EMPTY_DRAFT, until: '2026-12-02' }, now), '2026-12-02')
  assert.equal(previewedDeadline({ ...ENTERED, until: '2026-12-02' }, now), '2026-11-23T03:00:00.000Z')
})
