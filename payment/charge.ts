/** Charge: the claim before it, and what the acquirer's answer means for attempt and checkout. */
import { refuse, type Refusal } from '#contract/errors.ts'
import type { Instant } from '#contract/jst.ts'
import {
  clearanceOf,
  startDoubt,
  isInFlight,
  overrideRecord,
  recordedWord,
  transitionAttempt,
  type Attempt,
  type AttemptIn,
  type AttemptStateName,
  type ReceiptRequest,
} from './attempt.ts'
import {
  transitionCheckout,
  stateAsRead,
  type Checkout,
  type CheckoutSnapshot,
  type CheckoutWithAttempts,
  type InvoiceIssuer,
  type Payment,
} from './checkout.ts'
import { afterCountedDecline } from './decline-limit.ts'
import type { Charged, ChargeOutcome, Inquiry } from './ports.ts'
import { isClearedUnder } from './verdict.ts'

export type ClaimDecision =
  | { readonly decision: 'claim'; readonly attempt: AttemptIn<'charging'> }
  | { readonly decision: 'closed' }
  | { readonly decision: 'wait' }
  | { readonly decision: 'refuse'; readonly refusal: Refusal }

export interface ClaimCommand {
  readonly receipt: ReceiptRequest
  readonly cardHeld: boolean
  readonly leaseUntil: Instant
  /** Cards are being tried out at this merchant, or from this network. */
  readonly requireChallenge: boolean
  readonly now: Instant
}

const refused = (refusal: Refusal): ClaimDecision => ({ decision: 'refuse', refusal })

/**
 * What holds without the lock too: a closed checkout is never paid any more, and money that moves is waited for. Undefined:
 * the claim must be decided under the lock.
 */
export const decideWithoutLock = (
  { checkout, inFlight }: CheckoutSnapshot,
  { state }: Attempt,
): Extract<ClaimDecision, { decision: 'closed' | 'wait' }> | undefined => {
  if (checkout.state.status !== 'open') return { decision: 'closed' }
  if (inFlight !== null || isInFlight(state)) return { decision: 'wait' }
  return undefined
}

/** Whether this attempt may be charged now. Only one claim of a checkout can be under way at any time. */
export const decideClaim = (
  snapshot: CheckoutSnapshot,
  attempt: Attempt | null,
  { receipt, cardHeld, leaseUntil, requireChallenge, now }: ClaimCommand,
): ClaimDecision => {
  if (attempt === null) return refused(refuse('order_not_found'))
  const decided = decideWithoutLock(snapshot, attempt)
  if (decided !== undefined) return decided
  const { checkout } = snapshot
  const { state } = attempt
  // Whatever became of the attempt, a checkout past its deadline reads as expired, and pay says what a reading says.
  if (now > checkout.validUntil) return { decision: 'closed' }
  switch (state.name) {
    case 'declined':
      return refused(refuse('card_declined'))
    case 'refused':
      // Decision 40: who left a challenge is told what they know; every other refusal is the one decline.
      return refused(refuse(state.unfinished ? 'authentication_unfinished' : 'card_declined'))
    case 'not_charged':
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
      // Cleared without the issuer's word before the attack was noticed: the shopper starts again and is asked by the issuer.
      if (!isClearedUnder(clearance, { requireChallenge })) return refused(refuse('order_over'))
      if (attempt.amountYen !== checkout.amountYen) return refused(refuse('order_over'))
      if (!cardHeld) return refused(refuse('card_not_held'))
      const charging = transitionAttempt(attempt, { name: 'charging', clearance, receipt, claimedAt: now, leaseUntil })
      return { decision: 'claim', attempt: charging }
    }
  }
}

/** What is to be booked and mailed together with the transition. */
export type ChargeMessage =
  | { readonly kind: 'paid'; readonly payment: Payment; readonly receipt: ReceiptRequest }
  /** For a shopper who may have read that we would write. */
  | { readonly kind: 'nothing charged'; readonly receipt: ReceiptRequest }

/** What becomes of checkout and attempt; `alarm` is for a person, never for the shopper. */
export interface ChargeConsequences {
  readonly attempt: Attempt
  readonly checkout: Checkout
  readonly message?: ChargeMessage
  readonly alarm?: string
}

/** What the acquirer answered about an order, to a charge or to an inquiry. */
export type ChargeAnswer = ChargeOutcome | Extract<Inquiry, { outcome: 'pending' }>

export interface ChargeAnswerFacts {
  readonly answer: ChargeAnswer
  /** The request that was known when the acquirer was asked. */
  readonly receipt: ReceiptRequest
  /** Who would issue an invoice for this payment; null where nobody can. */
  readonly invoiceIssuer: InvoiceIssuer | null
  readonly now: Instant
  /** When the deadline is looked at; left out: now. After a restore it is when the charge was made. */
  readonly asOf?: Instant
}

