/** Card form rules: card number (Luhn), expiry, CVC, card holder name and e-mail, for page and server alike. */
import { jstMoment, type Instant } from './jst.ts'
import { TEST_CARD_NUMBERS } from './test-cards.ts'

export const CARD_NUMBER_MIN_DIGITS = 14
export const CARD_NUMBER_MAX_DIGITS = 16
export const EXPIRY_MAX_DIGITS = 6
export const EXPIRY_YEAR_MAX = 2100
export const CVC_MIN_DIGITS = 3
export const CVC_MAX_DIGITS = 4
export const HOLDER_MIN_LENGTH = 2
export const HOLDER_MAX_LENGTH = 45
export const EMAIL_MAX_LENGTH = 254
const EMAIL_LOCAL_MAX_LENGTH = 64

/** Why a field is wrong. Each has a sentence in every language of the page. */
export type FieldProblem =
  | 'required'
  | 'cardPattern'
  | 'invalidCard'
  | 'notATestCard'
  | 'expiry'
  | 'cvc'
  | 'holder'
  | 'email'

export type PageMode = 'live' | 'test'

const foldForms = (text: string): string =>
  text.replace(/[\uFF01-\uFF5E]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))

/** A Japanese keyboard types full-width forms (４２４２, ＴＡＲＯ, ideographic space); a card network knows only ASCII. */
export const foldFullWidth = (text: string): string => foldForms(text).replace(/\u3000/g, ' ')

export const digitsOf = (text: string, atMost: number): string => foldForms(text).replace(/\D/g, '').slice(0, atMost)

export const groupCardNumber = (digits: string): string => digits.replace(/(\d{4})(?=\d)/g, '$1 ')

/** MM / YY; a six-digit MMYYYY from autofill is shown whole. */
export const groupExpiry = (digits: string): string => digits.replace(/^(\d\d)(?=\d)/, '$1 / ')

export const passesLuhn = (digits: string): boolean => {
  let sum = 0
  for (let fromRight = 0; fromRight < digits.length; fromRight += 1) {
    const digit = Number(digits[digits.length - 1 - fromRight])
    const weighed = fromRight % 2 === 0 ? digit : digit * 2
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return digits.length > 0 && sum % 10 === 0
}

/**
 * What the text of a field is worth. Incomplete: more typing can still make it right. The problem is what the shopper is told
 * once the field has been left.
 */
export type FieldCheck =
  | { readonly is: 'ok' }
  | { readonly is: 'incomplete'; readonly problem: FieldProblem }
  | { readonly is: 'wrong'; readonly problem: FieldProblem }

const OK: FieldCheck = { is: 'ok' }
const REQUIRED: FieldCheck = { is: 'incomplete', problem: 'required' }

const notOk = (problem: FieldProblem, canBeCompleted: boolean): FieldCheck => ({
  is: canBeCompleted ? 'incomplete' : 'wrong',
  problem,
})

export const problemOf = (check: FieldCheck): FieldProblem | undefined =>
  check.is === 'ok' ? undefined : check.problem

export const checkCardNumber = (digits: string, mode: PageMode): FieldCheck => {
  if (digits === '') return REQUIRED
  if (!/^\d+$/.test(digits)) return notOk('cardPattern', false)
  const canBeLonger = digits.length < CARD_NUMBER_MAX_DIGITS
  if (digits.length < CARD_NUMBER_MIN_DIGITS || digits.length > CARD_NUMBER_MAX_DIGITS)
    return notOk('cardPattern', canBeLonger)
  if (!passesLuhn(digits)) return notOk('invalidCard', canBeLonger)
  if (mode === 'test' && !TEST_CARD_NUMBERS.includes(digits)) return notOk('notATestCard', canBeLonger)
  return OK
}

export interface Expiry {
  readonly month: number
  readonly year: number
}

/** 4 digits are MMYY, 6 digits are MM20YY; 5 digits are an expiry still being typed. */
export const parseExpiry = (digits: string): Expiry | undefined => {
  if (!/^\d{2}(\d{2}|20\d{2})$/.test(digits)) return undefined
  return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(-2)) }
}

/** The first digits of an MMYY, or of an MM20YY. */
const EXPIRY_BEGUN = /^(?:0|1|(?:0[1-9]|1[0-2])(?:\d|20\d?)?)$/

/** A card is good to the end of its month in Japan, where the merchant's day ends. */
export const checkExpiry = (digits: string, now: Instant): FieldCheck => {
  if (digits === '') return REQUIRED
  const expiry = parseExpiry(digits)
  return expiry !== undefined && isExpiryAhead(expiry, now) ? OK : notOk('expiry', EXPIRY_BEGUN.test(digits))
}

export const isExpiryAhead = ({ month, year }: Expiry, now: Instant): boolean => {
  const today = jstMoment(now)
  if (month < 1 || month > 12 || year > EXPIRY_YEAR_MAX || year < today.year) return false
  return year > today.year || month >= today.month
}

export const checkCvc = (digits: string): FieldCheck => {
  if (digits === '') return REQUIRED
  if (!/^\d+$/.test(digits) || digits.length > CVC_MAX_DIGITS) return notOk('cvc', false)
  return digits.length < CVC_MIN_DIGITS ? notOk('cvc', true) : OK
}

export const checkHolder = (name: string): FieldCheck => {
  if (name.trim() === '') return REQUIRED
  if (!/^[a-z0-9 ]+$/i.test(name) || name.length > HOLDER_MAX_LENGTH) return notOk('holder', false)
  return name.length < HOLDER_MIN_LENGTH ? notOk('holder', true) : OK
}

/**
 * Dots anywhere before the @, as the HTML standard has it: Japanese carriers gave out `taro.@` and `ta..ro@` for years.
 * Literals: a regular expression that is put together would stand in the script before hydration, which has no use for it.
 */
const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/i

/** Nothing in it that no address could begin with. */
const EMAIL_BEGUN = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+(?:@[a-z0-9.-]*)?$/i

export const checkEmail = (address: string): FieldCheck => {
  if (address.trim() === '') return REQUIRED
  if (address.length > EMAIL_MAX_LENGTH || address.indexOf('@') > EMAIL_LOCAL_MAX_LENGTH) return notOk('email', false)
  return EMAIL.test(address) ? OK : notOk('email', EMAIL_BEGUN.test(address))
}
