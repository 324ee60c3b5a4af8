/**
 * Reference rules of the card form, written from the specification (sections 5 and 8) and nothing else: this file imports
 * nothing, works character by character where the product uses patterns, and answers with the specification's own
 * messages. Slow and plain on purpose.
 */

export type Message =
  | 'This is a required field'
  | 'Invalid format for credit card number'
  | 'The credit card number entered is incorrect'
  | 'Only test cards are accepted.'
  | 'Invalid format for expiration date'
  | 'Invalid format for security code'
  | 'Invalid format for card holder name'
  | 'Invalid format for email address'

export type Verdict = Message | 'accepted'

const DIGITS = '0123456789'
const FULL_WIDTH_DIGITS = '０１２３４５６７８９'
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

const isOneOf = (char: string, alphabet: string): boolean => char !== '' && alphabet.includes(char)
const isMadeOf = (text: string, alphabet: string): boolean => Array.from(text).every((char) => isOneOf(char, alphabet))

/** Space, tab, line breaks, the no-break, typographic and ideographic spaces, and the byte order mark. */
const BLANKS =
  ' \t\n\v\f\r\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF'

/** A field of text is required to hold something that can be seen. */
const isBlank = (text: string): boolean => isMadeOf(text, BLANKS)

/** "Input accepts only digits. Full-width digits are converted to half-width. At most 16 digits are kept." */
export const keptDigits = (typed: string, atMost: number): string => {
  let kept = ''
  for (const char of typed) {
    if (kept.length === atMost) break
    if (isOneOf(char, DIGITS)) kept += char
    else if (isOneOf(char, FULL_WIDTH_DIGITS)) kept += String(FULL_WIDTH_DIGITS.indexOf(char))
  }
  return kept
}

/** What a field of text keeps: full-width forms become the characters they stand for, all else stays. */
export const keptText = (typed: string): string =>
  Array.from(typed, (char) => ((char >= '！' && char <= '～') || char === '　' ? char.normalize('NFKC') : char)).join(
    '',
  )

/** "The value is shown grouped by four with spaces." */
export const shownCardNumber = (digits: string): string => {
  const groups: string[] = []
  for (let start = 0; start < digits.length; start += 4) groups.push(digits.slice(start, start + 4))
  return groups.join(' ')
}

/** "Displayed as MM / YY." */
export const shownExpiry = (digits: string): string =>
  digits.length > 2 ? [digits.slice(0, 2), digits.slice(2)].join(' / ') : digits

/** What a digit in a doubled place counts: its double, or the sum of that double's two digits. */
const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]

/** ISO/IEC 7812-1, annex B: the one digit that completes the number. */
export const checkDigitOf = (payload: string): string => {
  let sum = 0
  let isDoubled = true
  for (const char of Array.from(payload).toReversed()) {
    sum += isDoubled ? (DOUBLED[Number(char)] ?? 0) : Number(char)
    isDoubled = !isDoubled
  }
  return String((10 - (sum % 10)) % 10)
}

const FOUR_TEST_NUMBERS = ['4242424242424242', '4111111111111111', '5555555555554444', '5105105105105100']

/** The rules in the order in which the specification lists them; the first that is broken gives the message. */
export const judgeCardNumber = (value: string, mode: 'live' | 'test'): Verdict => {
  if (value === '') return 'This is a required field'
  if (!isMadeOf(value, DIGITS) || ![14, 15, 16].includes(value.length)) return 'Invalid format for credit card number'
  if (checkDigitOf(value.slice(0, -1)) !== value.slice(-1)) return 'The credit card number entered is incorrect'
  if (mode === 'test' && !FOUR_TEST_NUMBERS.includes(value)) return 'Only test cards are accepted.'
  return 'accepted'
}

/** The month that the calendar in Japan shows, counted from the year 0. */
const monthInJapan = (now: number): number => {
  const { year, month } = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('Asia/Tokyo')
  return year * 12 + month
}

/**
 * MMYY, or MM20YY as browsers fill it in: month the first two digits, year 20 followed by the last two. Five digits are
 * the second of them, unfinished. A year of 20YY is never above 2100, so that limit needs no line here.
 */
export const judgeExpiry = (value: string, now: number): Verdict => {
  if (value === '') return 'This is a required field'
  const isWritten =
    isMadeOf(value, DIGITS) && (value.length === 4 || (value.length === 6 && value.slice(2, 4) === '20'))
  const month = Number(value.slice(0, 2))
  const lastMonth = Number(`20${value.slice(-2)}`) * 12 + month
  const isGood = isWritten && month >= 1 && month <= 12 && lastMonth >= monthInJapan(now)
  return isGood ? 'accepted' : 'Invalid format for expiration date'
}

export const judgeCvc = (value: string): Verdict => {
  if (value === '') return 'This is a required field'
  const isCode = isMadeOf(value, DIGITS) && (value.length === 3 || value.length === 4)
  return isCode ? 'accepted' : 'Invalid format for security code'
}

/** "Only letters a-z, digits and spaces. Length 2 to 45 characters." */
export const judgeHolder = (value: string): Verdict => {
  if (isBlank(value)) return 'This is a required field'
  const isName = isMadeOf(value, `${LETTERS}${DIGITS} `) && value.length >= 2 && value.length <= 45
  return isName ? 'accepted' : 'Invalid format for card holder name'
}

/** HTML standard, "valid email address": the characters of RFC 5322, section 3.2.3, and dots wherever they stand. */
const LOCAL_PART = `${LETTERS}${DIGITS}!#$%&'*+-/=?^_\`{|}~.`

/** RFC 1123, section 2.1: letters, digits and inner hyphens; RFC 1035, section 2.3.4: 63 at most. */
const isHostLabel = (label: string): boolean =>
  label.length >= 1 &&
  label.length <= 63 &&
  isMadeOf(label, `${LETTERS}${DIGITS}-`) &&
  !label.startsWith('-') &&
  !label.endsWith('-')

/** A top-level name, which no address on the public internet lacks: two characters at least, the first a letter. */
const isTopLevel = (label: string): boolean => label.length >= 2 && isOneOf(label.slice(0, 1), LETTERS)

/** "Must match a standard address pattern and be at most 254 characters, with the local part at most 64." */
export const judgeEmail = (value: string): Verdict => {
  if (isBlank(value)) return 'This is a required field'
  const [local = '', domain = '', ...more] = value.split('@')
  const labels = domain.split('.')
  const isAddress =
    more.length === 0 &&
    value.length <= 254 &&
    local.length <= 64 &&
    local !== '' &&
    isMadeOf(local, LOCAL_PART) &&
    labels.length >= 2 &&
    labels.every(isHostLabel) &&
    isTopLevel(labels.at(-1) ?? '')
  return isAddress ? 'accepted' : 'Invalid format for email address'
}
