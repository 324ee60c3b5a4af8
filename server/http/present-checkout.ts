/** Checkout as the shopper's page reads it: built from what the store knows. */
import { iso, when } from '#contract/answer-fields.ts'
import { PART_REFUNDS_MAX, type CheckoutAnswer } from '#contract/checkout.ts'
import type { ShopFacts } from '#contract/page.ts'
import type { CheckoutReading } from '#payment/checkout.ts'
import { invoiceOf } from '#payment/invoice.ts'
import { commonFacts } from '#payment/merchant-view.ts'
import type { Refund } from '#payment/refund.ts'
import type { TakenCards } from '#payment/start-payment.ts'
import type { MerchantSettings } from '../store/merchant/merchants.ts'

/** The answer to a payment comes without refunds: there are none yet. */
type ShopperReading = CheckoutReading & { readonly refunds?: readonly Refund[] }

/** Part refunds of a paid checkout. A full refund is told by the status. */
const partRefunds = ({ checkout, refunds = [] }: ShopperReading): Pick<CheckoutAnswer, 'refunds'> => {
  if (checkout.state.status !== 'paid') return {}
  const given = refunds
    .flatMap(({ amountYen, state }) => (state.name === 'refunded' ? [{ amountYen, at: state.refundedAt }] : []))
    .toSorted((one, other) => one.at - other.at)
    .slice(-PART_REFUNDS_MAX)
  return given.length === 0
    ? {}
    : { refunds: given.map(({ amountYen, at }) => ({ amount: amountYen, refundedAt: iso(at) })) }
}

/** What every page of a shop shows of it. */
export const presentShop = ({ setting, receipt }: MerchantSettings): ShopFacts => ({ merchant: { setting }, receipt })

/** What a shop shows of itself, and which cards may be sent to its acquirer. */
export interface PresentingShop {
  readonly settings: MerchantSettings
  readonly taken: TakenCards
}

/** A live checkout that takes test cards alone is marked, and what it shows is no invoice: nothing was paid. */
export const presentCheckout = (reading: ShopperReading, { settings, taken }: PresentingShop): CheckoutAnswer => ({
  ...commonFacts(reading),
  ...presentShop(settings),
  ...when(invoiceOf(reading.checkout), (invoice) => ({
    invoice: { ...invoice, isSample: invoice.isSample || taken === 'test' },
  })),
  ...partRefunds(reading),
  ...(taken === 'test' && reading.checkout.mode === 'live' ? { testCardsOnly: true } : {}),
})

/** A cancel that lost to a payment must not send the shopper to the page that says "cancelled". */
export const presentCancelled = (reading: CheckoutReading, shop: PresentingShop): CheckoutAnswer => {
  const answer = presentCheckout(reading, shop)
  if (answer.status === 'cancelled') return answer
  const { cancelUrl: _withheld, ...links } = answer.links
  return { ...answer, links }
}
