/** Parser of a receipt's invoice. A part that is missing makes it none: half an invoice must not look like a whole one. */
import type { InvoiceFacts } from '#contract/invoice.ts'
import { isJsonObject, isText } from '../parse-answers.ts'

type Total = Omit<InvoiceFacts['totals'][number], 'rate'> & { readonly rate: number }

/** The invoice as the page holds it. */
export type PageInvoice = Omit<InvoiceFacts, 'totals'> & { readonly totals: readonly Total[] }

export const isYen = (value: unknown): value is number => Number.isSafeInteger(value)

const parseTotal = (value: unknown): Total | undefined => {
  if (!isJsonObject(value)) return undefined
  const { rate, amount, tax } = value
  return isYen(rate) && isYen(amount) && isYen(tax) ? { rate, amount, tax } : undefined
}

export const parseInvoice = (value: unknown): PageInvoice | undefined => {
  if (!isJsonObject(value)) return undefined
  const { registrationNumber, issuer, date, content, totals, isSample } = value
  if (!isText(registrationNumber) || !isText(issuer) || !isText(date) || !isText(content) || !Array.isArray(totals))
    return undefined
  const parsed = totals.flatMap((total: unknown) => parseTotal(total) ?? [])
  return parsed.length === 0 || parsed.length < totals.length
    ? undefined
    : { registrationNumber, issuer, date, content, totals: parsed, isSample: isSample !== false }
}
