import type { Instant } from '#contract/jst.ts'
import { moveAttempt, type AbandonReason, type Attempt, type AttemptStateName } from './attempt.ts'
import { moveCheckout, stateAsRead, type Checkout, type CheckoutWithAttempts } from './checkout.ts'

/** The checkout as it is closed, and the attempts that end with it. */
export interface Closing {
  readonly checkout: Checkout
  readonly attempts: readonly Attempt[]
}

const UNFINISHED: readonly AttemptStateName[] = ['started', 'authenticating', 'challenged', 'authenticated']

/** All that have not ended and whose money cannot be moving. */
const givenUp = (attempts: readonly Attempt[], why: AbandonReason): Attempt[] =>
  attempts
    .filter(({ state }) => UNFINISHED.includes(state.name))
    .map((attempt) => moveAttempt(attempt, { name: 'abandoned', why }))

export type CancelDecision =
  | ({
      readonly decision: 'cancel'
      /** Orders whose card holders are being asked still, and need not be. */
      readonly challenged: readonly string[]
    } & Closing)
  | { readonly decision: 'settled' }
  | { readonly decision: 'wait' }

/** A cancel loses to money that may be moving, and says the same as before when it is repeated. */
export const decideCancel = (inPlay: CheckoutWithAttempts, now: Instant): CancelDecision => {
  const { checkout, inFlight, attempts } = inPlay
  if (stateAsRead(inPlay, now).status !== 'open') return { decision: 'settled' }
  if (inFlight !== null) return { decision: 'wait' }
  return {
    decision: 'cancel',
    checkout: moveCheckout(checkout, { status: 'cancelled', closedAt: now }),
    attempts: givenUp(attempts, 'cancelled'),
    challenged: attempts.filter(({ state }) => state.name === 'challenged').map(({ orderCode }) => orderCode),
  }
}

/** Past its deadline a checkout is closed, unless it was before or a payment claimed in time is finishing: null. */
export const decideExpiry = (inPlay: CheckoutWithAttempts, now: Instant): Closing | null => {
  const { checkout, attempts } = inPlay
  const state = stateAsRead(inPlay, now)
  if (checkout.state.status !== 'open' || state.status !== 'expired') return null
  return { checkout: moveCheckout(checkout, state), attempts: givenUp(attempts, 'expired') }
}
