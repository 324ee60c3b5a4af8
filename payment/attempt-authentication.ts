/** Authentication of an attempt: the issuer is asked once; a verdict, an error report or a timeout ends it. */
import { refuse, type Refusal } from '#contract/errors.ts'
import type { Instant } from '#contract/jst.ts'
import {
  clearanceOf,
  isBeforeIssuerAnswer,
  isInFlight,
  transitionAttempt,
  type Attempt,
  type AttemptState,
} from './attempt.ts'
import { afterCountedDecline } from './decline-limit.ts'
import type { Judgement } from './authentication-verdict.ts'
import {
  isPaymentPending,
  stateAsRead,
  type Checkout,
  type CheckoutReading,
  type CheckoutSnapshot,
  type CheckoutWithAttempts,
} from './checkout.ts'

/** Longer than any wait for a 3-D Secure server, with one repeated request. */
const AUTHENTICATION_LEASE_MS = 60_000

/** The issuer was asked, and may still answer. After the lease the process that asked is gone, and the answer with it. */
const isAuthenticationUnderWay = (state: AttemptState, now: Instant): boolean =>
  state.name === 'authenticating' && now - state.since <= AUTHENTICATION_LEASE_MS

export type AuthenticateDecision =
  | { readonly decision: 'ask'; readonly attempt: Attempt }
  /** The issuer has answered: the caller gets the same answer. */
  | { readonly decision: 'replay' }
  | { readonly decision: 'wait' }
  | Refusal

/** What the attempt's state decides, with the lock or without it. Undefined: the issuer has not been asked; take the lock. */
export const decideByState = (
  state: AttemptState,
  now: Instant,
): Exclude<AuthenticateDecision, { decision: 'ask' }> | undefined => {
  switch (state.name) {
    case 'challenged':
    case 'authenticated':
    case 'refused':
      return { decision: 'replay' }
    case 'charging':
    case 'unknown':
      return refuse('payment_in_progress')
    case 'charged':
    case 'declined':
    case 'not_charged':
    case 'abandoned':
      return refuse('order_over')
    case 'authenticating':
      return isAuthenticationUnderWay(state, now) ? { decision: 'wait' } : refuse('order_over')
    case 'started':
      return state.clearance === null ? undefined : refuse('wrong_step')
  }
}

/** Whether the issuer may be asked about this attempt now. It is asked once; later callers get the same answer. */
export const decideAuthenticate = (
  snapshot: CheckoutSnapshot,
  attempt: Attempt,
  { cardHeld, now }: { readonly cardHeld: boolean; readonly now: Instant },
): AuthenticateDecision => {
  const decided = decideByState(attempt.state, now)
  if (decided !== undefined) return decided
  if (isPaymentPending(snapshot)) return refuse('payment_in_progress')
  if (stateAsRead(snapshot, now).status !== 'open') return refuse('order_over')
  if (!cardHeld) return refuse('card_not_held')
  return { decision: 'ask', attempt: transitionAttempt(attempt, { name: 'authenticating', since: now }) }
}

export interface Judged {
  readonly attempt: Attempt
  readonly checkout: Checkout
}

/** Applies a judgement to an attempt that waits for one. Any other attempt stays as it is. */
export const applyJudgement = (
  { checkout, inFlight, attempts }: CheckoutWithAttempts,
  attempt: Attempt,
  judgement: Judgement,
  now: Instant,
): Judged => {
  const { name } = attempt.state
  if (name !== 'started' && name !== 'authenticating' && name !== 'challenged') return { attempt, checkout }
  if (judgement.judged === 'cleared') {
    const { clearance } = judgement
    const next = clearance.by === 'exemption' ? 'started' : 'authenticated'
    return { attempt: transitionAttempt(attempt, { name: next, clearance }), checkout }
  }
  const { judged: _refused, ...refusal } = judgement
  // Another attempt of this checkout may still be charged; and a checkout that was shown as expired stays expired.
  const mayClose =
    !isPaymentPending({ checkout, inFlight }) && stateAsRead({ checkout, inFlight }, now).status === 'open'
  return {
    attempt: transitionAttempt(attempt, { name: 'refused', ...refusal }),
    checkout: refusal.counted && mayClose ? afterCountedDecline(checkout, attempts, now) : checkout,
  }
}

export type ErrorReport = 'collect error' | 'challenge error'

/** The pay request got no answer, so the page abandons the attempt before it shows anything. */
const PAY_UNANSWERED = 'pay unanswered'

export type ReportDecision =
  | {
      readonly decision: 'abandon'
      readonly attempt: Attempt
      /** The reason in `changes`. */
      readonly why: ErrorReport | typeof PAY_UNANSWERED
      /** There is an open challenge, which can now be ended. */
      readonly wasChallenged: boolean
    }
  | { readonly decision: 'done' }
  | Refusal

/**
 * A page that cannot go on abandons its attempt; a repeated report changes nothing. A page that got no answer to its pay request
 * does the same: if that request arrives later, it finds an attempt that is over.
 */
export const decideReport = (report: ErrorReport, attempt: Attempt): ReportDecision => {
  const { state } = attempt
  if (isInFlight(state)) return refuse('payment_in_progress')
  if (state.name === 'abandoned') return state.why === report ? { decision: 'done' } : refuse('order_over')
  const wasChallenged = state.name === 'challenged'
  // With a clearance it could be charged by a pay request that arrives late.
  const isPayUnanswered = report === 'challenge error' && clearanceOf(state) !== null
  const belongs = report === 'collect error' ? state.name === 'started' : wasChallenged || isPayUnanswered
  if (belongs) {
    return {
      decision: 'abandon',
      // The stored word is one that earlier releases can read.
      attempt: transitionAttempt(attempt, { name: 'abandoned', why: report }),
      why: isPayUnanswered ? PAY_UNANSWERED : report,
      wasChallenged,
    }
  }
  // The issuer refused just before the report: its refusal stays.
  if (report === 'challenge error' && state.name === 'refused') return { decision: 'done' }
  return refuse('wrong_step')
}

export const AUTHENTICATION_UNAVAILABLE = 'authentication unavailable'

/** The abandoned attempt; null: the issuer has answered meanwhile, and the attempt stays as it is. */
export const abandonUnavailable = (attempt: Attempt): Attempt | null =>
  isBeforeIssuerAnswer(attempt.state)
    ? transitionAttempt(attempt, { name: 'abandoned', why: AUTHENTICATION_UNAVAILABLE })
    : null

/** The refusal for the caller of authenticate. */
export const refuseUnavailable = ({ state }: Attempt): Refusal =>
  refuse(
    state.name === 'abandoned' && state.why === AUTHENTICATION_UNAVAILABLE
      ? 'authentication_unavailable'
      : 'order_over',
  )

export type MonitorDecision =
  /** A challenge is open: the 3-D Secure server knows whether it has a result. */
  { readonly decision: 'read result' } | { readonly decision: 'over' } | Refusal

/** Whether a page that shows a challenge must still wait. */
export const decideMonitor = (reading: CheckoutReading, { state }: Attempt): MonitorDecision => {
  if (isBeforeIssuerAnswer(state)) return refuse('wrong_step')
  const isWaiting = stateAsRead(reading, reading.now).status === 'open' && state.name === 'challenged'
  return { decision: isWaiting ? 'read result' : 'over' }
}
