import assert from 'node:assert/strict'
import { after, test } from 'node:test'
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
  type FieldCheck,
  type FieldProblem,
} from './card.ts'
import {
  checkDigitOf,
  judgeCardNumber,
  judgeCvc,
  judgeEmail,
  judgeExpiry,
  judgeHolder,
  keptDigits,
  keptText,
  shownCardNumber,
  shownExpiry,
  type Message,
  type Verdict,
} from './testing/card-reference.ts'

/** The specification, section 8: the message that the shopper reads for each problem. */
const MESSAGES: Record<FieldProblem, Message> = {
  required: 'This is a required field',
  cardPattern: 'Invalid format for credit card number',
  invalidCard: 'The credit card number entered is incorrect',
  notATestCard: 'Only test cards are accepted.',
  expiry: 'Invalid format for expiration date',
  cvc: 'Invalid format for security code',
  holder: 'Invalid format for card holder name',
  email: 'Invalid format for email address',
}

const verdictOf = (check: FieldCheck): Verdict => (check.is === 'ok' ? 'accepted' : MESSAGES[check.problem])

let judged = 0
after(() => assert.ok(judged >= 100_000, `only ${judged} values were judged`))

interface Comparison<Value> {
  readonly values: fc.Arbitrary<Value>
  readonly runs: number
  readonly rule: (value: Value) => Verdict
  readonly oracle: (value: Value) => Verdict
  /** Every one of these must be the answer to at least one value in fifty, else the values prove little. */
  readonly verdicts: readonly Verdict[]
}

const compare = <Value>({ values, runs, rule, oracle, verdicts }: Comparison<Value>): void => {
  const seen = new Map<Verdict, number>()
  fc.assert(
    fc.property(values, (value) => {
      const expected = oracle(value)
      seen.set(expected, (seen.get(expected) ?? 0) + 1)
      judged += 1
      assert.equal(rule(value), expected)
    }),
    { numRuns: runs },
  )
  for (const verdict of verdicts)
    assert.ok((seen.get(verdict) ?? 0) >= runs / 50, `"${verdict}" was the answer ${seen.get(verdict) ?? 0} times`)
}

const textOf = (alphabet: string, minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...alphabet), { minLength, maxLength, size: 'max' }).map((chars) => chars.join(''))

const DIGITS = '0123456789'
const digits = (minLength: number, maxLength = minLength): fc.Arbitrary<string> => textOf(DIGITS, minLength, maxLength)

/** Digits and letters that only look like the ones a card network knows, blanks of every kind, and marks nobody sees. */
const LOOK_ALIKES =
  '０４９٠٤۴४๔④⁴₄𝟒𝟜Ⅳ〇OolIＡｚａАаеοıſKéßñ́あアｱ山ー−‐–—’‘＇＠．。･·"()<>[]\\,:;/|\0\u007F\u00AD\u200B\u200D\u202E'
const BLANKS = ' \t\n\r\u00A0\u2003\u2028\u3000\uFEFF'
const odd = fc.constantFrom(...LOOK_ALIKES, ...BLANKS, ...'aZ09 .-@')

