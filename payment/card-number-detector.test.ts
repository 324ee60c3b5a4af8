import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { passesLuhn } from '#contract/card.ts'
import { SANDBOX_CARD_NUMBERS, TEST_CARD_NUMBERS } from '#contract/test-cards.ts'
import { holdsCardNumber, holdsDigitRun, holdsEmbossedNumber, looksLikeSecurityCode } from './card-number-detector.ts'

const RUNS = { numRuns: 1000 }

const digits = (count: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: count, maxLength: count }).map((all) => all.join(''))
const padded = (min: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((value) => String(value).padStart(String(max).length, '0'))
const joined = (between: string, ...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((all) => all.join(between))

const day = joined('', padded(22, 29), padded(1, 12), padded(1, 28))
const time = joined('', padded(0, 23), padded(0, 59), padded(0, 59))
const price = fc.integer({ min: 100, max: 99_999 }).map((yen) => `¥${yen.toLocaleString('en-US')}`)
const bill = (between: string): fc.Arbitrary<string> =>
  fc.array(price, { minLength: 4, maxLength: 12 }).map((prices) => prices.join(between))
const isoDay = joined('-', padded(2022, 2029), padded(1, 12), padded(1, 28))

/** Texts that shops write: by Luhn and brand prefix alone, between 1 in 10 and 1 in 50 of them would be card numbers. */
const HARMLESS_TEXTS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'an order number with its day': joined('', fc.constant('Order '), day, digits(10)),
  'an order number in three groups': joined('-', day, time, digits(4)),
  'an order number with its full year': joined('', fc.constant('20'), day, digits(8)),
  'any 16 digits': digits(16),
  'any 15 digits': digits(15),
  'any 14 digits': digits(14),
  'prices, one to a line': bill('\n'),
  'prices in a row': bill(' '),
  'bare prices, one to a line': bill('\n').map((text) => text.replaceAll(/[¥,]/g, '')),
  'prices and days': fc
    .array(joined(' ', isoDay, price), { minLength: 2, maxLength: 6 })
    .map((lines) => lines.join('\n')),
  'telephone numbers': fc
    .array(
      fc.oneof(
        joined('-', fc.constant('090'), digits(4), digits(4)),
        joined(' ', fc.constant('+81 3'), digits(4), digits(4)),
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((numbers) => numbers.join(' ')),
  'a serial number of twenty digits in fours': joined('-', digits(4), digits(4), digits(4), digits(4), digits(4)),
}

for (const [what, texts] of Object.entries(HARMLESS_TEXTS)) {
  test(`no shop is refused for ${what}`, () => {
    fc.assert(
      fc.property(texts, (text) => !holdsEmbossedNumber(text)),
      RUNS,
    )
  })
}

test('prices, days and telephone numbers are no card numbers in what a shopper types either', () => {
  for (const what of ['prices, one to a line', 'prices in a row', 'prices and days', 'telephone numbers'])
    fc.assert(
      fc.property(HARMLESS_TEXTS[what] ?? fc.constant(''), (text) => !holdsCardNumber(text)),
      RUNS,
    )
})

const PREFIXES = [
  ['4', 16],
  ['52', 16],
  ['2221', 16],
  ['2720', 16],
  ['3530', 16],
  ['37', 15],
  ['36', 14],
  ['36', 16],
  ['6011', 16],
] as const
const issued = fc
  .constantFrom(...PREFIXES)
  .chain(([prefix, length]) => digits(length - prefix.length - 1).map((rest) => prefix + rest))
  .map((most) => most + ([...'0123456789'].find((last) => passesLuhn(most + last)) ?? ''))
const anyCard = fc.oneof(issued, fc.constantFrom(...TEST_CARD_NUMBERS, ...SANDBOX_CARD_NUMBERS))

const inFours = (number: string, between: string): string => number.replaceAll(/(\d{4})(?=\d)/g, `$1${between}`)
/** 4-6-5 and 4-6-4 are how American Express and Diners Club print theirs. */
const printed = (number: string, between: string): string =>
  number.length === 16 ? inFours(number, between) : number.replace(/^(.{4})(.{6})/, `$1${between}$2${between}`)
const inScript = (zero: string) => (number: string) =>
  number.replaceAll(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)))

const SEPARATORS = [' ', '-', '.', '\u00a0', '\u3000', '–', '－']
const SCRIPTS = ['０', '٠', '۰', '๐', '०', '𝟎', '𝟘']

test('a card number is refused in a name or an address, bare or as people write it, in any script', () => {
  const around = fc.constantFrom(['', ''], ['TARO ', ''], ['', '@example.com'], ['12 ', ' 12 27'], ['TARO', 'YAMADA'])
  fc.assert(
    fc.property(
      anyCard,
      around,
      fc.constantFrom(...SEPARATORS, '_', '/', ' - '),
      (number, [before, after], between) => {
        const forms = [number, inFours(number, between), printed(number, between), Array.from(number).join(between)]
        for (const form of forms) assert.ok(holdsCardNumber(`${before}${form}${after}`), `${before}${form}${after}`)
        for (const zero of SCRIPTS) assert.ok(holdsCardNumber(inScript(zero)(inFours(number, between))), zero)
      },
    ),
    { numRuns: 200 },
  )
})

test('a card number in groups as on the card is refused in what a shop writes', () => {
  const around = fc.constantFrom(
    ['', ''],
    ['by telephone: ', ', 12/27, 737'],
    ['tel. 090-1234-5678 ', ''],
    ['No. 12 ', ' 12 27 737'],
    ['カード', '有効期限'],
  )
  fc.assert(
    fc.property(anyCard, around, fc.constantFrom(...SEPARATORS), (number, [before, after], between) => {
      for (const form of [inFours(number, between), printed(number, between)]) {
        assert.ok(holdsEmbossedNumber(`${before}${form}${after}`), `${before}${form}${after}`)
        assert.ok(holdsEmbossedNumber(inScript('０')(form)))
      }
      assert.ok(!holdsEmbossedNumber(`${before}${number}${after}`), 'a bare number is the shop’s own')
    }),
    { numRuns: 200 },
  )
})

test('digits in other groups, with different signs between them, or across lines are no card number', () => {
  const others = [
    '4012 8888-8888 1881',
    '4012\n8888\n8888\n1881',
    '4012\u20288888\u20288888\u20281881',
    '¥4012 ¥8888 ¥8888 ¥1881',
    '40128888 88881881',
    '401288 8888 881881',
    '14012 8888 8888 1881',
    '4012 8888 8888 18811',
    '4012 8888 8888 1882',
    '9000 0000 0000 0001',
    '4012x8888x8888x1881',
  ]
  for (const text of others) {
    assert.ok(!holdsCardNumber(text), text)
    assert.ok(!holdsEmbossedNumber(text), text)
  }
  for (const text of ['4 0 1 2 8 8 8 8 8 8 8 8 1 8 8 1', '4012, 8888, 8888, 1881', '4012_8888_8888_1881'])
    assert.deepEqual([holdsCardNumber(text), holdsEmbossedNumber(text)], [true, false], text)
})

test('more than four groups of four digits are a list and no card number; with a shorter group next to it a card number is found', () => {
  for (const text of ['1234 4012 8888 8888 1881', '4012-8888-8888-1881-1234', '1234.5678.4012.8888.8888.1881'])
    assert.ok(!holdsEmbossedNumber(text), text)
  for (const text of ['123 4012 8888 8888 1881', '4012-8888-8888-1881-123', '1234-5678 4012 8888 8888 1881'])
    assert.ok(holdsEmbossedNumber(text), text)
})

test('three or four digits alone look like a security code', () => {
  for (const text of ['737', '0207', ' 737 ', '７３７']) assert.ok(looksLikeSecurityCode(text), text)
  for (const text of ['', '73', '73777', 'x737', 'sku_1001', '7 37']) assert.ok(!looksLikeSecurityCode(text), text)
})

test('thirteen digits near each other are a run, twelve are none, and letters between them end it', () => {
  for (const text of ['1234567890123', 'x1234 5678--9012 3y', '1,2,3,4,5,6,7,8,9,0,1,2,3'])
    assert.ok(holdsDigitRun(text), text)
  for (const text of ['123456789012', '123456a7890123', '123456----7890123', 'eyJ3Ijo4NDR9', ''])
    assert.ok(!holdsDigitRun(text), text)
})
