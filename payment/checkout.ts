/** Checkout: its states, their transitions, and its deadline. */
import type { CardBrand } from '#contract/brands.ts'
import type { CheckoutStatus } from '#contract/checkout.ts'
import type { Instant } from '#contract/jst.ts'
import type { WireLocale } from '#contract/locale.ts'
import type { MerchantMode } from '#contract/access.ts'
import type { Attempt } from './attempt.ts'
import type { CardFace } from './card-number.ts'
import type { CheckoutRef } from './references.ts'
import type { Taxes } from '#contract/invoice-figures.ts'

/** Who issues the invoice, by the merchant's settings when the payment was recorded: later changes of them change no invoice. */
export interface InvoiceIssuer {
  readonly registrationNumber: string
  readonly name: string
}

export interface Payment {
  readonly orderCode: string
  readonly transactionId: string
  readonly paidAt: Instant
  /** Null: a restore has lost it, and the acquirer does not name it. */
  readonly card: CardFace | null
  /** Null where the receipt is a plain one. */
  readonly invoiceIssuer: InvoiceIssuer | null
}

export type CheckoutState =
  | { readonly status: 'open' }
  | { readonly status: 'paid'; readonly payment: Payment }
  | { readonly status: 'refunded'; readonly payment: Payment; readonly refundedAt: Instant }
  | { readonly status: 'failed'; readonly closedAt: Instant }
  | { readonly status: 'cancelled'; readonly closedAt: Instant }
  | { readonly status: 'expired'; readonly closedAt: Instant }

export interface Checkout {
  readonly merchantId: string
  readonly id: string
  readonly mode: MerchantMode
  readonly amountYen: number
  readonly subject: string | null
  readonly remarks: string | null
  readonly validUntil: Instant
  readonly acceptedCardBrands: readonly CardBrand[]
  readonly cancelUrl: string | null
  readonly redirectUrl: string | null
  readonly locale: WireLocale | null
  readonly metadata: Readonly<Record<string, string>>
  /** The merchant's own number. Two checkouts may have the same. */
  readonly reference: string | null
  /** The amount by tax rate; null where the merchant did not say. */
  readonly taxes: Taxes | null
  readonly createdAt: Instant
  /** The reusable link that has opened it; null: its merchant has. */
  readonly linkId: string | null
  /**
   * When the database was restored, if this checkout may have been paid in the time that the backup does not hold. It is closed
   * to payment until the acquirer's list says that it was not, or an operator does. Null: it is not held.
   */
  readonly heldSince: Instant | null
  readonly state: CheckoutState
}

export const refOf = ({ merchantId, id }: Checkout): CheckoutRef => ({ merchantId, checkoutId: id })

/** A checkout with the one attempt whose money may be moving. */
export interface CheckoutSnapshot {
  readonly checkout: Checkout
  readonly inFlight: Attempt | null
}

/** A checkout as it was at `now`, which is never later than the reading itself. */
export interface CheckoutReading extends CheckoutSnapshot {
  readonly now: Instant
}

/** A checkout with every attempt to pay it. */
export interface CheckoutWithAttempts extends CheckoutSnapshot {
  readonly attempts: readonly Attempt[]
}

const TRANSITIONS: Record<CheckoutStatus, readonly CheckoutStatus[]> = {
  open: ['paid', 'failed', 'cancelled', 'expired'],
  paid: ['refunded'],
  refunded: [],
  failed: [],
  cancelled: [],
  expired: [],
}

export const transitionCheckout = (checkout: Checkout, next: CheckoutState): Checkout => {
  if (!TRANSITIONS[checkout.state.status].includes(next.status)) {
    throw new Error(`a checkout cannot go from ${checkout.state.status} to ${next.status}`)
  }
  return { ...checkout, state: next }
}

/** Money may be moving, or may have moved unseen: nobody can pay this checkout now, cancel it, or see it expire. */
export const isPaymentPending = ({ checkout, inFlight }: CheckoutSnapshot): boolean =>
  checkout.state.status === 'open' && (inFlight !== null || checkout.heldSince !== null)

/** The checkout is open past its deadline, and no payment that was claimed in time is under way. */
export const isPastDeadline = (snapshot: CheckoutSnapshot, now: Instant): boolean =>
  snapshot.checkout.state.status === 'open' && !isPaymentPending(snapshot) && now > snapshot.checkout.validUntil

/** Past its deadline an open checkout reads as expired, also before that is stored. */
export const stateAsRead = (snapshot: CheckoutSnapshot, now: Instant): CheckoutState => {
  const { state, validUntil } = snapshot.checkout
  return isPastDeadline(snapshot, now) ? { status: 'expired', closedAt: validUntil } : state
}
