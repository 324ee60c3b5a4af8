/** Closing a checkout: cancel and expiry. Both lose to money that may be moving. */
import type { Instant } from '#contract/jst.ts'
import { BEFORE_CHARGE, transitionAttempt, type AbandonReason, type Attempt } from './attempt.ts'
import {
  isPastDeadline,
  isPaymentPending,
  stateAsRead,
  transitionCheckout,
  type Checkout,
  type CheckoutWithAttempts,
} from './checkout.ts'

/** The closed checkout, and the attempts that end with it. */
export interface Closing {
  readonly checkout: Checkout
  readonly attempts: readonly Attempt[]
}

/** Abandons every attempt that has not ended and whose money cannot be moving. */
export const abandonAll = (attempts: readonly Attempt[], why: AbandonReason): Attempt[] =>
  attempts
    .filter(({ state }) => BEFORE_CHARGE.includes(state.name))
    .map((attempt) => transitionAttempt(attempt, { name: 'abandoned', why }))

export type CancelDecision =
  | ({
      readonly decision: 'cancel'
      /** Orders with an open challenge, which can now be ended. */
      readonly challenged: readonly string[]
    } & Closing)
  | { readonly decision: 'closed' }
  | { readonly decision: 'wait' }

/** A cancel loses to money that may be moving. Repeated, it gives the same answer. */
export const decideCancel = (snapshot: CheckoutWithAttempts, now: Instant): CancelDecision => {
  const { checkout, attempts } = snapshot
  if (stateAsRead(snapshot, now).status !== 'open') return { decision: 'closed' }
  if (isPaymentPending(snapshot)) return { decision: 'wait' }
  return {
    decision: 'cancel',
    checkout: transitionCheckout(checkout, { status: 'cancelled', closedAt: now }),
    attempts: abandonAll(attempts, 'cancelled'),
    challenged: attempts.filter(({ state }) => state.name === 'challenged').map(({ orderCode }) => orderCode),
  }
}

/** Closes a checkout whose reusable link takes no more payments. Its caller has seen that no money is moving. */
export const closedByLink = ({ checkout, attempts }: CheckoutWithAttempts, now: Instant): Closing => ({
  checkout: transitionCheckout(checkout, { status: 'cancelled', closedAt: now }),
  attempts: abandonAll(attempts, 'cancelled'),
})

/** Closes a checkout past its deadline. Null: it is closed already, or a payment that was claimed in time is under way. */
export const decideExpiry = (snapshot: CheckoutWithAttempts, now: Instant): Closing | null => {
  if (!isPastDeadline(snapshot, now)) return null
  const { checkout, attempts } = snapshot
  return {
    checkout: transitionCheckout(checkout, stateAsRead(snapshot, now)),
    attempts: abandonAll(attempts, 'expired'),
  }
}
