/** Invoice of a previewed receipt: a sample, by the rules of a real one. */
import { invoiceFigures, sumOf } from '#contract/invoice-figures.ts'
import type { InvoiceFacts, TaxAmount } from '#contract/invoice.ts'
import { endOfJstDay, type Instant } from '#contract/jst.ts'
import { TAX_RATES } from '#contract/tax-rates.ts'

const NUMBER = /^T\d{13}$/
const TAX = /^(\d{1,2}):(\d{1,7})$/

/** Such as `10:1000,8:980`: a rate and its total, tax included. */
const readTaxes = (text: string): TaxAmount[] =>
  text.split(',', TAX_RATES.length).flatMap((part) => {
    const [, rateText, amountText] = TAX.exec(part) ?? []
    const rate = TAX_RATES.find((each) => String(each) === rateText)
    return rate === undefined ? [] : [{ rate, amount: Number(amountText) }]
  })

interface InvoiceParameters {
  readonly number: string
  readonly taxes: string
  readonly amount: number
  readonly subject: string | undefined
  readonly shopName: string
  readonly now: Instant
}

/** Undefined where a real receipt would be a plain one: without a number, a subject, or taxes that add up to the amount. */
export const previewedInvoice = (given: InvoiceParameters): InvoiceFacts | undefined => {
  const { number, amount, subject, shopName, now } = given
  const taxes = readTaxes(given.taxes)
  if (!NUMBER.test(number) || subject === undefined || amount < 1 || sumOf(taxes) !== amount) return undefined
  return {
    registrationNumber: number,
    issuer: shopName,
    // Where a day of Japan ends it is the same day in UTC.
    date: new Date(endOfJstDay(now)).toISOString().slice(0, 10),
    ...invoiceFigures(subject, taxes),
    isSample: true,
  }
}
