import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  checkCardNumber,
  checkCvc,
  digitsOf,
  checkEmail,
  checkExpiry,
  foldFullWidth,
  groupCardNumber,
  groupExpiry,
  checkHolder,
  isExpiryAhead,
  parseExpiry,
  passesLuhn,
  problemOf,
  type FieldCheck,
  type FieldProblem,
} from './card.ts'
import { SANDBOX_CARD_NUMBERS, TEST_CARD_NUMBERS } from './test-cards.ts'

/** ISO/IEC 7812-1, annex B, from the left and by the digits of the doubled digit: unlike the code under test. */
const luhnOracle = (digits: string): boolean => {
  const doubledFirst = digits.length % 2 === 0
  const written = Array.from(digits, (digit, place) =>
    (place % 2 === 0) === doubledFirst ? String(Number(digit) * 2) : digit,
  )
  const sum = Array.from(written.join('')).reduce((total, digit) => total + Number(digit), 0)
  return sum % 10 === 0
}

const withCheckDigit = (payload: string): string => {
  const check = Array.from('0123456789').find((digit) => luhnOracle(payload + digit))
  assert.ok(check !== undefined)
  return payload + check
}

const digitString = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength, maxLength }).map((digits) => digits.join(''))

const check = (rule: (text: string) => FieldCheck, texts: readonly string[], expected?: FieldProblem) => {
  for (const text of texts) assert.equal(problemOf(rule(text)), expected, JSON.stringify(text))
}

test('the Luhn check agrees with its definition on every string of digits', () => {
  fc.assert(
    fc.property(digitString(1, 19), (digits) => assert.equal(passesLuhn(digits), luhnOracle(digits))),
    { numRuns: 1000 },
  )
  assert.equal(passesLuhn(''), false)
  for (const digits of ['0', '18', '59', '79927398713', '4012888888881881']) assert.equal(passesLuhn(digits), true)
})

test('one wrong digit in a card number is always noticed', () => {
  const slip = fc.tuple(digitString(13, 15), fc.nat(), fc.integer({ min: 1, max: 9 }))
  fc.assert(
    fc.property(slip, ([payload, where, by]) => {
      const digits = withCheckDigit(payload)
      assert.equal(passesLuhn(digits), true)
      const place = where % digits.length
      const wrong = (Number(digits[place]) + by) % 10
      assert.equal(passesLuhn(digits.slice(0, place) + wrong + digits.slice(place + 1)), false)
    }),
  )
})

const ofLength = (length: number): string => withCheckDigit('4'.repeat(length - 1))
const inLiveMode = (text: string) => checkCardNumber(text, 'live')
const inTestMode = (text: string) => checkCardNumber(text, 'test')

test('a card number has 14 to 16 digits and passes the Luhn check', () => {
  check(inLiveMode, [14, 15, 16].map(ofLength))
  check(inLiveMode, [1, 13, 17, 19].map(ofLength), 'cardPattern')
  check(inLiveMode, [''], 'required')
  check(inLiveMode, ['4242 4242 4242 4242', '424242424242424a', '４２４２４２４２４２４２４２４２', ' '], 'cardPattern')
  check(inLiveMode, ['4242424242424241', '4111111111111112', '36000000000009'], 'invalidCard')
})

test('test mode accepts its four numbers and refuses every other well-formed number as no test card', () => {
  check(inTestMode, TEST_CARD_NUMBERS)
  check(inTestMode, [...SANDBOX_CARD_NUMBERS, '4012888888881881'], 'notATestCard')
  check(inTestMode, ['4242424242424241'], 'invalidCard')
  check(inTestMode, ['4242'], 'cardPattern')
  check(inTestMode, [''], 'required')
  for (const digits of [...TEST_CARD_NUMBERS, ...SANDBOX_CARD_NUMBERS])
    assert.equal(problemOf(checkCardNumber(digits, 'live')), undefined, digits)
})

const at = (text: string): number => Date.parse(text)
const november = at('2026-11-22T12:00:00+09:00')
const inNovember = (text: string) => checkExpiry(text, november)
const ahead = (month: number, year: number): boolean => isExpiryAhead({ month, year }, november)

test('a card is good to the last millisecond of its month in Japan', () => {
  const lastOfNovember = at('2026-11-30T23:59:59.999+09:00')
  assert.equal(problemOf(checkExpiry('1126', lastOfNovember)), undefined)
  assert.equal(problemOf(checkExpiry('1126', lastOfNovember + 1)), 'expiry')
  assert.equal(problemOf(checkExpiry('1226', lastOfNovember + 1)), undefined)
  assert.equal(problemOf(checkExpiry('1126', at('2026-11-30T14:59:59.999Z'))), undefined)
  assert.equal(problemOf(checkExpiry('1126', at('2026-11-30T15:00:00Z'))), 'expiry')
  const leapDay = at('2028-02-29T23:59:59.999+09:00')
  assert.equal(problemOf(checkExpiry('0228', leapDay)), undefined)
  assert.equal(problemOf(checkExpiry('0228', leapDay + 1)), 'expiry')
})