/** Applies the acquirer's answer to an attempt in flight. A doubt stays a doubt; it never becomes a failure by itself. */
export const applyChargeAnswer = (
  snapshot: CheckoutWithAttempts,
  attempt: Attempt,
  facts: ChargeAnswerFacts,
): ChargeConsequences => {
  const { checkout, attempts } = snapshot
  const { state } = attempt
  const { answer, invoiceIssuer, now } = facts
  if (state.name !== 'charging' && state.name !== 'unknown') return answerForEndedAttempt(snapshot, attempt, facts)
  switch (answer.outcome) {
    case 'charged': {
      if (answer.amountYen !== attempt.amountYen) {
        const alarm = `the acquirer charged ${answer.amountYen} yen instead of ${attempt.amountYen}`
        return { ...stillInDoubt(checkout, attempt, alarm, now), alarm }
      }
      return paidConsequences(transitionAttempt(attempt, chargedState(answer, state.receipt)), checkout, invoiceIssuer)
    }
    case 'declined':
      return {
        attempt: transitionAttempt(attempt, { name: 'declined', reason: answer.reason }),
        checkout: afterCountedDecline(checkout, attempts, now),
        ...nothingChargedMessage(state, now),
      }
    case 'not_charged':
      return {
        attempt: transitionAttempt(attempt, { name: 'not_charged' }),
        checkout,
        ...nothingChargedMessage(state, now),
      }
    case 'pending':
      return stillInDoubt(checkout, attempt, 'the acquirer has not decided yet', now)
    case 'unknown':
      return stillInDoubt(checkout, attempt, answer.why, now)
  }
}

const chargedState = (
  { transactionId, approvedAt }: Charged,
  receipt: ReceiptRequest,
): AttemptIn<'charged'>['state'] => ({ name: 'charged', receipt, transactionId, approvedAt })

const paidConsequences = (
  attempt: AttemptIn<'charged'>,
  checkout: Checkout,
  invoiceIssuer: InvoiceIssuer | null,
): ChargeConsequences => {
  const { orderCode, card } = attempt
  const { transactionId, approvedAt, receipt } = attempt.state
  const payment = { orderCode, transactionId, paidAt: approvedAt, card, invoiceIssuer }
  return {
    attempt,
    checkout: transitionCheckout(checkout, { status: 'paid', payment }),
    message: { kind: 'paid', payment, receipt },
  }
}

const stillInDoubt = (checkout: Checkout, attempt: Attempt, why: string, now: Instant): ChargeConsequences => {
  const { state } = attempt
  return state.name === 'charging'
    ? { attempt: transitionAttempt(attempt, startDoubt(state.receipt, why, now)), checkout }
    : { attempt, checkout }
}

export const IMMEDIATE_ANSWER_MS = 3000

/**
 * Whether to write that nothing was charged. While a payment is pending the page promises that we will, and who has read it
 * is not stored. In doubt: always. Answered at once: no, the shopper was still looking. Later: yes, though most who waited
 * have read the outcome; a mail too many is the smaller evil.
 */
const nothingChargedMessage = (
  state: AttemptIn<'charging' | 'unknown'>['state'],
  now: Instant,
): Pick<ChargeConsequences, 'message'> =>
  state.name === 'charging' && now - state.claimedAt <= IMMEDIATE_ANSWER_MS
    ? {}
    : { message: { kind: 'nothing charged', receipt: state.receipt } }

/**
 * An answer about an attempt that is not in flight. One that repeats how it ended changes nothing. Any other is an alarm: the
 * acquirer contradicts itself, or the database has lost the claim, for only what was claimed is charged or asked about.
 * While the checkout is open, what may have been charged counts as such: left payable, it would be paid a second time.
 */
const answerForEndedAttempt = (
  snapshot: CheckoutSnapshot,
  attempt: Attempt,
  { answer, receipt, invoiceIssuer, now, asOf = now }: ChargeAnswerFacts,
): ChargeConsequences => {
  const { checkout, inFlight } = snapshot
  const { name } = attempt.state
  if (!contradicts[name](answer)) return { attempt, checkout }
  const alarm = `the acquirer says ${recordedWord(answer.outcome)} of an attempt that is ${recordedWord(name)}`
  if (inFlight !== null || stateAsRead(snapshot, asOf).status !== 'open') return { attempt, checkout, alarm }
  if (answer.outcome === 'charged' && answer.amountYen === attempt.amountYen)
    return {
      ...paidConsequences(overrideRecord(attempt, chargedState(answer, receipt)), checkout, invoiceIssuer),
      alarm,
    }
  if (answer.outcome === 'declined' || answer.outcome === 'not_charged') return { attempt, checkout, alarm }
  return { attempt: overrideRecord(attempt, startDoubt(receipt, alarm, now)), checkout, alarm }
}

const always = (): boolean => true
const isCharge = ({ outcome }: ChargeAnswer): boolean => outcome === 'charged'
const isEndWithoutMoney = ({ outcome }: ChargeAnswer): boolean => outcome === 'declined' || outcome === 'not_charged'
const never = (): boolean => false

/** Answers that contradict this state. */
const contradicts: Record<AttemptStateName, (answer: ChargeAnswer) => boolean> = {
  started: always,
  authenticating: always,
  challenged: always,
  authenticated: always,
  refused: always,
  abandoned: always,
  charging: never,
  unknown: never,
  charged: isEndWithoutMoney,
  declined: isCharge,
  not_charged: isCharge,
}
