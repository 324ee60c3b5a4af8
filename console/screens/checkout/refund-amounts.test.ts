import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RefundAnswer } from '#contract/merchant/refunds.ts'
import { readPartRefund, refundableTaxes, refundableYen, wholeRefund } from './refund-amounts.ts'

const refund = (amount: number, more: Partial<RefundAnswer> = {}): RefundAnswer => ({
  refundId: 'r',
  checkoutId: 'c',
  amount,
  status: 'refunded',
  requestedAt: '2026-11-18T00:00:00.000Z',
  ...more,
})

const TAXED = {
  amount: 1980,
  taxes: [
    { rate: 10 as const, amount: 1000 },
    { rate: 8 as const, amount: 980 },
  ],
}

test('what is pending or taken by a dispute cannot be given back once more, what was refused can', () => {
  assert.equal(refundableYen({ amount: 1000 }, []), 1000)
  const refunds = [refund(100), refund(200, { status: 'pending' }), refund(300, { status: 'refused' })]
  assert.equal(refundableYen({ amount: 1000 }, refunds), 700)
  const dispute = (withdrawnAmount: number) => ({
    id: 'd',
    status: 'open' as const,
    amount: 700,
    withdrawnAmount,
    openedAt: '2026-11-18T00:00:00.000Z',
  })
  assert.equal(refundableYen({ amount: 1000, disputes: [dispute(700)] }, refunds), 0)
  assert.equal(refundableYen({ amount: 1000, disputes: [dispute(-5)] }, refunds), 700)
})

test('all that is left is sent as the amount that was shown, by rate where the rates make up the whole', () => {
  assert.deepEqual(wholeRefund({ amount: 700, taxes: [] }), { amount: 700 })
  assert.deepEqual(wholeRefund({ amount: 1980, taxes: TAXED.taxes }), { amount: 1980, taxes: TAXED.taxes })
  assert.deepEqual(wholeRefund({ amount: 900, taxes: TAXED.taxes }), { amount: 900 })
})

test('of a checkout with taxes each rate has its own rest', () => {
  const refunds = [
    refund(980, { taxes: [{ rate: 8, amount: 980 }] }),
    refund(100, { taxes: [{ rate: 10, amount: 100 }] }),
  ]
  assert.deepEqual(refundableTaxes(TAXED, refunds), [{ rate: 10, amount: 900 }])
  assert.deepEqual(refundableTaxes({ amount: 5 }, refunds), [])
})

test('a part is read as people type it, and never more than is left', () => {
  const left = { amount: 1000, taxes: [] }
  assert.deepEqual(readPartRefund(left, ['５００円']), { state: 'amount', amount: 500, body: { amount: 500 } })
  assert.deepEqual(readPartRefund(left, ['']), { state: 'empty' })
  assert.deepEqual(readPartRefund(left, ['half']), { state: 'wrong' })
  assert.deepEqual(readPartRefund(left, ['1,001']), { state: 'too much', left: 1000 })
})

test('with taxes the amounts of the rates are added up and sent by rate', () => {
  const left = { amount: 1980, taxes: TAXED.taxes }
  assert.deepEqual(readPartRefund(left, ['100', '80']), {
    state: 'amount',
    amount: 180,
    body: {
      amount: 180,
      taxes: [
        { rate: 10, amount: 100 },
        { rate: 8, amount: 80 },
      ],
    },
  })
  assert.deepEqual(readPartRefund(left, ['', '80']), {
    state: 'amount',
    amount: 80,
    body: { amount: 80, taxes: [{ rate: 8, amount: 80 }] },
  })
  assert.deepEqual(readPartRefund(left, ['', '981']), { state: 'too much', left: 980 })
})