/** One typing error: a character put in, left out, replaced, doubled, or swapped with its neighbour. */
const withTypo = (texts: fc.Arbitrary<string>, chars: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(texts, fc.nat(), chars, fc.nat(4)).map(([text, where, char, kind]) => {
    const at = where % (text.length + 1)
    const [before, behind] = [text.slice(0, at), text.slice(at)]
    if (kind === 0) return before + char + behind
    if (kind === 1) return before + behind.slice(1)
    if (kind === 2) return before + char + behind.slice(1)
    if (kind === 3) return before + behind.slice(0, 1) + behind
    return before + behind.slice(1, 2) + behind.slice(0, 1) + behind.slice(2)
  })

/** As it may come out of a paste: blanks before, behind, or a line break at the end. */
const padded = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(textOf(BLANKS, 0, 2), texts, textOf(BLANKS, 0, 2))
    .map(([before, text, behind]) => `${before}${text}${behind}`)

const anything = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
const nothing = fc.oneof(fc.constant(''), textOf(BLANKS, 1, 5))

const complete = (payload: string): string => payload + checkDigitOf(payload)
const rightNumber = fc
  .tuple(
    fc.constantFrom('', '4', '51', '2221', '3528', '34', '36', '6011'),
    fc.integer({ min: 13, max: 15 }),
    digits(15),
  )
  .map(([prefix, length, rest]) => complete((prefix + rest).slice(0, length)))
const testNumber = fc.constantFrom('4242424242424242', '4111111111111111', '5555555555554444', '5105105105105100')
const cardNumbers = fc.oneof(
  { weight: 6, arbitrary: rightNumber },
  { weight: 3, arbitrary: testNumber },
  { weight: 3, arbitrary: withTypo(rightNumber, digits(1)) },
  { weight: 3, arbitrary: withTypo(testNumber, digits(1)) },
  { weight: 2, arbitrary: withTypo(fc.oneof(rightNumber, testNumber), odd) },
  { weight: 2, arbitrary: digits(0, 20).map(complete) },
  { weight: 2, arbitrary: digits(14, 16) },
  { weight: 1, arbitrary: padded(testNumber) },
  { weight: 1, arbitrary: testNumber.map(shownCardNumber) },
  { weight: 1, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: nothing },
  { weight: 1, arbitrary: anything },
)

test('a live checkout accepts the card numbers that the specification accepts, and gives the same message for all others', () => {
  compare({
    values: cardNumbers,
    runs: 20_000,
    rule: (value) => verdictOf(checkCardNumber(value, 'live')),
    oracle: (value) => judgeCardNumber(value, 'live'),
    verdicts: ['accepted', MESSAGES.required, MESSAGES.cardPattern, MESSAGES.invalidCard],
  })
})

test('test mode accepts its four numbers alone, and gives the message of the specification for all others', () => {
  compare({
    values: cardNumbers,
    runs: 20_000,
    rule: (value) => verdictOf(checkCardNumber(value, 'test')),
    oracle: (value) => judgeCardNumber(value, 'test'),
    verdicts: ['accepted', MESSAGES.required, MESSAGES.cardPattern, MESSAGES.invalidCard, MESSAGES.notATestCard],
  })
})

/** Months and years end in Japan nine hours before they do in London: both ends, with leap days and the last year. */
const EDGES = ['2024-03-01', '2025-03-01', '2026-11-01', '2026-12-01', '2027-01-01', '2028-02-29', '2028-03-01']
  .concat('2030-01-01', '2000-01-01', '2099-12-01', '2100-01-01')
  .flatMap((day) => [Date.parse(`${day}T00:00:00+09:00`), Date.parse(`${day}T00:00:00Z`)])
const nows = fc
  .tuple(fc.constantFrom(...EDGES), fc.constantFrom(-60_000, -1, 0, 1, 60_000, 15 * 86_400_000))
  .map(([edge, by]) => edge + by)

const two = (value: number): string => String(value).padStart(2, '0')

/** Written as MMYY or MM20YY, some months before or after the month of `now`. */
const expiriesAround = (now: number): fc.Arbitrary<string> =>
  fc.tuple(fc.integer({ min: -14, max: 14 }), fc.boolean()).map(([by, inFull]) => {
    const month = Temporal.Instant.fromEpochMilliseconds(now)
      .toZonedDateTimeISO('UTC')
      .toPlainDate()
      .add({ months: by })
    return two(month.month) + (inFull ? String(month.year) : two(month.year % 100))
  })
const looseExpiry = fc
  .tuple(
    fc.constantFrom(0, 1, 9, 10, 11, 12, 13, 20, 99),
    fc.constantFrom('', '20', '2', '0', '19', '21', '30'),
    digits(2),
  )
  .map(([month, century, year]) => two(month) + century + year)
const expiries = nows.chain((now) => {
  const near = expiriesAround(now)
  const values = fc.oneof(
    { weight: 6, arbitrary: near },
    { weight: 3, arbitrary: looseExpiry },
    { weight: 2, arbitrary: withTypo(near, digits(1)) },
    { weight: 1, arbitrary: withTypo(near, odd) },
    { weight: 1, arbitrary: near.map(shownExpiry) },
    { weight: 1, arbitrary: padded(near) },
    { weight: 1, arbitrary: digits(0, 8) },
    { weight: 1, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: anything },
  )
  return fc.record({ value: values, now: fc.constant(now) })
})

test('an expiry is good or not as the specification says, on both sides of every month and year end in Japan', () => {
  compare({
    values: expiries,
    runs: 30_000,
    rule: ({ value, now }) => verdictOf(checkExpiry(value, now)),
    oracle: ({ value, now }) => judgeExpiry(value, now),
    verdicts: ['accepted', MESSAGES.required, MESSAGES.expiry],
  })
})

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const rightName = fc.oneof(
  textOf(`${LETTERS}${DIGITS}    `, 2, 45),
  fc.constantFrom('TARO YAMADA', 'J R R Tolkien 3', 'LI', '42', 'Van der Berg', ' TARO', 'TARO '),
)
const nameOfLength = fc
  .constantFrom(1, 2, 3, 44, 45, 46, 47, 90)
  .chain((length) => textOf(`${LETTERS} `, length, length))
const foreignName = fc.constantFrom(
  ...["O'BRIEN", 'O’Brien', 'OʼBrien', 'YAMADA-SATO', 'Yamada‐Sato', 'Yamada–Sato', 'José', 'Jose\u0301', 'MÜLLER'],
  ...[
    'ヤマダ タロウ',
    'ﾔﾏﾀﾞ ﾀﾛｳ',
    'やまだ',
    '山田太郎',
    'ＴＡＲＯ　ＹＡＭＡＤＡ',
    'TARO　YAMADA',
    '김철수',
    'สมชาย',
    'Иван',
  ],
  ...[
    'Dr. No',
    'TARO, YAMADA',
    'TARO\tYAMADA',
    'TARO\n',
    '\u212Aelvin',
    'la\u017Ft',
    'dıyar',
    'TARO_Y',
    'TARO/Y',
    'T\u200BY',
    '🙂🙂',
  ],
)
const names = fc.oneof(
  { weight: 6, arbitrary: rightName },
  { weight: 3, arbitrary: nameOfLength },
  { weight: 2, arbitrary: foreignName },
  { weight: 3, arbitrary: withTypo(fc.oneof(rightName, nameOfLength), odd) },
  { weight: 1, arbitrary: withTypo(foreignName, odd) },
  { weight: 1, arbitrary: padded(rightName) },
  { weight: 1, arbitrary: nothing },
  { weight: 1, arbitrary: anything },
)

test('a card holder name is taken or refused as the specification says, in every script', () => {
  compare({
    values: names,
    runs: 25_000,
    rule: (value) => verdictOf(checkHolder(value)),
    oracle: judgeHolder,
    verdicts: ['accepted', MESSAGES.required, MESSAGES.holder],
  })
})

const ATOM = `${LETTERS}${DIGITS}!#$%&'*+-/=?^_\`{|}~`
const words = fc.array(textOf(ATOM, 1, 8), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'))
const localOfLength = fc
  .tuple(fc.constantFrom(1, 2, 63, 64, 65, 66, 128), fc.boolean())
  .map(([length, dotted]) => (dotted && length > 2 ? `a.${'b'.repeat(length - 2)}` : 'a'.repeat(length)))
const label = fc.oneof(
  textOf(`${LETTERS}${DIGITS}`, 1, 12),
  fc.constantFrom(1, 2, 62, 63, 64, 65).map((length) => 'd'.repeat(length)),
  fc.constantFrom('xn--r8jz45g', 'a-b', 'a--b', '-a', 'a-', '-', '1', '127', '0', '', 'a_b', 'é', '例え'),
)
const topLevel = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('com', 'jp', 'JP', 'museum', 'xn--zckzah', 'xn--p1ai', 'co2', 'a-b') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'c',
      '1',
      '12',
      '1a',
      'a-',
      '-a',
      '',
      'c_m',
      'ｊｐ',
      'コム',
      'x'.repeat(63),
      'x'.repeat(64),
    ),
  },
)
const goodDomain = fc
  .tuple(
    fc.array(textOf(`${LETTERS}${DIGITS}`, 1, 10), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('com', 'jp', 'xn--p1ai'),
  )
  .map(([labels, top]) => [...labels, top].join('.'))
const looseDomain = fc
  .tuple(fc.array(label, { minLength: 0, maxLength: 4 }), topLevel)
  .map(([labels, top]) => [...labels, top].join('.'))

/** No label is ever too long here: the whole length alone decides, with a local part on either side of its own limit. */
const addressOfLength = fc
  .tuple(fc.constantFrom(1, 63, 64, 65), fc.integer({ min: 250, max: 258 }))
  .map(([local, total]) => {
    const rest = total - local - 1 - '.com'.length
    const domain = Array.from({ length: rest }, (_, place) => (place % 50 === 49 && place < rest - 1 ? '.' : 'd')).join(
      '',
    )
    return `${'a'.repeat(local)}@${domain}.com`
  })
const rightAddress = fc.tuple(words, goodDomain).map(([local, domain]) => `${local}@${domain}`)
const looseAddress = fc
  .tuple(fc.oneof(words, localOfLength), fc.oneof(goodDomain, looseDomain))
  .map(([local, domain]) => `${local}@${domain}`)
const strangeAddress = fc.constantFrom(
  ...[
    '"a b"@example.com',
    '"taro"@example.com',
    '"@"@example.com',
    'a\\@b@example.com',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
  ],
  ...[
    'a@b',
    'a@localhost',
    'a@b.jp.',
    'a@.b.jp',
    '.a@b.jp',
    'a.@b.jp',
    'a..b@c.jp',
    'a@b..jp',
    '@b.jp',
    'a@',
    '@',
    '@@',
    'a@b@c.jp',
  ],
  ...[
    '太郎@example.com',
    'taro@例え.jp',
    'taro＠example.com',
    'ｔaro@example.com',
    'taro@example。jp',
    'tarо@example.com',
    'ta\u200Bro@example.com',
  ],
  ...[
    'Taro <taro@example.com>',
    'taro(x)@example.com',
    'a@b.jp, c@d.jp',
    'a@b.jp;c@d.jp',
    'a@b.jp\r\nBcc: c@d.jp',
    'mailto:a@b.jp',
  ],
  ...[
    'a@b.com\0',
    '\u212A@b.jp',
    'a@\u212Ab.jp',
    'a@b.\u017Fe',
    'a b@c.jp',
    'a@b c.jp',
    "o'brien@example.com",
    'a+b/c=d@e.jp',
  ],
)
const addresses = fc.oneof(
  { weight: 5, arbitrary: rightAddress },
  { weight: 6, arbitrary: looseAddress },
  { weight: 3, arbitrary: addressOfLength },
  { weight: 3, arbitrary: strangeAddress },
  {
    weight: 4,
    arbitrary: withTypo(
      fc.oneof(rightAddress, addressOfLength, strangeAddress),
      fc.oneof(odd, fc.constantFrom('.', '@', '-')),
    ),
  },
  { weight: 1, arbitrary: padded(rightAddress) },
  { weight: 1, arbitrary: nothing },
  { weight: 1, arbitrary: anything },
)

test('an e-mail address is taken or refused as the specification says, up to its two lengths and past them', () => {
  compare({
    values: addresses,
    runs: 35_000,
    rule: (value) => verdictOf(checkEmail(value)),
    oracle: judgeEmail,
    verdicts: ['accepted', MESSAGES.required, MESSAGES.email],
  })
})

const codes = fc.oneof(
  digits(0, 6),
  digits(3, 4),
  withTypo(digits(3, 4), odd),
  padded(digits(3, 4)),
  fc.constant(''),
  anything,
)

test('a security code has 3 or 4 digits and nothing else', () => {
  compare({
    values: codes,
    runs: 5000,
    rule: (value) => verdictOf(checkCvc(value)),
    oracle: judgeCvc,
    verdicts: ['accepted', MESSAGES.required, MESSAGES.cvc],
  })
})

/** As a shopper types it or a browser fills it in: grouped, full-width, with signs between, or something else entirely. */
const wide = (text: string): string =>
  Array.from(text, (char) =>
    char > ' ' && char <= '~' ? String.fromCodePoint(char.charCodeAt(0) + 0xfee0) : char,
  ).join('')
const typed = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(texts, texts.map(wide), padded(texts), withTypo(texts, odd), withTypo(texts.map(wide), odd), anything)

test('of a typed card number and expiry the same digits are kept and shown as the specification says', () => {
  const values = typed(fc.oneof(cardNumbers, rightNumber.map(shownCardNumber), digits(0, 20)))
  fc.assert(
    fc.property(values, (text) => {
      judged += 1
      const number = keptDigits(text, 16)
      assert.equal(digitsOf(text, 16), number)
      assert.equal(groupCardNumber(number), shownCardNumber(number))
      assert.equal(digitsOf(text, 6), keptDigits(text, 6))
      assert.equal(groupExpiry(keptDigits(text, 6)), shownExpiry(keptDigits(text, 6)))
      // What is shown is what is typed into next: shaping it again must change nothing.
      assert.equal(digitsOf(shownCardNumber(number), 16), number)
    }),
    { numRuns: 10_000 },
  )
})

test('a name or address typed in full-width forms is judged as the one it stands for', () => {
  fc.assert(
    fc.property(typed(fc.oneof(rightName, foreignName, rightAddress)), (text) => {
      judged += 1
      const kept = keptText(text)
      assert.equal(foldFullWidth(text), kept)
      assert.equal(verdictOf(checkHolder(foldFullWidth(text))), judgeHolder(kept))
      assert.equal(verdictOf(checkEmail(foldFullWidth(text))), judgeEmail(kept))
    }),
    { numRuns: 10_000 },
  )
})
