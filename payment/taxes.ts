/** Taxes: how an amount divides by tax rate, when a checkout is created and when it is refunded. */
import { refuseField, type Refusal } from '#contract/errors.ts'
import type { TaxAmount } from '#contract/invoice.ts'
import { TAX_RATES, type TaxRate } from '#contract/tax-rates.ts'

export type Taxes = readonly TaxAmount[]

const sumOf = (taxes: Taxes): number => taxes.reduce((sum, { amount }) => sum + amount, 0)

export const amountAt = (taxes: Taxes, rate: TaxRate): number => sumOf(taxes.filter((each) => each.rate === rate))

/** Every rate that money belongs to, the highest first. */
export const taxesByRate = (taxes: Taxes): Taxes =>
  TAX_RATES.map((rate) => ({ rate, amount: amountAt(taxes, rate) })).filter(({ amount }) => amount > 0)

export const isSameTaxes = (one: Taxes, other: Taxes): boolean =>
  TAX_RATES.every((rate) => amountAt(one, rate) === amountAt(other, rate))

/** What is wrong with the taxes of an amount, as a refusal that names the field. */
export const refuseTaxes = (taxes: Taxes, amountYen: number): Refusal | undefined => {
  // Two lines of one rate would invite a reader to round each of them.
  if (new Set(taxes.map(({ rate }) => rate)).size < taxes.length)
    return refuseField('taxes', 'names a rate twice. Send one total for each rate.')
  if (sumOf(taxes) !== amountYen)
    return refuseField('taxes', 'does not add up to the amount. Send amounts with the tax included.')
  return undefined
}

/** What is left at each rate when these parts of it are given back, or may be. */
const taxesLeft = (taxes: Taxes, givenBack: readonly Taxes[]): Taxes =>
  taxesByRate(taxes).map(({ rate, amount }) => ({ rate, amount: amount - amountAt(givenBack.flat(), rate) }))

export interface TaxesOfRefund {
  /** Of the checkout; null where it was created without. */
  readonly taxes: Taxes | null
  /** Of each earlier refund that is made or may still be made. */
  readonly givenBack: readonly Taxes[]
  readonly amountYen: number
  /** As the merchant said; null where nothing was said. */
  readonly asked: Taxes | null
}

/**
 * How a refund divides by rate. Unsaid, it is known where all that is left is given back, and where only one rate is left.
 * Otherwise the merchant must say: to guess would put a wrong tax into two sets of books.
 */
export const taxesOfRefund = ({ taxes, givenBack, amountYen, asked }: TaxesOfRefund): Taxes | null | Refusal => {
  if (taxes === null)
    return asked === null
      ? null
      : refuseField('taxes', 'cannot be given: the checkout was created without taxes. Leave it out.')
  const left = taxesLeft(taxes, givenBack)
  if (asked !== null) return refuseTaxes(asked, amountYen) ?? refuseMoreThanLeft(asked, left) ?? asked
  const [only, ...others] = taxesByRate(left)
  if (sumOf(left) === amountYen) return taxesByRate(left)
  return only !== undefined && others.length === 0
    ? [{ rate: only.rate, amount: amountYen }]
    : refuseField('taxes', 'is missing. The payment has several tax rates: say how much of the refund is at each.')
}

const refuseMoreThanLeft = (asked: Taxes, left: Taxes): Refusal | undefined => {
  const over = asked.find(({ rate, amount }) => amount > amountAt(left, rate))
  return over === undefined
    ? undefined
    : refuseField('taxes', `has more at ${over.rate} % than is left at that rate: ${amountAt(left, over.rate)} yen.`)
}
