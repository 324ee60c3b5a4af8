/** Taxes: the amounts by tax rate of a checkout and of a refund. */
import { refuseField, type Refusal } from '#contract/errors.ts'
import { amountAt, sumOf, taxesByRate, type Taxes } from '#contract/invoice-figures.ts'
import { TAX_RATES } from '#contract/tax-rates.ts'

export const isSameTaxes = (one: Taxes, other: Taxes): boolean =>
  TAX_RATES.every((rate) => amountAt(one, rate) === amountAt(other, rate))

/** Refuses taxes that do not fit the amount. */
export const refuseTaxes = (taxes: Taxes, amountYen: number): Refusal | undefined => {
  // A reader would round each of two lines of one rate.
  if (new Set(taxes.map(({ rate }) => rate)).size < taxes.length)
    return refuseField('taxes', 'names a rate twice. Send one total for each rate.')
  if (sumOf(taxes) !== amountYen)
    return refuseField('taxes', 'does not add up to the amount. Send amounts with the tax included.')
  return undefined
}

/** What is left at each rate after these refunds. */
const taxesLeft = (taxes: Taxes, givenBack: readonly Taxes[]): Taxes =>
  taxesByRate(taxes).map(({ rate, amount }) => ({ rate, amount: amount - amountAt(givenBack.flat(), rate) }))

export interface TaxesOfRefund {
  /** Of the checkout; null: it was created without taxes. */
  readonly taxes: Taxes | null
  /** Of each earlier refund that is made or may still be made. */
  readonly givenBack: readonly Taxes[]
  readonly amountYen: number
  /** As the merchant sent them; null: not sent. */
  readonly asked: Taxes | null
}

/**
 * The amounts of a refund by tax rate. If the merchant does not send them, they are known when the rest is refunded or when only
 * one rate is left. Otherwise the merchant must send them: a guess would put a wrong tax into two ledgers.
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
