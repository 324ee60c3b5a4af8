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

export const cardNumberProblem = (digits: string, mode: PageMode): FieldProblem | undefined => {
  if (digits === '') return 'required'
  if (!/^\d+$/.test(digits) || digits.length < CARD_NUMBER_MIN_DIGITS || digits.length > CARD_NUMBER_MAX_DIGITS)
    return 'cardPattern'
  if (!passesLuhn(digits)) return 'invalidCard'
  if (mode === 'test' && !TEST_CARD_NUMBERS.includes(digits)) return 'notATestCard'
  return undefined
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

/** A card is good to the end of its month in Japan, where the merchant's day ends. */
export const expiryProblem = (digits: string, now: Instant): FieldProblem | undefined => {
  if (digits === '') return 'required'
  const expiry = parseExpiry(digits)
  if (expiry === undefined) return 'expiry'
  return isExpiryAhead(expiry, now) ? undefined : 'expiry'
}

export const isExpiryAhead = ({ month, year }: Expiry, now: Instant): boolean => {
  const today = jstMoment(now)
  if (month < 1 || month > 12 || year > EXPIRY_YEAR_MAX || year < today.year) return false
  return year > today.year || month >= today.month
}

export const cvcProblem = (digits: string): FieldProblem | undefined => {
  if (digits === '') return 'required'
  return /^\d+$/.test(digits) && digits.length >= CVC_MIN_DIGITS && digits.length <= CVC_MAX_DIGITS ? undefined : 'cvc'
}

export const holderProblem = (name: string): FieldProblem | undefined => {
  if (name.trim() === '') return 'required'
  return /^[a-z0-9 ]+$/i.test(name) && name.length >= HOLDER_MIN_LENGTH && name.length <= HOLDER_MAX_LENGTH
    ? undefined
    : 'holder'
}

const DOMAIN_LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const EMAIL = new RegExp(
  `^[a-z0-9!#$%&'*+/=?^_\`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_\`{|}~-]+)*@(?:${DOMAIN_LABEL}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$`,
  'i',
)

export const emailProblem = (address: string): FieldProblem | undefined => {
  if (address.trim() === '') return 'required'
  if (address.length > EMAIL_MAX_LENGTH || address.indexOf('@') > EMAIL_LOCAL_MAX_LENGTH) return 'email'
  return EMAIL.test(address) ? undefined : 'email'
}
