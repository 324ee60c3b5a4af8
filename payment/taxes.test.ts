import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Refusal } from '#contract/errors.ts'
import { isSameSplit, refuseRefundTaxes, refuseTaxes } from './taxes.ts'

const split = [
  { rate: 10, amount: 60 },
  { rate: 8, amount: 40 },
] as const
const fieldOf = (refusal: Refusal | undefined): unknown => refusal?.params?.['field']

test('taxes of a checkout name each rate once, add up to the amount, and need a subject', () => {
  const subject = 'Tea'
  assert.equal(refuseTaxes(undefined, { amount: 100 }), undefined)
  assert.equal(refuseTaxes(split, { amount: 100, subject }), undefined)
  assert.equal(fieldOf(refuseTaxes(split, { amount: 100 })), 'subject')
  assert.equal(fieldOf(refuseTaxes(split, { amount: 100, subject: ' ' })), 'subject')
  assert.equal(fieldOf(refuseTaxes(split, { amount: 99, subject })), 'taxes')
  assert.equal(fieldOf(refuseTaxes(split, { amount: 101, subject })), 'taxes')
  const twice = [
    { rate: 10, amount: 60 },
    { rate: 10, amount: 40 },
  ] as const
  assert.equal(fieldOf(refuseTaxes(twice, { amount: 100, subject })), 'taxes')
})

test('a refund gives back at no rate more than is left of it', () => {
  const at10 = (amount: number) => [{ rate: 10, amount }] as const
  assert.equal(refuseRefundTaxes(at10(60), 60, split, []), undefined)
  assert.equal(fieldOf(refuseRefundTaxes(at10(61), 61, split, [])), 'taxes')
  assert.equal(refuseRefundTaxes(at10(20), 20, split, [at10(40)]), undefined)
  assert.match(refuseRefundTaxes(at10(21), 21, split, [at10(40)])?.message ?? '', /10 % than the 20 yen/)
  assert.equal(fieldOf(refuseRefundTaxes([{ rate: 0, amount: 1 }], 1, split, [])), 'taxes')
  assert.equal(fieldOf(refuseRefundTaxes(at10(10), 11, split, [])), 'taxes')
  assert.equal(fieldOf(refuseRefundTaxes(at10(10), 10, null, [])), 'taxes')
})

test('two splits are the same in any order, and different by rate, amount or number', () => {
  assert.equal(isSameSplit(split, split.toReversed()), true)
  assert.equal(isSameSplit(split, split.slice(1)), false)
  assert.equal(isSameSplit(split, [split[0], { rate: 8, amount: 41 }]), false)
  assert.equal(isSameSplit(split, [split[0], { rate: 0, amount: 40 }]), false)
})
