/** Claim of a charge: whether an attempt may be charged now. It is stored before the acquirer is asked. */
import { refuse, type Refusal } from '#contract/errors.ts'
import type { Instant } from '#contract/jst.ts'
import {
  clearanceOf,
  isInFlight,
  transitionAttempt,
  type Attempt,
  type AttemptIn,
  type ReceiptRequest,
} from './attempt.ts'
import { isClearedUnder } from './authentication-verdict.ts'
import { isPaymentPending, type CheckoutSnapshot } from './checkout.ts'

export type ClaimDecision =
  | { readonly decision: 'claim'; readonly attempt: AttemptIn<'charging'> }
  | { readonly decision: 'closed' }
  | { readonly decision: 'wait' }
  /** Ended, so that the answer stays true: a shared hold may find the card again, and another call of this order charge it. */
  | { readonly decision: 'no card'; readonly attempt: AttemptIn<'abandoned'> }
  | Refusal

export interface ClaimCommand {
  readonly receipt: ReceiptRequest
  readonly cardHeld: boolean
  readonly leaseUntil: Instant
  /** Cards are being tested at this merchant, or from this network. */
  readonly requireChallenge: boolean
  readonly now: Instant
}

/** What is certain without the lock: a closed checkout is not paid, and money in flight is waited for. Undefined: take the lock. */
export const decideWithoutLock = (
  snapshot: CheckoutSnapshot,
  { state }: Attempt,
): Extract<ClaimDecision, { decision: 'closed' | 'wait' }> | undefined => {
  if (snapshot.checkout.state.status !== 'open') return { decision: 'closed' }
  if (isPaymentPending(snapshot) || isInFlight(state)) return { decision: 'wait' }
  return undefined
}

/** Whether this attempt may be charged now. Only one claim of a checkout can be under way at any time. */
export const decideClaim = (
  snapshot: CheckoutSnapshot,
  attempt: Attempt | null,
  { receipt, cardHeld, leaseUntil, requireChallenge, now }: ClaimCommand,
): ClaimDecision => {
  if (attempt === null) return refuse('order_not_found')
  const decided = decideWithoutLock(snapshot, attempt)
  if (decided !== undefined) return decided
  const { checkout } = snapshot
  const { state } = attempt
  // Past the deadline the checkout reads as expired, whatever its attempt did, and pay answers as a reading does.
  if (now > checkout.validUntil) return { decision: 'closed' }
  switch (state.name) {
    case 'declined':
      return refuse('card_declined')
    case 'refused':
      // Decision 40: a shopper who left a challenge is told so. Every other refusal has the same answer: declined.
      return refuse(state.unfinished ? 'authentication_unfinished' : 'card_declined')
    case 'not_charged':
      return refuse('nothing_charged')
    case 'abandoned':
      return refuse('order_over')
    case 'charging':
    case 'unknown':
      return { decision: 'wait' }
    case 'charged':
      // Both are recorded in one transaction. A wait for the missing half would never end.
      throw new Error('a charged attempt stands beside an open checkout')
    case 'authenticating':
    case 'challenged':
      return refuse('authentication_unfinished')
    case 'started':
    case 'authenticated': {
      const clearance = clearanceOf(state)
      if (clearance === null) return refuse('authentication_unfinished')
      // Cleared without a full authentication before the attack was noticed: the shopper must start again.
      if (!isClearedUnder(clearance, { requireChallenge })) return refuse('order_over')
      if (attempt.amountYen !== checkout.amountYen) return refuse('order_over')
      if (!cardHeld)
        return { decision: 'no card', attempt: transitionAttempt(attempt, { name: 'abandoned', why: 'card not held' }) }
      const charging = transitionAttempt(attempt, { name: 'charging', clearance, receipt, claimedAt: now, leaseUntil })
      return { decision: 'claim', attempt: charging }
    }
  }
}
