import { isJsonObject, isText } from '../parse-answers.ts'

/** A part of a payment that was given back, as the receipt shows it. */
export interface PageRefund {
  readonly amount: number
  readonly refundedAt: number
}

/** Parser of a receipt's part refunds. One that cannot be read is left out: the others stand. */
export const parseRefunds = (value: unknown): PageRefund[] =>
  Array.isArray(value)
    ? value.flatMap((item: unknown) => {
        if (!isJsonObject(item)) return []
        const { amount } = item
        const refundedAt = isText(item['refundedAt']) ? Date.parse(item['refundedAt']) : Number.NaN
        return Number.isSafeInteger(amount) && typeof amount === 'number' && !Number.isNaN(refundedAt)
          ? [{ amount, refundedAt }]
          : []
      })
    : []
