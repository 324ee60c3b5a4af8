/** Masked card number: the first six and the last four digits, in whatever field of a message the number stands. */
import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject } from '../http/json.ts'
import { decodeMessage, encodeMessage } from './form-message.ts'

/** The acquirer takes no shorter number. */
const DIGITS_MIN = 12
const FIRST_DIGITS = 6
const LAST_DIGITS = 4

/**
 * Digits of any script, with up to three characters between two of them. No check digit is asked for: a number with one
 * wrong digit tells nearly as much as the right one.
 */
const DIGIT_RUN = /\p{Nd}(?:[^\p{L}\p{N}]{0,3}\p{Nd})*/gu

/** The id of a transaction, in which any digits may follow each other by chance. It splits a text as a captured group. */
const TRANSACTION_ID =
  /(?<![\p{L}\p{N}-])([\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12})(?![\p{L}\p{N}-])/giu

/** The purchaseDate of EMV, yyyyMMddHHmmss: no card number of 14 digits begins with 20. */
const PURCHASE_DATE = /^20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d[0-5]\d$/

/** No message of the API has as many levels; far deeper ones would overflow the stack. */
const DEPTH_MAX = 8
const TOO_DEEP = '(too deep)'

const maskDigitRun = (run: string): string => {
  const digits = run.match(/\p{Nd}/gu) ?? []
  if (digits.length < DIGITS_MIN) return run
  return [...digits.slice(0, FIRST_DIGITS), '******', ...digits.slice(-LAST_DIGITS)].join('')
}

const maskDigits = (text: string): string =>
  text
    .split(TRANSACTION_ID)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(DIGIT_RUN, maskDigitRun)))
    .join('')

const maskTextAt = (text: string, depth: number): string => {
  if (PURCHASE_DATE.test(text)) return text
  const message = decodeMessage(text)
  if (message === undefined) return maskDigits(text)
  // A message inside a field (browserInfo) is stored as it was sent, unless there is a number in it.
  const masked = depth < DEPTH_MAX ? maskObjectAt(message, depth + 1) : { message: TOO_DEEP }
  return maskDigits(isDeepStrictEqual(masked, message) ? text : encodeMessage(masked))
}

const maskObjectAt = (fields: JsonObject, depth: number): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [maskDigits(name), maskValueAt(value, depth)]))

const maskValueAt = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return maskTextAt(value, depth)
  if (typeof value === 'number') {
    const masked = maskDigits(String(value))
    return masked === String(value) ? value : masked
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEPTH_MAX) return TOO_DEEP
  if (Array.isArray(value)) return value.map((item) => maskValueAt(item, depth + 1))
  return isJsonObject(value) ? maskObjectAt(value, depth + 1) : null
}

export const maskText = (text: string): string => maskTextAt(text, 1)

/** The same message without whole card numbers: names are masked like values. */
export const maskFields = (fields: JsonObject): JsonObject => maskObjectAt(fields, 1)
