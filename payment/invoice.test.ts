import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InvoiceFacts } from '#contract/invoice.ts'
import type { TaxRate } from '#contract/tax-rates.ts'
import type { Checkout } from './checkout.ts'
import { taxContained, type Taxes } from '#contract/invoice-figures.ts'
import { invoiceOf } from './invoice.ts'
import { CHECKOUT_STATES, checkoutIn, payment } from './testing/records.ts'

/**
 * Worked out by hand, not by a formula: at 10 % eleven yen hold one yen of tax, at 8 % twenty-seven yen hold two. Each row is
 * an amount with its tax included, and the whole yen of tax in it.
 */
const TABLE: Readonly<Record<TaxRate, readonly (readonly [amount: number, tax: number])[]>> = {
  10: [
    [0, 0],
    [1, 0],
    [10, 0],
    [11, 1],
    [12, 1],
    [21, 1],
    [22, 2],
    [109, 9],
    [110, 10],
    [111, 10],
    [120, 10],
    [121, 11],
    [1_000, 90],
    [1_089, 99],
    [1_099, 99],
    [1_100, 100],
    [1_980, 180],
    [54_999, 4_999],
    [55_000, 5_000],
    [87_200, 7_927],
    [9_999_989, 909_089],
    [9_999_990, 909_090],
    [9_999_999, 909_090],
  ],
  8: [
    [0, 0],
    [1, 0],
    [13, 0],
    [14, 1],
    [26, 1],
    [27, 2],
    [28, 2],
    [40, 2],
    [41, 3],
    [53, 3],
    [54, 4],
    [107, 7],
    [108, 8],
    [109, 8],
    [539, 39],
    [540, 40],
    [1_000, 74],
    [1_079, 79],
    [1_080, 80],
    [3_980, 294],
    [43_200, 3_200],
    [9_999_989, 740_739],
    [9_999_990, 740_740],
    [9_999_999, 740_740],
  ],
  0: [
    [0, 0],
    [1, 0],
    [1_000, 0],
    [9_999_999, 0],
  ],
}

for (const rate of [10, 8, 0] as const)
  test(`the tax contained at ${rate} % is the whole yen of the table, whatever is left over`, () => {
    for (const [amount, tax] of TABLE[rate]) assert.equal(taxContained({ rate, amount }), tax, `¥${amount}`)
  })

test('the table itself cannot be half a yen wrong: each tax is at its rate of what is left, and a yen more is too much', () => {
  for (const rate of [10, 8] as const)
    for (const [amount, tax] of TABLE[rate]) {
      assert.ok(tax * 100 <= (amount - tax) * rate, `¥${amount} at ${rate} %`)
      assert.ok((tax + 1) * 100 > (amount - tax - 1) * rate, `¥${amount} at ${rate} %`)
    }
})

const issued = (taxes: Taxes | null, more: Partial<Checkout> = {}): InvoiceFacts | null => {
  const invoiceIssuer = { registrationNumber: 'T1234567890123', name: '青山茶舗' }
  const state = { status: 'paid', payment: { ...payment, invoiceIssuer } } as const
  return invoiceOf(checkoutIn(state, { subject: '煎茶', taxes, ...more }))
}

const totalsOf = (taxes: Taxes): number[][] | undefined =>
  issued(taxes)?.totals.map(({ rate, amount, tax }) => [rate, amount, tax])

test('an invoice names issuer, number, day, content, and total and tax of each rate', () => {
  const taxes: Taxes = [
    { rate: 8, amount: 980 },
    { rate: 10, amount: 1000 },
  ]
  assert.deepEqual(issued(taxes, { mode: 'live' }), {
    registrationNumber: 'T1234567890123',
    issuer: '青山茶舗',
    date: '2026-11-22',
    content: '煎茶（一部※）',
    totals: [
      { rate: 10, amount: 1000, tax: 90 },
      { rate: 8, amount: 980, tax: 72 },
    ],
    isSample: false,
  })
})

test('each rate is rounded once, on its total: two goods of ¥13 at 8 % hold a yen that neither holds alone', () => {
  assert.deepEqual(totalsOf([{ rate: 8, amount: 26 }]), [[8, 26, 1]])
  assert.equal(taxContained({ rate: 8, amount: 13 }), 0)
})

test('rates are shown from the highest on, and one without money is left out', () => {
  const taxes: Taxes = [
    { rate: 0, amount: 500 },
    { rate: 8, amount: 0 },
    { rate: 10, amount: 1480 },
  ]
  assert.deepEqual(totalsOf(taxes), [
    [10, 1480, 134],
    [0, 500, 0],
  ])
})

test('the day is the one in Japan, to the last millisecond before midnight and the first after it', () => {
  const paidAt = (text: string): string | undefined => {
    const invoiceIssuer = { registrationNumber: 'T1234567890123', name: '青山茶舗' }
    const state = { status: 'paid', payment: { ...payment, invoiceIssuer, paidAt: Date.parse(text) } } as const
    return invoiceOf(checkoutIn(state, { subject: '茶', taxes: [{ rate: 8, amount: 1980 }] }))?.date
  }
  assert.equal(paidAt('2027-01-01T14:59:59.999Z'), '2027-01-01')
  assert.equal(paidAt('2027-01-01T15:00:00.000Z'), '2027-01-02')
})

test('content at the reduced rate is marked, in part where another rate is beside it, and as the merchant marked it', () => {
  const reduced = { rate: 8, amount: 980 } as const
  const other = { rate: 10, amount: 1000 } as const
  const contentOf = (taxes: Taxes, subject: string): string | undefined => issued(taxes, { subject })?.content
  assert.equal(contentOf([reduced], '煎茶'), '煎茶 ※')
  assert.equal(contentOf([reduced, { ...other, amount: 0 }], '煎茶'), '煎茶 ※')
  assert.equal(contentOf([reduced, other], '煎茶と急須'), '煎茶と急須（一部※）')
  assert.equal(contentOf([reduced, other], '煎茶※と急須'), '煎茶※と急須')
  assert.equal(contentOf([other], '急須'), '急須')
  assert.equal(contentOf([other, { ...reduced, amount: 0 }], '急須'), '急須')
})

test('a test checkout moves no money: what it shows is a sample', () => {
  assert.equal(issued([{ rate: 10, amount: 1980 }], { mode: 'test' })?.isSample, true)
})

test('without taxes, without an issuer, and in every status but paid there is no invoice', () => {
  assert.equal(issued(null), null)
  const taxes: Taxes = [{ rate: 10, amount: 1980 }]
  assert.equal(invoiceOf(checkoutIn(CHECKOUT_STATES.paid, { subject: '茶', taxes })), null)
  const invoiceIssuer = { registrationNumber: 'T1234567890123', name: '青山茶舗' }
  for (const state of Object.values(CHECKOUT_STATES).filter(({ status }) => status !== 'paid')) {
    const withIssuer = 'payment' in state ? { ...state, payment: { ...payment, invoiceIssuer } } : state
    assert.equal(invoiceOf(checkoutIn(withIssuer, { subject: '茶', taxes })), null, state.status)
  }
})
