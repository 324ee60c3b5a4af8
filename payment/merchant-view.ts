/** Merchant's view: a checkout, a refund and a dispute as their merchant reads them, in answers and in events. */
import { iso, when } from '#contract/answer-fields.ts'
import { inDisplayOrder } from '#contract/brands.ts'
import type { CheckoutAnswer } from '#contract/checkout.ts'
import type { Instant } from '#contract/jst.ts'
import type { AuthenticationFacts, Shopper, MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import type { DisputeAnswer } from '#contract/merchant/disputes.ts'
import type { RefundAnswer } from '#contract/merchant/refunds.ts'
import type { Attempt, ReceiptRequest } from './attempt.ts'
import { maskedNumber } from './card-number.ts'
import { isPaymentPending, stateAsRead, type CheckoutSnapshot, type CheckoutState } from './checkout.ts'
import { withdrawnYen, type Dispute } from './dispute.ts'
import { refundedYen, type Refund, type RefundStateName } from './refund.ts'

export interface ShownCheckout extends CheckoutSnapshot {
  /** `as stored`: do not compute expiry; show the stored status. */
  readonly now: Instant | 'as stored'
}

/** An attempt with what the issuer said of the card holder. */
export interface AttemptWithAuthentication {
  readonly attempt: Attempt
  /** Null for attempts of earlier releases. */
  readonly authentication: AuthenticationFacts | null
}

/** One checkout with all that is known of its payment. */
export interface CheckoutDetails extends ShownCheckout {
  readonly refunds: readonly Refund[]
  readonly disputes: readonly Dispute[]
  /** The attempt that has paid or may be paying; null: there is none. */
  readonly paying: AttemptWithAuthentication | null
}

const paymentFacts = (state: CheckoutState): Pick<CheckoutAnswer, 'transactionId' | 'paidAt' | 'card'> | undefined => {
  if (state.status !== 'paid' && state.status !== 'refunded') return undefined
  const { transactionId, paidAt, card } = state.payment
  return {
    transactionId,
    paidAt: iso(paidAt),
    ...when(card, (known) => ({ card: { brand: known.brand, number: maskedNumber(known) } })),
  }
}

/** What shopper and merchant both read. */
export const commonFacts = (reading: ShownCheckout) => {
  const { checkout } = reading
  const state = reading.now === 'as stored' ? checkout.state : stateAsRead(reading, reading.now)
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
    paymentPending: isPaymentPending(reading),
  }
}

const doubtOf = ({ inFlight }: ShownCheckout): Pick<MerchantCheckoutAnswer, 'doubt'> => {
  if (inFlight?.state.name !== 'unknown') return {}
  const { since, nextInquiryAt } = inFlight.state
  return { doubt: { since: iso(since), nextInquiryAt: iso(nextInquiryAt) } }
}

/** What the merchant reads of a checkout in every answer. */
export const merchantFacts = (reading: ShownCheckout, refunded: number, origin: string): MerchantCheckoutAnswer => ({
  ...commonFacts(reading),
  url: `${origin}/${reading.checkout.id}`,
  mode: reading.checkout.mode,
  metadata: { ...reading.checkout.metadata },
  ...when(reading.checkout.taxes, (taxes) => ({ taxes: [...taxes] })),
  createdAt: iso(reading.checkout.createdAt),
  refundedAmount: refunded,
  ...when(reading.checkout.reference, (reference) => ({ reference })),
  ...when(reading.checkout.linkId, (linkId) => ({ linkId })),
  ...doubtOf(reading),
})

export const presentToMerchant = (
  reading: ShownCheckout,
  refunds: readonly Refund[],
  origin: string,
): MerchantCheckoutAnswer => merchantFacts(reading, refundedYen(refunds), origin)

export const shopperOf = ({ email, locale }: ReceiptRequest): Shopper => ({
  ...when(email, (known) => ({ email: known })),
  locale,
})

const detailsOf = ({ paying }: CheckoutDetails): Partial<MerchantCheckoutAnswer> => {
  if (paying === null) return {}
  const { attempt, authentication } = paying
  const { state, consentVersion, startedAt } = attempt
  return {
    ...('receipt' in state ? { shopper: shopperOf(state.receipt) } : {}),
    ...(authentication === null ? {} : { authentication }),
    ...(consentVersion === null ? {} : { consent: { version: consentVersion, at: iso(startedAt) } }),
  }
}

/** One checkout with all that is known of its payment. */
export const presentDetails = (details: CheckoutDetails, origin: string): MerchantCheckoutAnswer => ({
  ...presentToMerchant(details, details.refunds, origin),
  ...detailsOf(details),
  ...(details.disputes.length === 0 ? {} : { disputes: details.disputes.map(presentDispute) }),
})

export const presentDispute = (dispute: Dispute): DisputeAnswer => ({
  id: dispute.disputeId,
  status: dispute.status,
  amount: dispute.amountYen,
  withdrawnAmount: withdrawnYen([dispute]),
  ...when(dispute.reason, (reason) => ({ reason })),
  ...when(dispute.respondBy, (respondBy) => ({ respondBy: iso(respondBy) })),
  openedAt: iso(dispute.openedAt),
})

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