test('at the end of the year in Japan the old year is over, also for December', () => {
  const lastOfYear = at('2026-12-31T23:59:59.999+09:00')
  assert.equal(problemOf(checkExpiry('1226', lastOfYear)), undefined)
  assert.equal(problemOf(checkExpiry('1126', lastOfYear)), 'expiry')
  for (const past of ['1226', '122026']) assert.equal(problemOf(checkExpiry(past, lastOfYear + 1)), 'expiry', past)
  for (const soon of ['0127', '012027']) assert.equal(problemOf(checkExpiry(soon, lastOfYear + 1)), undefined, soon)
})

test('an expiry is four digits MMYY or six digits MM20YY with a month from 1 to 12', () => {
  check(inNovember, ['1126', '1226', '0127', '1299', '112026', '012027', '122099'])
  check(inNovember, [''], 'required')
  check(inNovember, ['1', '11', '112', '11202', '1120266', '11 / 26', '11/26', 'ab26'], 'expiry')
  check(inNovember, ['0027', '002027', '1327', '132027', '9927'], 'expiry')
  check(inNovember, ['1026', '102026', '1225', '1200', '111926', '112126', '121999'], 'expiry')
  assert.deepEqual(parseExpiry('0127'), { month: 1, year: 2027 })
  assert.deepEqual(parseExpiry('122099'), { month: 12, year: 2099 })
  assert.equal(parseExpiry('11202'), undefined)
})

test('an expiry lies in this month or later, and not after the year 2100', () => {
  assert.deepEqual([ahead(10, 2026), ahead(11, 2026), ahead(12, 2026)], [false, true, true])
  assert.deepEqual([ahead(0, 2027), ahead(1, 2027), ahead(12, 2027), ahead(13, 2027)], [false, true, true, false])
  assert.deepEqual([ahead(12, 2025), ahead(1, 2100), ahead(12, 2100), ahead(1, 2101)], [false, true, true, false])
})

test('a security code has 3 or 4 digits', () => {
  check(checkCvc, ['000', '123', '1234'])
  check(checkCvc, ['1', '12', '12345', '12a', '１２３', ' 123'], 'cvc')
  check(checkCvc, [''], 'required')
})

test('a card holder name has 2 to 45 letters a-z, digits and spaces', () => {
  check(checkHolder, ['Ab', 'TARO YAMADA', 'taro yamada 3', '42', 'a'.repeat(45), `A ${'b'.repeat(43)}`])
  check(
    checkHolder,
    ['A', 'a'.repeat(46), 'O’Brien', "O'Brien", 'YAMADA-SATO', 'José', '山田太郎', 'ＴＡＲＯ'],
    'holder',
  )
  check(checkHolder, ['TARO\tYAMADA', 'TARO\n', 'TARO　YAMADA', 'TARO.', '\u212Aelvin', 'la\u017Ft'], 'holder')
  check(checkHolder, ['', ' ', '  ', '\u3000'], 'required')
})

/** No label of the domain is ever too long, so that nothing but the lengths in question can be wrong. */
const addressOf = (local: number, total: number): string => {
  const domain = `${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(30)}.`
  return `${'a'.repeat(local)}@${domain}${'g'.repeat(total - local - 1 - domain.length - 4)}.com`
}

test('an e-mail address has at most 254 characters, of them at most 64 before the @', () => {
  assert.deepEqual([addressOf(64, 254).length, addressOf(64, 255).length], [254, 255])
  check(checkEmail, [addressOf(64, 253), addressOf(64, 254), addressOf(63, 254), `${'a'.repeat(64)}@example.com`])
  check(
    checkEmail,
    [addressOf(64, 255), addressOf(60, 255), `${'a'.repeat(65)}@example.com`, addressOf(65, 254)],
    'email',
  )
})

test('an old address of a Japanese carrier may have its dots before the @ or side by side', () => {
  check(checkEmail, ['taro.@docomo.ne.jp', 'ta..ro@ezweb.ne.jp', '.taro@example.com', 'ta..r.o.@softbank.ne.jp'])
})

test('an e-mail address is what a mail server would take', () => {
  check(checkEmail, ['a@b.jp', 'taro.yamada+shop@example.co.jp', "o'brien@example.com", 'A_B-c@EXAMPLE.COM', '1@2.jp'])
  check(checkEmail, ['taro@xn--r8jz45g.xn--zckzah', `a@${'d'.repeat(63)}.com`])
  check(checkEmail, ['', '  ', '\u3000'], 'required')
  check(
    checkEmail,
    ['taro', '@example.com', 'taro@', 'taro@example', 'a@b@example.com', 'taro@.com', 'a@b..jp'],
    'email',
  )
  check(checkEmail, ['ta ro@example.com', 'ta"ro@example.com', 'taro@example..com'], 'email')
  check(checkEmail, ['taro@-a.com', 'taro@a-.com', `a@${'d'.repeat(64)}.com`, 'a@b.c', 'a@127.0.0.1'], 'email')
  check(checkEmail, [' a@b.jp', 'a@b.jp ', 'a@b.jp\n', 'a@b.jp\r\nBcc: c@d.jp', '太郎@example.com', 'ａ@b.jp'], 'email')
})

