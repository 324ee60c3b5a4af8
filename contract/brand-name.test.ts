import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CARD_BRANDS, type CardBrand } from './brands.ts'
import { brandName } from './brand-name.ts'

test('every known brand has its own name', () => {
  const names: Record<CardBrand, string> = {
    visa: 'Visa',
    master: 'Mastercard',
    jcb: 'JCB',
    amex: 'American Express',
    diners: 'Diners Club',
    discover: 'Discover',
  }
  for (const brand of CARD_BRANDS) assert.equal(brandName(brand), names[brand])
})

test('an unknown brand has the name that the server gives it', () => {
  for (const brand of ['unionpay', '', 'Visa', 'constructor', 'toString', '__proto__'])
    assert.equal(brandName(brand), brand)
})
