/** Parser of a receipt's part refunds. One that cannot be read is left out: the others stand. */
import { isJsonObject, isText } from '../parse-answers.ts'
import { isYen } from './parse-invoice.ts'

/** A part of a payment that was given back, as the receipt shows it. */
export interface PageRefund {
  readonly amount: number
  readonly refundedAt: number
}

const parseRefund = (item: unknown): PageRefund[] => {
  if (!isJsonObject(item)) return []
  const { amount, refundedAt: text } = item
  const refundedAt = isText(text) ? Date.parse(text) : 0
  return isYen(amount) && refundedAt > 0 ? [{ amount, refundedAt }] : []
}

export const parseRefunds = (value: unknown): PageRefund[] => (Array.isArray(value) ? value.flatMap(parseRefund) : [])
