/** Requests of the acquirer's API: parsed, or refused by the name of the wrong field. */
import { passesLuhn } from '../cards/cards.ts'
import { DISPUTE_STATUSES, type DisputeStatus } from './dispute-store.ts'
import { isJsonObject, parseJsonObject } from '../http/json.ts'

export interface MalformedRequest {
  readonly kind: 'malformed'
  readonly field: string
  readonly message: string
}

export interface CardDetails {
  readonly number: string
  readonly expiryMonth: number
  readonly expiryYear: number
}

interface ChargeRequest {
  readonly kind: 'charge'
  readonly amountYen: number
  readonly card: CardDetails
}

interface RefundRequest {
  readonly kind: 'refund'
  readonly amountYen: number
}

interface ListRequest {
  readonly kind: 'list'
  readonly after: number
  readonly limit: number
  /** Charged or refunded in this time, or not charged. */
  readonly from: number
  readonly to: number
}

/** Request validation: a message names the field and never quotes it, for it may be a card number in the wrong place. */
const malformed = (field: string, message: string): MalformedRequest => ({ kind: 'malformed', field, message })

const isIntegerBetween = (value: unknown, from: number, to: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && from <= value && value <= to

const AMOUNT_MIN_YEN = 1
const AMOUNT_MAX_YEN = 9_999_999
const AMOUNT_RULE = `must be a whole number of yen from ${AMOUNT_MIN_YEN} to ${AMOUNT_MAX_YEN}`

export const parseChargeRequest = (text: string): ChargeRequest | MalformedRequest => {
  const body = parseJsonObject(text)
  if (body === undefined) return malformed('body', 'must be a JSON object')
  const { amount, currency, card, authentication } = body
  if (!isIntegerBetween(amount, AMOUNT_MIN_YEN, AMOUNT_MAX_YEN)) return malformed('amount', AMOUNT_RULE)
  if (currency !== 'JPY') return malformed('currency', 'must be JPY')
  if (!isJsonObject(card)) return malformed('card', 'must be an object')
  const { number, expiryMonth, expiryYear, cvc, holderName } = card
  if (typeof number !== 'string' || !/^\d{12,19}$/.test(number)) {
    return malformed('card.number', 'must be a text of 12 to 19 digits')
  }
  if (!passesLuhn(number)) return malformed('card.number', 'has a wrong check digit')
  if (!isIntegerBetween(expiryMonth, 1, 12)) return malformed('card.expiryMonth', 'must be a whole number from 1 to 12')
  if (!isIntegerBetween(expiryYear, 2000, 2100)) {
    return malformed('card.expiryYear', 'must be a whole number of four digits from 2000 to 2100')
  }
  if (typeof cvc !== 'string' || !/^\d{3,4}$/.test(cvc)) {
    return malformed('card.cvc', 'must be a text of 3 or 4 digits')
  }
  if (typeof holderName !== 'string' || holderName.trim() === '' || holderName.length > 100) {
    return malformed('card.holderName', 'must be a text of 1 to 100 characters')
  }
  if (authentication !== undefined && authentication !== null && !isJsonObject(authentication)) {
    return malformed('authentication', 'must be an object, null or absent')
  }
  return { kind: 'charge', amountYen: amount, card: { number, expiryMonth, expiryYear } }
}

export const parseRefundRequest = (text: string): RefundRequest | MalformedRequest => {
  const body = parseJsonObject(text)
  if (body === undefined) return malformed('body', 'must be a JSON object')
  const { amount } = body
  return isIntegerBetween(amount, AMOUNT_MIN_YEN, AMOUNT_MAX_YEN)
    ? { kind: 'refund', amountYen: amount }
    : malformed('amount', AMOUNT_RULE)
}

interface DisputeRequest {
  readonly kind: 'dispute'
  readonly transactionId: string
  readonly status: DisputeStatus
}

export const parseDisputeRequest = (text: string): DisputeRequest | MalformedRequest => {
  const body = parseJsonObject(text)
  if (body === undefined) return malformed('body', 'must be a JSON object')
  const { transactionId, status } = body
  if (typeof transactionId !== 'string' || !isId(transactionId))
    return malformed('transactionId', 'must be the id of a charge')
  const wanted = DISPUTE_STATUSES.find((each) => each === status)
  return wanted === undefined
    ? malformed('status', `must be one of ${DISPUTE_STATUSES.join(', ')}`)
    : { kind: 'dispute', transactionId, status: wanted }
}

const isCursor = (value: string): boolean => /^\d{1,15}$/.test(value)

export const parseListRequest = (query: URLSearchParams): ListRequest | MalformedRequest => {
  const after = query.get('after') ?? '0'
  const limit = query.get('limit') ?? '100'
  if (!isCursor(after)) return malformed('after', 'must be a sequence number')
  if (!isCursor(limit) || !isIntegerBetween(Number(limit), 1, 1000)) {
    return malformed('limit', 'must be a whole number from 1 to 1000')
  }
  const from = query.get('from') ?? '0'
  const to = query.get('to') ?? String(Number.MAX_SAFE_INTEGER)
  if (!/^\d{1,16}$/.test(from) || !/^\d{1,16}$/.test(to))
    return malformed('from and to', 'must be milliseconds since 1970')
  return { kind: 'list', after: Number(after), limit: Number(limit), from: Number(from), to: Number(to) }
}

export const isId = (value: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(value)
