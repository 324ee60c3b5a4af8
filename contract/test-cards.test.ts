import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brandOfNumber, CARD_BRANDS } from './brands.ts'
import { checkCardNumber, passesLuhn } from './card.ts'
import { isTestNumber, SANDBOX_CARD_NUMBERS, TEST_CARD_NUMBERS } from './test-cards.ts'

const published = [...TEST_CARD_NUMBERS, ...SANDBOX_CARD_NUMBERS]

test('test mode knows exactly the four numbers of the specification', () => {
  assert.deepEqual(TEST_CARD_NUMBERS, ['4242424242424242', '4111111111111111', '5555555555554444', '5105105105105100'])
})

test('every published number could be typed into the form: it has 14 to 16 digits, passes Luhn and has a brand', () => {
  assert.ok(SANDBOX_CARD_NUMBERS.length > 0)
  for (const digits of published) {
    assert.match(digits, /^\d{14,16}$/)
    assert.equal(passesLuhn(digits), true, digits)
    assert.equal(checkCardNumber(digits, 'live').is, 'ok', digits)
    assert.notEqual(brandOfNumber(digits), undefined, digits)
  }
})

test('no number is published twice, and each of the six brands can be tried', () => {
  assert.equal(new Set(published).size, published.length)
  assert.deepEqual(new Set(published.map(brandOfNumber)), new Set(CARD_BRANDS))
})

test('a number is a test number when it is published, and only in full', () => {
  for (const digits of published) assert.equal(isTestNumber(digits), true, digits)
  for (const digits of ['4012888888881881', '4242424242424241', '424242424242424', '42424242424242420', '', ' '])
    assert.equal(isTestNumber(digits), false, digits)
})
