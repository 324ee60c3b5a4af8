/** Closing a checkout: cancel and expiry. Both lose to money that may be moving. */
import type { Instant } from '#contract/jst.ts'
import { transitionAttempt, type AbandonReason, type Attempt, type AttemptStateName } from './attempt.ts'
import {
  isPastDeadline,
  stateAsRead,
  transitionCheckout,
  type Checkout,
  type CheckoutWithAttempts,
} from './checkout.ts'

/** The checkout as it is closed, and the attempts that end with it. */
export interface Closing {
  readonly checkout: Checkout
  readonly attempts: readonly Attempt[]
}

const UNFINISHED: readonly AttemptStateName[] = ['started', 'authenticating', 'challenged', 'authenticated']

/** All that have not ended and whose money cannot be moving. */
const abandonAll = (attempts: readonly Attempt[], why: AbandonReason): Attempt[] =>
  attempts
    .filter(({ state }) => UNFINISHED.includes(state.name))
    .map((attempt) => transitionAttempt(attempt, { name: 'abandoned', why }))

export type CancelDecision =
  | ({
      readonly decision: 'cancel'
      /** Orders whose card holders are being asked still, and need not be. */
      readonly challenged: readonly string[]
    } & Closing)
  | { readonly decision: 'closed' }
  | { readonly decision: 'wait' }

/** A cancel loses to money that may be moving, and says the same as before when it is repeated. */
export const decideCancel = (snapshot: CheckoutWithAttempts, now: Instant): CancelDecision => {
  const { checkout, inFlight, attempts } = snapshot
  if (stateAsRead(snapshot, now).status !== 'open') return { decision: 'closed' }
  if (inFlight !== null) return { decision: 'wait' }
  return {
    decision: 'cancel',
    checkout: transitionCheckout(checkout, { status: 'cancelled', closedAt: now }),
    attempts: abandonAll(attempts, 'cancelled'),
    challenged: attempts.filter(({ state }) => state.name === 'challenged').map(({ orderCode }) => orderCode),
  }
}

/** Past its deadline a checkout is closed, unless it was before or a payment claimed in time is finishing: null. */
export const decideExpiry = (snapshot: CheckoutWithAttempts, now: Instant): Closing | null => {
  if (!isPastDeadline(snapshot, now)) return null
  const { checkout, attempts } = snapshot
  return {
    checkout: transitionCheckout(checkout, stateAsRead(snapshot, now)),
    attempts: abandonAll(attempts, 'expired'),
  }
}
