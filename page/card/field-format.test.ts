import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { caretBesideDigit, formatEdit, isDigitFormat, type DigitFormat } from './field-format.ts'

const LIMITS: Record<DigitFormat, number> = { number: 16, expiry: 6, cvc: 4 }
const FORMATS = Object.keys(LIMITS).filter(isDigitFormat)

/** Half-width and full-width digits, by a plain list. */
const FULL_WIDTH = '０１２３４５６７８９'
const plainDigits = (text: string): string =>
  text
    .split('')
    .map((char) => (FULL_WIDTH.includes(char) ? String(FULL_WIDTH.indexOf(char)) : char))
    .filter((char) => char >= '0' && char <= '9')
    .join('')

const grouped: Record<DigitFormat, (digits: string) => string> = {
  number: (digits) => (digits.match(/.{1,4}/g) ?? []).join(' '),
  expiry: (digits) => (digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits),
  cvc: (digits) => digits,
}

/** What a browser leaves in a field when `inserted` takes the place of everything from `start` to `end`. */
const edited = (shown: string, start: number, end: number, inserted: string): [text: string, caret: number] => [
  shown.slice(0, start) + inserted + shown.slice(end),
  start + inserted.length,
]

/** 5/ before the caret, in either width: the month gets a zero in front. */
const isOneDigitMonth = (head: string): boolean => {
  const [month = '', ...rest] = head.replaceAll('／', '/').split('/')
  return rest.length > 0 && month.trim().length === 1 && /[1-9]/.test(plainDigits(month))
}

/** An edit of a field that shows `digits`: the digits around it, those that came with it, and no more than fit. */
const checkEdit = (format: DigitFormat, digits: string, start: number, end: number, inserted: string): void => {
  const before = grouped[format](digits)
  const zero = format === 'expiry' && isOneDigitMonth(before.slice(0, start) + inserted) ? '0' : ''
  const behind = zero + plainDigits(before.slice(0, start)) + plainDigits(inserted)
  const kept = (behind + plainDigits(before.slice(end))).slice(0, LIMITS[format])
  const count = Math.min(behind.length, LIMITS[format])

  const [shown, value, caret] = formatEdit(format, ...edited(before, start, end, inserted))
  const edit = `${format} "${before}" ${start} to ${end} becomes "${inserted}"`
  assert.equal(value, kept, edit)
  assert.equal(shown, grouped[format](kept), edit)
  assert.equal(plainDigits(shown.slice(0, caret)).length, count, `${edit}: the caret lost its digit`)
  assert.ok(caret === 0 || /\d/.test(shown.charAt(caret - 1)), `${edit}: the caret is after a separator`)
}

const DIGITS = '4929130578643210'

const everyCaret = (format: DigitFormat, visit: (digits: string, caret: number) => void): void => {
  for (let length = 0; length <= LIMITS[format]; length += 1) {
    const digits = DIGITS.slice(0, length)
    for (let caret = 0; caret <= grouped[format](digits).length; caret += 1) visit(digits, caret)
  }
}

for (const format of FORMATS) {
  test(`${format}: a key at every position inserts its digit there, with the caret after it`, () => {
    everyCaret(format, (digits, caret) => {
      for (const key of ['7', '７', 'x', ' ', '-', '٣', '🂡']) checkEdit(format, digits, caret, caret, key)
    })
  })

  test(`${format}: Backspace and Delete at every position remove the digit beside the caret and keep the others`, () => {
    everyCaret(format, (digits, caret) => {
      const { length } = grouped[format](digits)
      if (caret > 0) checkEdit(format, digits, caret - 1, caret, '')
      if (caret < length) checkEdit(format, digits, caret, caret + 1, '')
    })
  })

  test(`${format}: a paste at every position keeps what fits, however it was written`, () => {
    const pastes = [
      '42',
      '4242 4242 4242 4242',
      '4242-4242-4242-4242',
      '４２４２－４２４２　４２４２',
      'Card: 4111 1111',
      '12/30',
      '5/30',
      ' ５ ／ 2030',
      '1230１',
    ]
    everyCaret(format, (digits, caret) => {
      for (const pasted of pastes) {
        checkEdit(format, digits, caret, caret, pasted)
        checkEdit(format, digits, 0, caret, pasted)
        checkEdit(format, digits, caret, grouped[format](digits).length, pasted)
      }
    })
  })

  test(`${format}: whatever is typed, pasted or cut anywhere, the digits and the caret are kept`, () => {
    const digit = fc.constantFrom(...'0123456789'.split(''))
    fc.assert(
      fc.property(
        fc.string({ unit: digit, maxLength: LIMITS[format] }),
        fc.nat(25),
        fc.nat(25),
        fc.oneof(
          fc.string({ unit: fc.constantFrom(...'0123456789０９ -/　x'.split('')) }),
          fc.string({ unit: 'binary' }),
        ),
        (digits, a, b, inserted) => {
          const { length } = grouped[format](digits)
          const [start, end] = [Math.min(a, b, length), Math.min(Math.max(a, b), length)]
          checkEdit(format, digits, start, end, inserted)
        },
      ),
      { numRuns: 2000 },
    )
  })

  test(`${format}: what the field already shows is left as it is`, () => {
    everyCaret(format, (digits) => {
      const shown = grouped[format](digits)
      assert.deepEqual(formatEdit(format, shown, shown.length), [shown, digits, shown.length])
    })
  })
}

