import assert from 'node:assert/strict'
import { Console } from 'node:console'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { format, inspect } from 'node:util'
import { serialize } from 'node:v8'
import { SANDBOX_CARD_NUMBERS, TEST_CARD_NUMBERS } from '#contract/test-cards.ts'
import { holdsCardNumber } from './card-number-detector.ts'
import { CardNumber, maskedNumber } from './card-number.ts'

const VISA = '4012888888881881'
const published = [...TEST_CARD_NUMBERS, ...SANDBOX_CARD_NUMBERS]

const parsed = (digits: string): CardNumber => {
  const number = CardNumber.parse(digits)
  assert.ok(number !== undefined, digits)
  return number
}

/** No five digits in a row, neither as text nor as the bytes that hold them. */
const assertHides = (text: string, digits: string): void => {
  for (let from = 0; from + 5 <= digits.length; from += 1) {
    const run = digits.slice(from, from + 5)
    const bytes = Array.from(run, (digit) => digit.charCodeAt(0))
    assert.ok(!text.includes(run), text)
    for (const written of [bytes.join(','), bytes.join(', '), bytes.map((byte) => byte.toString(16)).join(' ')])
      assert.ok(!text.includes(written), text)
  }
}

// oxlint-disable-next-line typescript/restrict-template-expressions -- the very mistake that must not show a number
const inTemplate = (number: CardNumber): string => `${number}`

const logged = (...values: unknown[]): string => {
  const stream = new PassThrough()
  new Console(stream).log(...values)
  return String(stream.read())
}

test('a card number shows four dots and its last four digits', () => {
  const number = parsed(VISA)
  assert.equal(String(number), '•••• 1881')
  assert.equal(inTemplate(number), '•••• 1881')
  assert.equal(JSON.stringify({ number }), '{"number":"•••• 1881"}')
  assert.equal(inspect(number), '•••• 1881')
  assert.equal(maskedNumber({ brand: 'jcb', lastFour: '0106' }), '•••• 0106')
})

test('no printed form of a card number holds its digits', () => {
  for (const digits of [VISA, '378282246310005', '36000000000008', ...published]) {
    const number = parsed(digits)
    const nested = { order: { cards: [number], byCode: new Map([['o1', number]]) } }
    const thorough = { showHidden: true, depth: null, getters: true, showProxy: true, maxArrayLength: null }
    const prints = [
      String(number),
      inTemplate(number),
      number.toString(),
      number.toJSON(),
      JSON.stringify(number),
      JSON.stringify([nested, { number }]),
      inspect(number, thorough),
      inspect(nested, thorough),
      inspect(nested, { ...thorough, customInspect: false }),
      inspect(new Error('declined', { cause: number }), thorough),
      inspect(Object.assign(new Error('declined'), { number }), { ...thorough, customInspect: false }),
      format('%s %o %O %j', number, nested, nested, nested),
      logged('card', number, nested),
      JSON.stringify(Object.assign({}, number)),
      JSON.stringify(Object.entries(Object.getOwnPropertyDescriptors(number))),
      inspect(structuredClone(number), thorough),
      serialize(number).toString('latin1'),
      Object.getOwnPropertyNames(number).join(),
    ]
    for (const print of prints) assertHides(print, digits)
  }
})

test('a failed comparison of two card numbers prints neither', () => {
  const [one, other] = [parsed(VISA), parsed('4242424242424242')]
  assert.throws(
    () => assert.deepEqual({ number: one }, { number: other }),
    (error: unknown) => {
      assertHides(inspect(error, { depth: null, showHidden: true }), VISA)
      assertHides(inspect(error, { depth: null, showHidden: true }), '4242424242424242')
      return true
    },
  )
})

test('an adapter may reveal the number until it is wiped, and never after', () => {
  for (const digits of [VISA, ...published]) {
    const number = parsed(digits)
    assert.equal(number.reveal(), digits)
    assert.equal(number.reveal(), digits)
    number.wipe()
    assert.throws(() => number.reveal(), { message: 'this card number has been wiped' })
    number.wipe()
    assert.throws(() => number.reveal(), { message: 'this card number has been wiped' })
    assert.equal(String(number), `•••• ${digits.slice(-4)}`)
  }
})

