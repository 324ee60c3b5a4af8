/** Taxes: an amount split by rate of consumption tax; what a checkout and a refund may say of it. */
import { refuseField, type Refusal } from '#contract/errors.ts'
import type { TaxAmount } from '#contract/merchant-facts.ts'

const sumOf = (taxes: readonly TaxAmount[]): number => taxes.reduce((sum, { amount }) => sum + amount, 0)

const refuseSplit = (taxes: readonly TaxAmount[], amountYen: number): Refusal | undefined => {
  if (new Set(taxes.map(({ rate }) => rate)).size < taxes.length)
    return refuseField('taxes', 'names a rate twice. Add its amounts up.')
  return sumOf(taxes) === amountYen ? undefined : refuseField('taxes', `must add up to the amount, ${amountYen} yen.`)
}

/** Of a new checkout: an invoice must say what was bought. */
export const refuseTaxes = (
  taxes: readonly TaxAmount[] | undefined,
  { amount, subject }: { readonly amount: number; readonly subject?: string },
): Refusal | undefined => {
  if (taxes === undefined) return undefined
  if (subject === undefined || subject.trim() === '')
    return refuseField('subject', 'is missing. A checkout with taxes needs one: an invoice says what was bought.')
  return refuseSplit(taxes, amount)
}

/** Of a refund: no rate gives back more than was paid at it, as far as refunds have said of what they are. */
export const refuseRefundTaxes = (
  taxes: readonly TaxAmount[],
  amountYen: number,
  paid: readonly TaxAmount[] | null,
  earlier: readonly (readonly TaxAmount[])[],
): Refusal | undefined => {
  if (paid === null) return refuseField('taxes', 'cannot be given: the checkout has none. Leave them out.')
  const leftAt = (rate: number): number => {
    const at = (split: readonly TaxAmount[]): number => sumOf(split.filter((each) => each.rate === rate))
    return at(paid) - earlier.reduce((sum, split) => sum + at(split), 0)
  }
  const over = taxes.find(({ rate, amount }) => amount > leftAt(rate))
  if (over !== undefined)
    return refuseField(
      'taxes',
      `gives back more at ${over.rate} % than the ${leftAt(over.rate)} yen that are left of it.`,
    )
  return refuseSplit(taxes, amountYen)
}

/** Whether two splits say the same, in any order. */
export const isSameSplit = (one: readonly TaxAmount[], other: readonly TaxAmount[]): boolean =>
  one.length === other.length &&
  one.every(({ rate, amount }) => other.some((each) => each.rate === rate && each.amount === amount))