test('a card number typed key by key is grouped by four and the caret stays at its end', () => {
  let [shown, digits, caret] = formatEdit('number', '', 0)
  for (const key of '4242424242424242')
    [shown, digits, caret] = formatEdit('number', ...edited(shown, caret, caret, key))
  assert.deepEqual([shown, digits, caret], ['4242 4242 4242 4242', '4242424242424242', 19])
})

test('sixteen digits are kept and a seventeenth is not', () => {
  assert.deepEqual(formatEdit('number', '42424242424242421', 17), ['4242 4242 4242 4242', '4242424242424242', 19])
  assert.deepEqual(formatEdit('number', '4242 4242 4242 42421', 20), ['4242 4242 4242 4242', '4242424242424242', 19])
  assert.deepEqual(formatEdit('number', '424242424242424', 15), ['4242 4242 4242 424', '424242424242424', 18])
})

test('Backspace over a separator moves the caret before it; the next one deletes the digit there', () => {
  const [shown, , caret] = formatEdit('number', ...edited('4242 5', 4, 5, ''))
  assert.deepEqual([shown, caret], ['4242 5', 4])
  assert.deepEqual(formatEdit('number', ...edited(shown, caret - 1, caret, '')), ['4245', '4245', 3])

  assert.deepEqual(formatEdit('expiry', ...edited('12 / 3', 4, 5, '')), ['12 / 3', '123', 2])
  assert.deepEqual(formatEdit('expiry', ...edited('12 / 3', 1, 2, '')), ['13', '13', 1])
})

test('an expiry is shown as MM / YY, and one of six digits from autofill whole', () => {
  assert.deepEqual(formatEdit('expiry', '1', 1), ['1', '1', 1])
  assert.deepEqual(formatEdit('expiry', '12', 2), ['12', '12', 2])
  assert.deepEqual(formatEdit('expiry', '123', 3), ['12 / 3', '123', 6])
  assert.deepEqual(formatEdit('expiry', '12/30', 5), ['12 / 30', '1230', 7])
  assert.deepEqual(formatEdit('expiry', '122030', 6), ['12 / 2030', '122030', 9])
  assert.deepEqual(formatEdit('expiry', '12/2030', 7), ['12 / 2030', '122030', 9])
  assert.deepEqual(formatEdit('expiry', '1220301', 7), ['12 / 2030', '122030', 9])
})

test('a month of one digit before a slash gets its zero, typed or pasted, in either width', () => {
  assert.deepEqual(formatEdit('expiry', '5/', 2), ['05', '05', 2])
  assert.deepEqual(formatEdit('expiry', ...edited('05', 2, 2, '3')), ['05 / 3', '053', 6])
  assert.deepEqual(formatEdit('expiry', '5/30', 4), ['05 / 30', '0530', 7])
  assert.deepEqual(formatEdit('expiry', '5 / 30', 6), ['05 / 30', '0530', 7])
  assert.deepEqual(formatEdit('expiry', '５／２０３０', 6), ['05 / 2030', '052030', 9])
  assert.deepEqual(formatEdit('expiry', '1/30', 4), ['01 / 30', '0130', 7])
})

test('a zero takes the place of no digit that was deleted, and there is no month 0', () => {
  assert.deepEqual(formatEdit('expiry', ...edited('12 / 30', 0, 1, '')), ['23 / 0', '230', 0])
  assert.deepEqual(formatEdit('expiry', ...edited('12 / 30', 1, 2, '')), ['13 / 0', '130', 1])
  assert.deepEqual(formatEdit('expiry', '0/30', 4), ['03 / 0', '030', 6])
  assert.deepEqual(formatEdit('number', '5/30', 4), ['530', '530', 3])
})

test('four digits of a security code are kept and a fifth is not', () => {
  assert.deepEqual(formatEdit('cvc', '１２３４', 4), ['1234', '1234', 4])
  assert.deepEqual(formatEdit('cvc', '12345', 5), ['1234', '1234', 4])
})

test('only the fields of digits are formatted before hydration', () => {
  assert.deepEqual(FORMATS, ['number', 'expiry', 'cvc'])
  for (const other of ['text', '', 'Number', undefined]) assert.equal(isDigitFormat(other), false)
})

test('Backspace and Delete beside a separator remove the digit behind it, at every position of a number', () => {
  assert.equal(caretBesideDigit('4242 4', 5, 'Backspace'), 4)
  assert.equal(caretBesideDigit('4242 4', 4, 'Backspace'), 4)
  assert.equal(caretBesideDigit('4242 4', 4, 'Delete'), 5)
  assert.equal(caretBesideDigit('4242 4', 3, 'Delete'), 3)
  assert.equal(caretBesideDigit('12 / 34', 5, 'Backspace'), 2)
  assert.equal(caretBesideDigit('12 / 34', 3, 'Backspace'), 2)
  assert.equal(caretBesideDigit('12 / 34', 2, 'Delete'), 5)
  assert.equal(caretBesideDigit('12 / 34', 4, 'Delete'), 5)
})
