import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Check } from 'typebox/value'
import { passesLuhn } from '#contract/card.ts'
import { TEST_CARD_NUMBERS } from '#contract/test-cards.ts'
import { CardPayload } from '#contract/three-ds.ts'
import { cardPayload, EMPTY_VALUES, FIELD_ORDER, validateCardForm, type CardFormValues } from './fields.ts'

/** One minute into December 2026 in Japan, still November in London. */
const NOW = Date.parse('2026-12-01T00:01:00+09:00')

const GOOD: CardFormValues = {
  cardNumber: '4242424242424242',
  cardHolderName: 'TARO YAMADA',
  expiryDate: '1226',
  cvc: '123',
  email: 'taro@example.com',
}

const OTHER_NUMBER = '4100000000000100'

test('a valid card has no problem, and in an empty form every field is required', () => {
  assert.deepEqual(validateCardForm(GOOD, 'live', NOW), {})
  assert.deepEqual(validateCardForm(EMPTY_VALUES, 'live', NOW), {
    cardNumber: 'required',
    expiryDate: 'required',
    cvc: 'required',
    cardHolderName: 'required',
    email: 'required',
  })
})

test('an invalid value is a problem of its own field and of no other', () => {
  const wrong: Record<keyof CardFormValues, readonly (readonly [string, string])[]> = {
    cardNumber: [
      ['4242424242424', 'cardPattern'],
      ['42424242424242424', 'cardPattern'],
      ['4242424242424241', 'invalidCard'],
    ],
    expiryDate: [
      ['122', 'expiry'],
      ['1126', 'expiry'],
      ['1225', 'expiry'],
      ['0027', 'expiry'],
      ['1327', 'expiry'],
      ['12203', 'expiry'],
      ['121926', 'expiry'],
    ],
    cvc: [
      ['12', 'cvc'],
      ['12345', 'cvc'],
    ],
    cardHolderName: [
      ['   ', 'required'],
      ['T', 'holder'],
      ['T'.repeat(46), 'holder'],
      ['TARŌ YAMADA', 'holder'],
      ["O'HARA", 'holder'],
    ],
    email: [
      ['   ', 'required'],
      ['taro', 'email'],
      ['taro@example', 'email'],
      [`${'t'.repeat(65)}@example.com`, 'email'],
    ],
  }
  for (const field of FIELD_ORDER) {
    for (const [value, problem] of wrong[field]) {
      assert.deepEqual(
        validateCardForm({ ...GOOD, [field]: value }, 'live', NOW),
        { [field]: problem },
        `${field} ${value}`,
      )
    }
  }
})

test('the limits of every range are valid', () => {
  const good: readonly Partial<CardFormValues>[] = [
    { cardNumber: '36000000000008' },
    { cardNumber: '340000000000108' },
    { expiryDate: '122026' },
    { expiryDate: '0127' },
    { expiryDate: '1299' },
    { cvc: '1234' },
    { cardHolderName: 'Ty' },
    { cardHolderName: 'T'.repeat(45) },
    { email: `${'t'.repeat(64)}@example.com` },
    { email: '  taro@example.com ' },
  ]
  for (const values of good)
    assert.deepEqual(validateCardForm({ ...GOOD, ...values }, 'live', NOW), {}, JSON.stringify(values))
})

test('a card is valid until its month has ended in Japan', () => {
  const lastMoment = Date.parse('2026-12-31T23:59:59.999+09:00')
  assert.deepEqual(validateCardForm(GOOD, 'live', lastMoment), {})
  assert.deepEqual(validateCardForm(GOOD, 'live', lastMoment + 1), { expiryDate: 'expiry' })
})

test('test mode accepts the four test numbers only; live mode has no list', () => {
  assert.equal(TEST_CARD_NUMBERS.length, 4)
  for (const cardNumber of TEST_CARD_NUMBERS)
    assert.deepEqual(validateCardForm({ ...GOOD, cardNumber }, 'test', NOW), {})
  const other = { ...GOOD, cardNumber: OTHER_NUMBER }
  assert.deepEqual(validateCardForm(other, 'live', NOW), {})
  assert.deepEqual(validateCardForm(other, 'test', NOW), { cardNumber: 'notATestCard' })
})

test('the first invalid field is found in the order of the fields on the page', () => {
  assert.deepEqual(FIELD_ORDER, ['cardNumber', 'expiryDate', 'cvc', 'cardHolderName', 'email'])
  assert.deepEqual(FIELD_ORDER.toSorted(), Object.keys(EMPTY_VALUES).toSorted())
})

test('the card that is sent has the year as 20 and the two entered digits', () => {
  const sent = {
    number: '4242424242424242',
    expiryMonth: 12,
    expiryYear: 2026,
    cvc: '123',
    email: 'taro@example.com',
    name: 'TARO YAMADA',
  }
  assert.deepEqual(cardPayload(GOOD), sent)
  assert.deepEqual(cardPayload({ ...GOOD, expiryDate: '122026' }), sent)
  assert.deepEqual(cardPayload({ ...GOOD, expiryDate: '0199' }), { ...sent, expiryMonth: 1, expiryYear: 2099 })
  assert.deepEqual(cardPayload({ ...GOOD, expiryDate: '0100' }), { ...sent, expiryMonth: 1, expiryYear: 2000 })
  assert.deepEqual(cardPayload({ ...GOOD, email: ' taro@example.com ' }), sent)
})

test('no card is sent while its expiry cannot be parsed', () => {
  for (const expiryDate of ['', '1', '12', '122', '12203', '121926', '122126', '1220260', '12 / 26']) {
    assert.equal(cardPayload({ ...GOOD, expiryDate }), undefined, expiryDate)
  }
})

const DIGITS = '0123456789'.split('')

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...DIGITS), minLength, maxLength })

/** Numbers of a length at the edges, with a last digit that makes the checksum good. */
const numbers = digits(12, 16).map((start) => {
  const last = DIGITS.find((digit) => passesLuhn(start + digit)) ?? ''
  return start + last
})

const mostly = (good: fc.Arbitrary<string>, any: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 4, arbitrary: good }, { weight: 1, arbitrary: any })

const letters = 'azAZ09 é'.split('')

const forms = fc.record({
  cardNumber: numbers,
  cardHolderName: mostly(
    fc.string({ unit: fc.constantFrom(...letters.slice(0, -1)), minLength: 2, maxLength: 45 }),
    fc.string({ unit: fc.constantFrom(...letters), maxLength: 47 }),
  ),
  expiryDate: mostly(
    fc.integer({ min: 0, max: 13 }).map((month) => `${String(month).padStart(2, '0')}30`),
    digits(3, 7),
  ),
  cvc: mostly(digits(3, 4), digits(2, 5)),
  email: mostly(
    fc.tuple(fc.emailAddress(), fc.constantFrom('', ' ')).map(([address, space]) => space + address + space),
    fc.string(),
  ),
})

test('a form without a problem always makes a card that the server accepts', () => {
  let sent = 0
  fc.assert(
    fc.property(forms, (values) => {
      if (Object.keys(validateCardForm(values, 'live', NOW)).length > 0) return
      sent += 1
      const card = cardPayload(values)
      assert.ok(Check(CardPayload, card), JSON.stringify(card))
    }),
    { numRuns: 2000 },
  )
  assert.ok(sent > 200, `only ${sent} of the forms were good`)
})
