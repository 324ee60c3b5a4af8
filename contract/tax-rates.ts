/** Tax rates: the consumption tax of Japan in percent, and the mark of goods at the reduced rate. */

export const REDUCED_RATE = 8

/** The highest first, as an invoice shows them; 0 for what bears no tax. */
export const TAX_RATES = [10, REDUCED_RATE, 0] as const
export type TaxRate = (typeof TAX_RATES)[number]

/** Explained at the foot of the invoice. */
export const REDUCED_RATE_MARK = '※'