test('a wipe overwrites every digit in memory', (t) => {
  const held: Uint8Array[] = []
  t.mock.method(TextEncoder.prototype, 'encode', (text: string) => {
    const bytes = Uint8Array.from(Buffer.from(text))
    held.push(bytes)
    return bytes
  })
  const number = parsed(VISA)
  assert.deepEqual(
    held.map((bytes) => new TextDecoder().decode(bytes)),
    [VISA],
  )
  number.wipe()
  assert.deepEqual(
    held.map((bytes) => Array.from(bytes)),
    [Array.from(VISA, () => 0)],
  )
})

test('wiping one card number leaves another of the same digits alone', () => {
  const [one, other] = [parsed(VISA), parsed(VISA)]
  one.wipe()
  assert.equal(other.reveal(), VISA)
})

test('only 14 to 16 digits that pass Luhn and belong to one of the six brands are a card number', () => {
  for (const digits of ['36000000000008', '378282246310005', VISA]) assert.equal(parsed(digits).reveal(), digits)
  const wrongLength = ['', '4', '4000000000006', '40000000000000006']
  const wrongDigits = [
    '4012888888881882',
    '4012 8888 8888 1881',
    '401288888888188a',
    '４０１２８８８８８８８８１８８１',
  ]
  const noBrand = ['9000000000000001', '3527000000000008', '0000000000000000', '6229260000000003']
  for (const digits of [...wrongLength, ...wrongDigits, ...noBrand])
    assert.equal(CardNumber.parse(digits), undefined, digits)
})

test('a card keeps its brand, its last four digits and whether it is a test card', () => {
  assert.deepEqual(parsed(VISA).face, { brand: 'visa', lastFour: '1881' })
  assert.deepEqual(parsed('5555555555554444').face, { brand: 'master', lastFour: '4444' })
  assert.deepEqual(parsed('3528000000000106').face, { brand: 'jcb', lastFour: '0106' })
  assert.deepEqual(parsed('378282246310005').face, { brand: 'amex', lastFour: '0005' })
  assert.deepEqual(parsed('36000000000008').face, { brand: 'diners', lastFour: '0008' })
  assert.deepEqual(parsed('6440000000000104').face, { brand: 'discover', lastFour: '0104' })
  for (const digits of published) assert.equal(parsed(digits).isTest, true, digits)
  for (const digits of [VISA, '378282246310005']) assert.equal(parsed(digits).isTest, false, digits)
})

test('a card number is recognised in any text, whole or in groups, in any width', () => {
  const numbers = [
    ...published.filter((digits) => digits !== '36000000000008'),
    VISA,
    '378282246310005',
    '36000000000008',
  ]
  for (const digits of numbers) {
    const grouped = (between: string): string => digits.replaceAll(/(\d{4})(?=\d)/g, `$1${between}`)
    const wide = digits.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
    const texts = [
      digits,
      `TARO ${digits}`,
      `TARO${digits}YAMADA`,
      `${digits}@example.com`,
      `${grouped('.')}@example.com`,
      grouped(' '),
      grouped('-'),
      grouped(' - '),
      `by telephone: ${grouped(' ')}, 12/99, 737`,
      `12 ${digits} 12`,
      wide,
    ]
    for (const text of texts) assert.ok(holdsCardNumber(text), text)
  }
})

test('names, addresses, telephone numbers, dates and most order numbers are no card numbers', () => {
  const others = [
    '',
    'TARO YAMADA 3',
    'taro.1980@example.com',
    '+81 90 1234 5678',
    '2026-11-15 05:22:33.123',
    '20261115123456',
    'A-1024',
    '4012888888881882',
    `1${VISA}`,
    `${VISA}1`,
    VISA.slice(0, 15),
    '9000000000000001',
    '4012x8888x8888x1881',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  ]
  for (const text of others) assert.ok(!holdsCardNumber(text), text)
})