test('full-width letters, digits, signs and spaces become the ASCII that a card network knows', () => {
  assert.equal(foldFullWidth('ＴＡＲＯ　ＹＡＭＡＤＡ　３'), 'TARO YAMADA 3')
  assert.equal(foldFullWidth('ｔａｒｏ＠ｅｘａｍｐｌｅ．ｊｐ'), 'taro@example.jp')
  assert.equal(foldFullWidth('\uFF01\uFF5E'), '!~')
  assert.equal(foldFullWidth('\uFF00\uFF5F山田ｱ Az09~'), '\uFF00\uFF5F山田ｱ Az09~')
  const ascii = Array.from({ length: 94 }, (_, place) => String.fromCharCode(0x21 + place)).join('')
  const fullWidth = Array.from({ length: 94 }, (_, place) => String.fromCharCode(0xff01 + place)).join('')
  assert.equal(foldFullWidth(fullWidth), ascii)
})

test('of what is typed or pasted only the digits are kept, and no more than the field takes', () => {
  assert.equal(digitsOf('４２４２ ４２４２－4242/4242', 16), '4242424242424242')
  assert.equal(digitsOf('42424242424242421', 16), '4242424242424242')
  assert.equal(digitsOf('4242424242424242', 16), '4242424242424242')
  assert.equal(digitsOf('１２ / ２０３０', 6), '122030')
  assert.equal(digitsOf('1220301', 6), '122030')
  assert.equal(digitsOf('12345', 4), '1234')
  assert.equal(digitsOf('no digits٣　', 4), '')
})

test('a card number is shown in groups of four, without a blank at the end', () => {
  const shown = ['', '4', '4242', '4242 4', '4242 4242', '4242 4242 4', '4242 4242 4242 42', '4242 4242 4242 4242']
  for (const text of shown) assert.equal(groupCardNumber(text.replaceAll(' ', '')), text)
})

test('an expiry is shown as MM / YY, and a year of four digits whole', () => {
  const shown = ['', '1', '11', '11 / 2', '11 / 26', '11 / 202', '11 / 2026']
  for (const text of shown) assert.equal(groupExpiry(text.replace(' / ', '')), text)
})

test('a field is incomplete while more typing can make it right, and wrong when nothing can', () => {
  const incomplete: readonly (readonly [FieldCheck, string])[] = [
    [checkCardNumber('', 'live'), 'no number'],
    [checkCardNumber('4', 'live'), 'one digit'],
    [checkCardNumber('4242424242424', 'live'), '13 digits'],
    [checkCardNumber('424242424242425', 'live'), '15 digits that do not pass Luhn'],
    [checkCardNumber('36000000000008', 'test'), '14 digits that are no test card yet'],
    [checkExpiry('', november), 'no expiry'],
    [checkExpiry('1', november), 'half a month'],
    [checkExpiry('12', november), 'a month'],
    [checkExpiry('122', november), 'half a year'],
    [checkExpiry('1220', november), 'a year of four digits that has begun'],
    [checkExpiry('12203', november), 'a year of four digits but for the last'],
    [checkCvc('12'), 'two digits'],
    [checkHolder(' '), 'a space'],
    [checkHolder('T'), 'one letter'],
    [checkEmail('taro'), 'no at sign'],
    [checkEmail('taro@'), 'no domain'],
    [checkEmail('taro@example'), 'no top level'],
  ]
  for (const [{ is }, what] of incomplete) assert.equal(is, 'incomplete', what)
  const wrong: readonly (readonly [FieldCheck, string])[] = [
    [checkCardNumber('4242424242424241', 'live'), '16 digits that do not pass Luhn'],
    [checkCardNumber('42424242424242424', 'live'), '17 digits'],
    [checkCardNumber('4242 4242', 'live'), 'a space'],
    [checkCardNumber('4000000000000002', 'test'), '16 digits that are no test card'],
    [checkExpiry('2', november), 'no month begins so'],
    [checkExpiry('13', november), 'a 13th month'],
    [checkExpiry('00', november), 'no month'],
    [checkExpiry('1025', november), 'a month that has passed'],
    [checkExpiry('122020', november), 'a year that has passed'],
    [checkCvc('12345'), 'five digits'],
    [checkCvc('1a'), 'a letter'],
    [checkHolder('太'), 'no Latin letter'],
    [checkHolder('T'.repeat(46)), '46 letters'],
    [checkEmail('taro@@'), 'two at signs'],
    [checkEmail('ta ro@example.com'), 'a space'],
    [checkEmail(`${'t'.repeat(65)}@example.com`), 'a local part of 65'],
  ]
  for (const [{ is }, what] of wrong) assert.equal(is, 'wrong', what)
})
