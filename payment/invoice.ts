/** Invoice: the contents and figures of a qualified simplified invoice (適格簡易請求書). */
import { invoiceFigures, type Taxes } from '#contract/invoice-figures.ts'
import type { InvoiceFacts, ReturnInvoiceFacts } from '#contract/invoice.ts'
import { jstDate, type Instant } from '#contract/jst.ts'
import type { Checkout } from './checkout.ts'

/** The invoice of a paid checkout; null: the receipt is a plain one. A full refund removes it, a partial one does not. */
export const invoiceOf = ({ state, taxes, subject, mode }: Checkout): InvoiceFacts | null => {
  if (state.status !== 'paid' || taxes === null || subject === null) return null
  const { invoiceIssuer, paidAt } = state.payment
  if (invoiceIssuer === null) return null
  return {
    registrationNumber: invoiceIssuer.registrationNumber,
    issuer: invoiceIssuer.name,
    date: jstDate(paidAt),
    ...invoiceFigures(subject, taxes),
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
    ...invoiceFigures(subject, taxes),
    isSample: mode === 'test',
  }
}
