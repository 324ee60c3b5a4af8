/** Tax rates: the consumption tax of Japan in percent. */
import { REDUCED_RATE } from './reduced-rate.ts'

/** The highest first, as an invoice shows them; 0 for what bears no tax. */
export const TAX_RATES = [10, REDUCED_RATE, 0] as const
export type TaxRate = (typeof TAX_RATES)[number]
