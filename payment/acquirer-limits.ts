/** Acquirer limits: the kinds of acquirers, and the amounts and brands that each takes. */
import { CARD_BRANDS, type CardBrand } from '#contract/brands.ts'
import { refuseField, type Refusal } from '#contract/errors.ts'
import { withThousandsSeparators } from '#contract/yen.ts'

export const ACQUIRER_KINDS = ['stripe', 'adyen'] as const
export type AcquirerKind = (typeof ACQUIRER_KINDS)[number]

export const isAcquirerKind = (word: string): word is AcquirerKind => ACQUIRER_KINDS.some((kind) => kind === word)

/** No acquirer moves more yen at once: what says so is no amount, and would overflow the sums that it is counted into. */
export const MOVED_YEN_MAX = 99_999_999

/** Whether one movement of an acquirer can have this amount: a charge, a refund, a chargeback. */
export const isMovedYen = (amount: number): boolean =>
  Number.isInteger(amount) && amount >= 0 && amount <= MOVED_YEN_MAX

interface AcquirerLimits {
  /** As people write it. */
  readonly name: string
  /** In yen, both ends included. */
  readonly amount: { readonly from: number; readonly to: number }
  readonly brands: readonly CardBrand[]
}

export const ACQUIRER_LIMITS: Readonly<Record<AcquirerKind, AcquirerLimits>> = {
  // Stripe, "Minimum and maximum charge amounts": 50 yen, at most eight digits. A Japanese account takes all brands once JCB
  // has approved it (support.stripe.com, "Enabling JCB payments for Japan-based Stripe accounts").
  stripe: { name: 'Stripe', amount: { from: 50, to: MOVED_YEN_MAX }, brands: CARD_BRANDS },
  // Adyen takes whatever a contract names. Its Checkout schema names Discover beside Visa, Mastercard, JCB and Diners where it
  // speaks of Japanese statements (localizedShopperStatement), but no document of it lists the brands in Japan.
  adyen: {
    name: 'Adyen',
    amount: { from: 1, to: MOVED_YEN_MAX },
    brands: CARD_BRANDS.filter((brand) => brand !== 'discover'),
  },
}

/** Why the acquirer of a shop would charge no card for this amount. `acquirer` null: the sandbox, which has no limits. */
export const refuseAmount = (amountYen: number, acquirer: AcquirerKind | null): Refusal | undefined => {
  if (acquirer === null) return undefined
  const { name, amount } = ACQUIRER_LIMITS[acquirer]
  if (amountYen >= amount.from && amountYen <= amount.to) return undefined
  const [from, to] = [amount.from, amount.to].map(withThousandsSeparators)
  return refuseField(
    'amount',
    `is ${withThousandsSeparators(amountYen)} yen, and ${name}, the acquirer of this shop, takes ${from} to ${to} yen. Give an amount between them.`,
  )
}

/** The brands that the acquirer takes of these, or why no card could pay. */
export const brandsTaken = (
  accepted: readonly CardBrand[],
  acquirer: AcquirerKind | null,
): readonly CardBrand[] | Refusal => {
  if (acquirer === null) return accepted
  const { name, brands } = ACQUIRER_LIMITS[acquirer]
  const taken = accepted.filter((brand) => brands.includes(brand))
  return taken.length > 0
    ? taken
    : refuseField(
        'acceptedCardBrands',
        `names no brand that ${name}, the acquirer of this shop, takes. Give one or more of ${brands.join(', ')}.`,
      )
}
