import { refuse, type Refusal } from '#contract/errors.ts'
import type { Instant } from '#contract/jst.ts'
import {
  clearanceOf,
  doubt,
  isInFlight,
  moveAttempt,
  type Attempt,
  type AttemptState,
  type ReceiptWish,
} from './attempt.ts'
import { afterCountedDecline, moveCheckout, type Checkout, type CheckoutInPlay } from './checkout.ts'
import { leaseFrom } from './doubt.ts'
import type { ChargeOutcome, Inquiry } from './ports.ts'

export type ClaimDecision =
  | { readonly decision: 'claim'; readonly attempt: Attempt }
  | { readonly decision: 'settled' }
  | { readonly decision: 'wait' }
  | { readonly decision: 'refuse'; readonly refusal: Refusal }

export interface ClaimCommand {
  readonly receipt: ReceiptWish
  readonly cardHeld: boolean
  readonly leaseUntil: Instant
  readonly now: Instant
}

const refused = (refusal: Refusal): ClaimDecision => ({ decision: 'refuse', refusal })

/** Whether this attempt may be charged now. Only one claim of a checkout can be under way at any time. */
export const decideClaim = (
  { checkout, inFlight }: CheckoutInPlay,
  attempt: Attempt | null,
  { receipt, cardHeld, leaseUntil, now }: ClaimCommand,
): ClaimDecision => {
  if (attempt === null) return refused(refuse('order_not_found'))
  if (checkout.state.status !== 'open') return { decision: 'settled' }
  const { state } = attempt
  if (inFlight !== null || isInFlight(state)) return { decision: 'wait' }
  // Whatever became of the attempt, a checkout past its deadline reads as expired, and pay says what a reading says.
  if (now > checkout.validUntil) return { decision: 'settled' }
  switch (state.name) {
    case 'declined':
    case 'refused':
      return refused(refuse('card_declined'))
    case 'void':
      return refused(refuse('nothing_charged'))
    case 'abandoned':
      return refused(refuse('order_over'))
    case 'charging':
    case 'unknown':
      return { decision: 'wait' }
    case 'charged':
      // Recorded together or not at all: to wait here would be to wait for ever.
      throw new Error('a charged attempt stands beside an open checkout')
    case 'authenticating':
    case 'challenged':
      return refused(refuse('authentication_unfinished'))
    case 'started':
    case 'authenticated': {
      const clearance = clearanceOf(state)
      if (clearance === null) return refused(refuse('authentication_unfinished'))
      if (attempt.amountYen !== checkout.amountYen) return refused(refuse('order_over'))
      if (!cardHeld) return refused(refuse('card_not_held'))
      return { decision: 'claim', attempt: moveAttempt(attempt, { name: 'charging', clearance, receipt, leaseUntil }) }
    }
  }
}

/** What becomes of checkout and attempt; `alarm` is for a person, never for the shopper. */
export interface Settlement {
  readonly attempt: Attempt
  readonly checkout: Checkout
  readonly alarm?: string
}

/** Applies what the acquirer said to an attempt in flight. A doubt stays a doubt; it never becomes a failure by itself. */
export const settle = (
  checkout: Checkout,
  attempt: Attempt,
  said: ChargeOutcome | Extract<Inquiry, { outcome: 'pending' }>,
  declinesBefore: number,
  now: Instant,
): Settlement => {
  const { state } = attempt
  if (state.name !== 'charging' && state.name !== 'unknown') return alreadySettled(checkout, attempt, said)
  switch (said.outcome) {
    case 'charged': {
      if (said.amountYen !== attempt.amountYen) {
        const alarm = `the acquirer charged ${said.amountYen} yen instead of ${attempt.amountYen}`
        return { ...stillInDoubt(checkout, attempt, alarm, now), alarm }
      }
      const { transactionId, approvedAt } = said
      const payment = { orderCode: attempt.orderCode, transactionId, paidAt: approvedAt, card: attempt.card }
      return {
        attempt: moveAttempt(attempt, { name: 'charged', receipt: state.receipt, transactionId, approvedAt }),
        checkout: moveCheckout(checkout, { status: 'paid', payment }),
      }
    }
    case 'declined':
      return {
        attempt: moveAttempt(attempt, { name: 'declined', reason: said.reason }),
        checkout: afterCountedDecline(checkout, declinesBefore, now),
      }
    case 'void':
      return { attempt: moveAttempt(attempt, { name: 'void', why: 'nothing was charged' }), checkout }
    case 'pending':
      return stillInDoubt(checkout, attempt, 'the acquirer has not decided yet', now)
    case 'unknown':
      return stillInDoubt(checkout, attempt, said.why, now)
  }
}

const stillInDoubt = (checkout: Checkout, attempt: Attempt, why: string, now: Instant): Settlement => {
  const { state } = attempt
  return state.name === 'charging'
    ? { attempt: moveAttempt(attempt, doubt(state.receipt, why, now)), checkout }
    : { attempt, checkout }
}

/** A second word about an attempt that has ended changes nothing; one that contradicts the record needs a person. */
const alreadySettled = (
  checkout: Checkout,
  attempt: Attempt,
  said: ChargeOutcome | Extract<Inquiry, { outcome: 'pending' }>,
): Settlement =>
  said.outcome === 'charged' && attempt.state.name !== 'charged'
    ? { checkout, attempt, alarm: `the acquirer reports a charge of an attempt that is ${attempt.state.name}` }
    : { checkout, attempt }

export const ANSWERED_AT_ONCE_MS = 3000

/**
 * The wish of a shopper who may have read that we would write, null where nobody can have. A doubt always says so. A charge
 * under way says so too, to a tab that lost its answer, to a second tab, to a reload; who has read is not stored. So a
 * charge that was answered at once owes no letter: its shopper was still looking. One that was answered later owes one,
 * though most who waited have read the outcome: a letter too many is the smaller evil.
 */
export const owedALetter = (state: AttemptState, gatewayTimeoutMs: number, now: Instant): ReceiptWish | null => {
  if (state.name === 'unknown') return state.receipt
  if (state.name !== 'charging') return null
  return state.leaseUntil < leaseFrom(now - ANSWERED_AT_ONCE_MS, gatewayTimeoutMs) ? state.receipt : null
}
