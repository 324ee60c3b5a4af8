/** Charge: what the acquirer's answer changes in attempt and checkout. */
import type { Instant } from '#contract/jst.ts'
import {
  startDoubt,
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

/** What is booked and mailed together with the transition. */
export type ChargeMessage =
  | { readonly kind: 'paid'; readonly payment: Payment; readonly receipt: ReceiptRequest }
  /** For a shopper to whom the page may have promised a mail. */
  | { readonly kind: 'nothing charged'; readonly receipt: ReceiptRequest }

/** The next checkout and attempt. `alarm` is for a person, never for the shopper. */
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
  /** The receipt request that was known when the acquirer was asked. */
  readonly receipt: ReceiptRequest
  /** Who would issue an invoice for this payment; null where nobody can. */
  readonly invoiceIssuer: InvoiceIssuer | null
  readonly now: Instant
  /** The time at which the deadline is checked; by default now. After a restore: the time of the charge. */
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
 * Whether to mail the shopper that nothing was charged. The page promises this mail while a payment is pending, and we do not
 * store who has read that. After a doubt: yes. After an immediate answer: no, the shopper saw it. After a late answer: yes,
 * because one mail too many is better than a broken promise.
 */
const nothingChargedMessage = (
  state: AttemptIn<'charging' | 'unknown'>['state'],
  now: Instant,
): Pick<ChargeConsequences, 'message'> =>
  state.name === 'charging' && now - state.claimedAt <= IMMEDIATE_ANSWER_MS
    ? {}
    : { message: { kind: 'nothing charged', receipt: state.receipt } }

/**
 * An answer about an attempt that is not in flight. If it repeats how the attempt ended, nothing changes. Any other answer is an
 * alarm: the acquirer contradicts itself, or the database has lost the claim. While the checkout is open, an attempt that may
 * have been charged is in doubt or paid: otherwise the checkout could be paid a second time.
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
