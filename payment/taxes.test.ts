import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal, type Refusal } from '#contract/errors.ts'
import { taxesByRate, type Taxes } from '#contract/invoice-figures.ts'
import { isSameTaxes, refuseTaxes, taxesOfRefund } from './taxes.ts'

const at8 = (amount: number) => ({ rate: 8, amount }) as const
const at10 = (amount: number) => ({ rate: 10, amount }) as const
const at0 = (amount: number) => ({ rate: 0, amount }) as const

const reasonOf = (result: Taxes | Refusal | null | undefined): string => {
  if (result === null || result === undefined || !isRefusal(result)) assert.fail('it was accepted')
  assert.deepEqual([result.refused, result.params], ['invalid_field', { field: 'taxes' }])
  return result.message ?? ''
}

test('taxes add up to the amount, to the yen', () => {
  assert.equal(refuseTaxes([at8(980), at10(1000)], 1980), undefined)
  assert.equal(refuseTaxes([at8(0), at10(1980), at0(0)], 1980), undefined)
  for (const amount of [1979, 1981]) assert.match(reasonOf(refuseTaxes([at8(980), at10(1000)], amount)), /add up/)
})

test('a rate is named at most once, also without an amount', () => {
  assert.match(reasonOf(refuseTaxes([at8(980), at8(1000)], 1980)), /twice/)
  assert.match(reasonOf(refuseTaxes([at8(0), at8(1980)], 1980)), /twice/)
})

test('in the order of the rates, taxes are the same whatever order and empty rates they were sent with', () => {
  assert.deepEqual(taxesByRate([at0(1), at8(0), at10(3)]), [at10(3), at0(1)])
  assert.ok(isSameTaxes([at8(1), at10(2)], [at10(2), at8(1), at0(0)]))
  assert.ok(!isSameTaxes([at8(1), at10(2)], [at8(2), at10(1)]))
})

const taxes = [at8(980), at10(1000)]
const refundOf = (amountYen: number, asked: Taxes | null = null, givenBack: readonly Taxes[] = []) =>
  taxesOfRefund({ taxes, givenBack, amountYen, asked })

test('a refund of a checkout without taxes has none, and may say none', () => {
  const none = { taxes: null, givenBack: [], amountYen: 1980 }
  assert.equal(taxesOfRefund({ ...none, asked: null }), null)
  assert.match(reasonOf(taxesOfRefund({ ...none, asked: [at8(1980)] })), /created without taxes/)
})

test('a refund of all that is left takes what is left of each rate', () => {
  assert.deepEqual(refundOf(1980), [at10(1000), at8(980)])
  assert.deepEqual(refundOf(1780, null, [[at8(150)], [at8(50)]]), [at10(1000), at8(780)])
  assert.deepEqual(refundOf(1000, null, [[at8(980)]]), [at10(1000)])
})

test('a part needs no taxes where one rate is left, and is not guessed where several are', () => {
  assert.deepEqual(refundOf(400, null, [[at8(980)]]), [at10(400)])
  assert.match(reasonOf(refundOf(400)), /is missing/)
  assert.deepEqual(taxesOfRefund({ taxes: [at8(1980), at10(0)], givenBack: [], amountYen: 1, asked: null }), [at8(1)])
})

test('a part divides as it is said, up to what is left of each rate and not a yen more', () => {
  assert.deepEqual(refundOf(1980, taxes), taxes)
  assert.deepEqual(refundOf(780, [at8(780)], [[at8(200)]]), [at8(780)])
  assert.match(reasonOf(refundOf(781, [at8(781)], [[at8(200)]])), /more at 8 % than is left at that rate: 780 yen/)
  assert.match(reasonOf(refundOf(1, [at0(1)])), /more at 0 % than is left at that rate: 0 yen/)
})

test('the taxes of a refund add up to its amount, and name no rate twice', () => {
  assert.match(reasonOf(refundOf(400, [at8(399)])), /add up/)
  assert.match(reasonOf(refundOf(400, [at8(200), at8(200)])), /twice/)
})
