/** Invoice: the contents and figures of a qualified simplified invoice (適格簡易請求書). */
import type { InvoiceFacts, ReturnInvoiceFacts, TaxAmount } from '#contract/invoice.ts'
import { REDUCED_RATE, REDUCED_RATE_MARK } from '#contract/tax-rates.ts'
import { jstDate, type Instant } from '#contract/jst.ts'
import type { Checkout } from './checkout.ts'
import { amountAt, taxesByRate, type Taxes } from './taxes.ts'

/** The tax contained in the total of one rate. The law allows one rounding for each rate of an invoice; we round down. */
export const taxContained = ({ rate, amount }: TaxAmount): number => Math.floor((amount * rate) / (100 + rate))

/** What was sold, marked if the reduced rate applies. Only the merchant knows which of several goods to mark. */
const markedContent = (subject: string, taxes: Taxes): string => {
  if (amountAt(taxes, REDUCED_RATE) === 0 || subject.includes(REDUCED_RATE_MARK)) return subject
  return taxesByRate(taxes).length === 1 ? `${subject} ${REDUCED_RATE_MARK}` : `${subject}（一部${REDUCED_RATE_MARK}）`
}

const totalsOf = (taxes: Taxes): InvoiceFacts['totals'] =>
  taxesByRate(taxes).map((each) => ({ ...each, tax: taxContained(each) }))

/** The invoice of a paid checkout; null: the receipt is a plain one. A full refund removes it, a partial one does not. */
export const invoiceOf = ({ state, taxes, subject, mode }: Checkout): InvoiceFacts | null => {
  if (state.status !== 'paid' || taxes === null || subject === null) return null
  const { invoiceIssuer, paidAt } = state.payment
  if (invoiceIssuer === null) return null
  return {
    registrationNumber: invoiceIssuer.registrationNumber,
    issuer: invoiceIssuer.name,
    date: jstDate(paidAt),
    content: markedContent(subject, taxes),
    totals: totalsOf(taxes),
    isSample: mode === 'test',
  }
}

/**
 * The qualified return invoice (適格返還請求書) of a refund, if the sale had an invoice. Its content is the sale's, marked if the
 * refund is at the reduced rate.
 */
export const returnInvoiceOf = (
  { state, subject, mode }: Checkout,
  { taxes, refundedAt }: { readonly taxes: Taxes | null; readonly refundedAt: Instant },
): ReturnInvoiceFacts | null => {
  if (!('payment' in state) || taxes === null || subject === null) return null
  const { invoiceIssuer, paidAt } = state.payment
  if (invoiceIssuer === null) return null
  return {
    registrationNumber: invoiceIssuer.registrationNumber,
    issuer: invoiceIssuer.name,
    soldOn: jstDate(paidAt),
    returnedOn: jstDate(refundedAt),
    content: markedContent(subject, taxes),
    totals: totalsOf(taxes),
    isSample: mode === 'test',
  }
}
