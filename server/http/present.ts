/** Answers: checkouts and refunds as shopper and merchant read them. */
import type { MeAnswer } from '#contract/api-key.ts'
import { inDisplayOrder } from '#contract/brands.ts'
import type { CheckoutAnswer } from '#contract/checkout.ts'
import type { MerchantCheckoutAnswer, RefundAnswer } from '#contract/merchant.ts'
import { maskedNumber } from '#payment/card-number.ts'
import { stateAsRead, type CheckoutState } from '#payment/checkout.ts'
import { invoiceOf } from '#payment/invoice.ts'
import { refundedYen, type Refund, type RefundStateName } from '#payment/refund.ts'
import type { CheckoutReading } from '../operations/read-checkout.ts'
import type { KeyHolder, MerchantSettings } from '../store/merchants.ts'

export const iso = (instant: number): string => new Date(instant).toISOString()

/** A field that is not set is left out of the answer, not sent as null. */
const when = <V, T extends object>(value: V | null, field: (value: V) => T): T | undefined =>
  value === null ? undefined : field(value)

const paymentFacts = (state: CheckoutState): Pick<CheckoutAnswer, 'transactionId' | 'paidAt' | 'card'> | undefined => {
  if (state.status !== 'paid' && state.status !== 'refunded') return undefined
  const { transactionId, paidAt, card } = state.payment
  return { transactionId, paidAt: iso(paidAt), card: { brand: card.brand, number: maskedNumber(card) } }
}

const commonFacts = (reading: CheckoutReading) => {
  const { checkout, inFlight } = reading
  const state = stateAsRead(reading, reading.now)
  return {
    id: checkout.id,
    status: state.status,
    amount: checkout.amountYen,
    ...when(checkout.subject, (subject) => ({ subject })),
    validUntil: iso(checkout.validUntil),
    ...when(checkout.remarks, (remarks) => ({ remarks })),
    acceptedCardBrands: inDisplayOrder(checkout.acceptedCardBrands),
    links: {
      ...when(checkout.cancelUrl, (cancelUrl) => ({ cancelUrl })),
      ...when(checkout.redirectUrl, (redirectUrl) => ({ redirectUrl })),
    },
    ...when(checkout.locale, (locale) => ({ locale })),
    ...paymentFacts(state),
    paymentPending: state.status === 'open' && inFlight !== null,
  }
}

/** The checkout in the words of the shopper's page. */
export const presentCheckout = (reading: CheckoutReading, settings: MerchantSettings): CheckoutAnswer => ({
  ...commonFacts(reading),
  merchant: { setting: settings.setting },
  receipt: settings.receipt,
  ...when(invoiceOf(reading.checkout), (invoice) => ({ invoice })),
})

/** A cancel that lost to a payment must not send the shopper to the page that says "cancelled". */
export const presentCancelled = (reading: CheckoutReading, settings: MerchantSettings): CheckoutAnswer => {
  const answer = presentCheckout(reading, settings)
  if (answer.status === 'cancelled') return answer
  const { cancelUrl: _withheld, ...links } = answer.links
  return { ...answer, links }
}

const doubtOf = ({ inFlight }: CheckoutReading): Pick<MerchantCheckoutAnswer, 'doubt'> => {
  if (inFlight?.state.name !== 'unknown') return {}
  const { since, nextInquiryAt } = inFlight.state
  return { doubt: { since: iso(since), nextInquiryAt: iso(nextInquiryAt) } }
}

/** What its merchant reads of a checkout wherever it stands. */
export const merchantFacts = (reading: CheckoutReading, refunded: number, origin: string): MerchantCheckoutAnswer => ({
  ...commonFacts(reading),
  url: `${origin}/${reading.checkout.id}`,
  mode: reading.checkout.mode,
  metadata: { ...reading.checkout.metadata },
  ...when(reading.checkout.taxes, (taxes) => ({ taxes: [...taxes] })),
  createdAt: iso(reading.checkout.createdAt),
  refundedAmount: refunded,
  ...when(reading.checkout.reference, (reference) => ({ reference })),
  ...doubtOf(reading),
})

export const presentToMerchant = (
  reading: CheckoutReading,
  refunds: readonly Refund[],
  origin: string,
): MerchantCheckoutAnswer => merchantFacts(reading, refundedYen(refunds), origin)

const refundStatus: Record<RefundStateName, RefundAnswer['status']> = {
  requested: 'pending',
  unknown: 'pending',
  refunded: 'refunded',
  refused: 'refused',
}

export const presentRefund = ({
  refundId,
  checkoutId,
  amountYen,
  taxes,
  requestedAt,
  state,
}: Refund): RefundAnswer => ({
  refundId,
  checkoutId,
  amount: amountYen,
  ...when(taxes, (known) => ({ taxes: [...known] })),
  status: refundStatus[state.name],
  requestedAt: iso(requestedAt),
  ...(state.name === 'refunded' ? { refundedAt: iso(state.refundedAt) } : {}),
  ...(state.name === 'refused' ? { reason: state.reason } : {}),
})

export const presentMe = ({ merchant, mode, key }: KeyHolder): MeAnswer => ({
  merchant: { label: merchant.label, name: merchant.settings.receipt.shopName },
  mode,
  key: {
    access: key.access,
    ...when(key.hint, (hint) => ({ hint })),
    ...when(key.name, (name) => ({ name })),
    createdAt: iso(key.createdAt),
    ...when(key.expiresAt, (expiresAt) => ({ expiresAt: iso(expiresAt) })),
  },
})
