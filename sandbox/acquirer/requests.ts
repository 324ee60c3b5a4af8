import { passesLuhn } from '../cards/cards.ts'

export type Malformed = { kind: 'malformed'; field: string; message: string }

type CardDetails = { number: string; expiryMonth: number; expiryYear: number }

type ChargeRequest = { kind: 'charge'; amountYen: number; card: CardDetails }

type RefundRequest = { kind: 'refund'; amountYen: number }

type PageRequest = { kind: 'page'; after: number; limit: number }

// The messages never quote what was sent: it may be a card number in the wrong place.
const malformed = (field: string, message: string): Malformed => ({ kind: 'malformed', field, message })

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isWhole = (value: unknown, from: number, to: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && from <= value && value <= to

const amountFrom = 1
const amountTo = 9_999_999
const amountRule = `must be a whole number of yen from ${amountFrom} to ${amountTo}`

const parseBody = (body: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(body)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const readCharge = (text: string): ChargeRequest | Malformed => {
  const body = parseBody(text)
  if (!body) return malformed('body', 'must be a JSON object')
  const { amount, currency, card, authentication } = body
  if (!isWhole(amount, amountFrom, amountTo)) return malformed('amount', amountRule)
  if (currency !== 'JPY') return malformed('currency', 'must be JPY')
  if (!isRecord(card)) return malformed('card', 'must be an object')
  const { number, expiryMonth, expiryYear, cvc, holderName } = card
  if (typeof number !== 'string' || !/^\d{12,19}$/.test(number)) {
    return malformed('card.number', 'must be a text of 12 to 19 digits')
  }
  if (!passesLuhn(number)) return malformed('card.number', 'has a wrong check digit')
  if (!isWhole(expiryMonth, 1, 12)) return malformed('card.expiryMonth', 'must be a whole number from 1 to 12')
  if (!isWhole(expiryYear, 2000, 2100)) {
    return malformed('card.expiryYear', 'must be a whole number of four digits from 2000 to 2100')
  }
  if (typeof cvc !== 'string' || !/^\d{3,4}$/.test(cvc)) {
    return malformed('card.cvc', 'must be a text of 3 or 4 digits')
  }
  if (typeof holderName !== 'string' || holderName.trim() === '' || holderName.length > 100) {
    return malformed('card.holderName', 'must be a text of 1 to 100 characters')
  }
  if (authentication !== undefined && authentication !== null && !isRecord(authentication)) {
    return malformed('authentication', 'must be an object, null or absent')
  }
  return { kind: 'charge', amountYen: amount, card: { number, expiryMonth, expiryYear } }
}

export const readRefundRequest = (text: string): RefundRequest | Malformed => {
  const body = parseBody(text)
  if (!body) return malformed('body', 'must be a JSON object')
  const { amount } = body
  return isWhole(amount, amountFrom, amountTo) ? { kind: 'refund', amountYen: amount } : malformed('amount', amountRule)
}

const isCursor = (value: string): boolean => /^\d{1,15}$/.test(value)

export const readPage = (query: URLSearchParams): PageRequest | Malformed => {
  const after = query.get('after') ?? '0'
  const limit = query.get('limit') ?? '100'
  if (!isCursor(after)) return malformed('after', 'must be a sequence number')
  if (!isCursor(limit) || !isWhole(Number(limit), 1, 1000)) {
    return malformed('limit', 'must be a whole number from 1 to 1000')
  }
  return { kind: 'page', after: Number(after), limit: Number(limit) }
}

export const isId = (value: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(value)
