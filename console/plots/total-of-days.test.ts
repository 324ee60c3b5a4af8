import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FiguresAnswer } from '#contract/merchant/figures.ts'
import { countedSince, totalOfDays } from './total-of-days.ts'

const QUIET = {
  charges: 0,
  chargedAmount: 0,
  refunds: 0,
  refundedAmount: 0,
  chargebacks: 0,
  chargebackAmount: 0,
  chargebackReversals: 0,
  reversedAmount: 0,
  netAmount: 0,
  checkouts: { begun: 0, paid: 0, declined: 0, authenticationFailed: 0, givenUp: 0, inDoubt: 0 },
  cardBrands: [],
}

test('several days are added up: money, begun payments and card brands', () => {
  const days: FiguresAnswer['days'] = [
    { ...QUIET, date: '2026-11-16' },
    {
      ...QUIET,
      date: '2026-11-17',
      charges: 2,
      chargedAmount: 300,
      netAmount: 300,
      checkouts: { ...QUIET.checkouts, begun: 3, paid: 2, declined: 1 },
      cardBrands: [{ cardBrand: 'visa', charges: 2, chargedAmount: 300 }],
    },
    {
      ...QUIET,
      date: '2026-11-18',
      charges: 2,
      chargedAmount: 70,
      refunds: 1,
      refundedAmount: 300,
      chargebacks: 1,
      chargebackAmount: 50,
      chargebackReversals: 1,
      reversedAmount: 20,
      netAmount: -260,
      checkouts: { ...QUIET.checkouts, begun: 3, paid: 2, inDoubt: 1 },
      cardBrands: [
        { cardBrand: 'visa', charges: 1, chargedAmount: 50 },
        { cardBrand: 'jcb', charges: 1, chargedAmount: 20 },
      ],
    },
  ]
  const { checkouts, cardBrands, ...money } = totalOfDays(days)
  const { chargedAmount, refundedAmount, disputedAmount, netAmount } = money
  assert.deepEqual(money, {
    charges: 4,
    chargedAmount: 370,
    refunds: 1,
    refundedAmount: 300,
    disputedAmount: 30,
    netAmount: 40,
  })
  assert.equal(netAmount, chargedAmount - refundedAmount - disputedAmount, 'what is shown adds up')
  assert.deepEqual(checkouts, { begun: 6, paid: 4, declined: 1, authenticationFailed: 0, givenUp: 0, inDoubt: 1 })
  assert.deepEqual(cardBrands, [
    { cardBrand: 'visa', charges: 3, chargedAmount: 350 },
    { cardBrand: 'jcb', charges: 1, chargedAmount: 20 },
  ])
  assert.equal(totalOfDays([]).netAmount, 0)
})

test('figures are as of the open day that was counted first, also yesterday after midnight; without one they are of now', () => {
  const at = (minute: number): string => `2026-11-17T15:0${minute}:00.000Z`
  const [closed, yesterday, today] = ['2026-11-16', '2026-11-17', '2026-11-18'].map((date) => ({ ...QUIET, date }))
  assert.ok(closed && yesterday && today)
  assert.equal(countedSince([closed, { ...yesterday, countedAt: at(4) }, today]), at(4))
  assert.equal(
    countedSince([
      { ...yesterday, countedAt: at(4) },
      { ...today, countedAt: at(3) },
    ]),
    at(3),
  )
  assert.equal(countedSince([closed, yesterday, today]), undefined)
})
