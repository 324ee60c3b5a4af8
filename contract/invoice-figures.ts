/** Figures of an invoice: amounts by tax rate, the tax contained in each, and the mark of goods at the reduced rate. */
import type { InvoiceFacts, TaxAmount } from './invoice.ts'
import { REDUCED_RATE, REDUCED_RATE_MARK } from './reduced-rate.ts'
import { TAX_RATES, type TaxRate } from './tax-rates.ts'

export type Taxes = readonly TaxAmount[]

export const sumOf = (taxes: Taxes): number => taxes.reduce((sum, { amount }) => sum + amount, 0)

export const amountAt = (taxes: Taxes, rate: TaxRate): number => sumOf(taxes.filter((each) => each.rate === rate))

/** The rates with an amount, the highest first. */
export const taxesByRate = (taxes: Taxes): Taxes =>
  TAX_RATES.map((rate) => ({ rate, amount: amountAt(taxes, rate) })).filter(({ amount }) => amount > 0)

/** The tax contained in the total of one rate. The law allows one rounding for each rate of an invoice; we round down. */
export const taxContained = ({ rate, amount }: TaxAmount): number => Math.floor((amount * rate) / (100 + rate))

/** What was sold, marked if the reduced rate applies. Only the merchant knows which of several goods to mark. */
const markedContent = (subject: string, taxes: Taxes): string => {
  if (amountAt(taxes, REDUCED_RATE) === 0 || subject.includes(REDUCED_RATE_MARK)) return subject
  return taxesByRate(taxes).length === 1 ? `${subject} ${REDUCED_RATE_MARK}` : `${subject}（一部${REDUCED_RATE_MARK}）`
}

/** What an invoice says of the goods. */
export const invoiceFigures = (subject: string, taxes: Taxes): Pick<InvoiceFacts, 'content' | 'totals'> => ({
  content: markedContent(subject, taxes),
  totals: taxesByRate(taxes).map((each) => ({ ...each, tax: taxContained(each) })),
})
