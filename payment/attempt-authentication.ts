/** Authentication of an attempt: asked once, replayed to later callers, ended by a verdict, a report or a timeout. */
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
import type { Judgement } from './verdict.ts'
import { stateAsRead, type Checkout, type CheckoutSnapshot, type CheckoutWithAttempts } from './checkout.ts'

/** Longer than any wait for a 3-D Secure server, with one repeated request. */
const AUTHENTICATION_LEASE_MS = 60_000

/** Somebody has asked the issuer and may still hear from it; later than that its process is gone, and the answer with it. */
const isAuthenticationUnderWay = (state: AttemptState, now: Instant): boolean =>
  state.name === 'authenticating' && now - state.since <= AUTHENTICATION_LEASE_MS

export type AuthenticateDecision =
  | { readonly decision: 'ask'; readonly attempt: Attempt }
  /** The issuer has been asked: its answer is replayed. */
  | { readonly decision: 'replay' }
  | { readonly decision: 'wait' }
  | { readonly decision: 'refuse'; readonly refusal: Refusal }

const refused = (refusal: Refusal): Extract<AuthenticateDecision, { decision: 'refuse' }> => ({
  decision: 'refuse',
  refusal,
})

/**
 * What an attempt's own state says, with the lock or without it. Undefined: the issuer has not been asked yet, and who asks it
 * must be decided under the lock.
 */
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
      return refused(refuse('payment_in_progress'))
    case 'charged':
    case 'declined':
    case 'not_charged':
    case 'abandoned':
      return refused(refuse('order_over'))
    case 'authenticating':
      return isAuthenticationUnderWay(state, now) ? { decision: 'wait' } : refused(refuse('order_over'))
    case 'started':
      return state.clearance === null ? undefined : refused(refuse('wrong_step'))
  }
}

/** Whether the issuer may be asked about this attempt now. It is asked once; whoever calls again hears what it said. */
export const decideAuthenticate = (
  snapshot: CheckoutSnapshot,
  attempt: Attempt,
  { cardHeld, now }: { readonly cardHeld: boolean; readonly now: Instant },
): AuthenticateDecision => {
  const decided = decideByState(attempt.state, now)
  if (decided !== undefined) return decided
  if (snapshot.inFlight !== null) return refused(refuse('payment_in_progress'))
  if (stateAsRead(snapshot, now).status !== 'open') return refused(refuse('order_over'))
  if (!cardHeld) return refused(refuse('card_not_held'))
  return { decision: 'ask', attempt: transitionAttempt(attempt, { name: 'authenticating', since: now }) }
}

export interface Judged {
  readonly attempt: Attempt
  readonly checkout: Checkout
}

/** Applies the judgement on an authentication to an attempt that waits for one; to any other it comes too late. */
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
  // A charge beside this challenge may succeed yet, and a checkout that read as expired was told so.
  const mayClose = inFlight === null && stateAsRead({ checkout, inFlight }, now).status === 'open'
  return {
    attempt: transitionAttempt(attempt, { name: 'refused', ...refusal }),
    checkout: refusal.counted && mayClose ? afterCountedDecline(checkout, attempts, now) : checkout,
  }
}

export type ErrorReport = 'collect error' | 'challenge error'

/** The pay request got no answer, so the page has the attempt given up before it says anything. */
const PAY_UNANSWERED = 'pay unanswered'

export type ReportDecision =
  | {
      readonly decision: 'abandon'
      readonly attempt: Attempt
      /** For the log of changes. */
      readonly why: ErrorReport | typeof PAY_UNANSWERED
      /** The card holder is being asked still, and need not be. */
      readonly wasChallenged: boolean
    }
  | { readonly decision: 'done' }
  | { readonly decision: 'refuse'; readonly refusal: Refusal }

/**
 * A shopper whose page could not go on gives the attempt up. Reported twice, it is given up once. A page that got no
 * answer to its payment does so too: whatever of it is still on its way then finds an attempt that is over.
 */
export const decideReport = (report: ErrorReport, attempt: Attempt): ReportDecision => {
  const { state } = attempt
  if (isInFlight(state)) return { decision: 'refuse', refusal: refuse('payment_in_progress') }
  if (state.name === 'abandoned')
    return state.why === report ? { decision: 'done' } : { decision: 'refuse', refusal: refuse('order_over') }
  const wasChallenged = state.name === 'challenged'
  // Cleared, it could be charged: its page sent a payment that may never arrive.
  const isPayUnanswered = report === 'challenge error' && clearanceOf(state) !== null
  const belongs = report === 'collect error' ? state.name === 'started' : wasChallenged || isPayUnanswered
  if (belongs) {
    return {
      decision: 'abandon',
      // The stored word is one that earlier releases read too.
      attempt: transitionAttempt(attempt, { name: 'abandoned', why: report }),
      why: isPayUnanswered ? PAY_UNANSWERED : report,
      wasChallenged,
    }
  }
  // The issuer's refusal came just before the shopper's: it stands.
  if (report === 'challenge error' && state.name === 'refused') return { decision: 'done' }
  return { decision: 'refuse', refusal: refuse('wrong_step') }
}

export const AUTHENTICATION_UNAVAILABLE = 'authentication unavailable'

/** The attempt as it is once nobody will answer for it; null where it had ended meanwhile, and stays as it ended. */
export const abandonUnavailable = (attempt: Attempt): Attempt | null =>
  isBeforeIssuerAnswer(attempt.state)
    ? transitionAttempt(attempt, { name: 'abandoned', why: AUTHENTICATION_UNAVAILABLE })
    : null

/** How the caller of authenticate is refused, by how the attempt ended. */
export const refuseUnavailable = ({ state }: Attempt): Refusal =>
  refuse(
    state.name === 'abandoned' && state.why === AUTHENTICATION_UNAVAILABLE
      ? 'authentication_unavailable'
      : 'order_over',
  )

export type MonitorDecision =
  /** The card holder is being asked: the 3-D Secure server knows whether there is an answer. */
  | { readonly decision: 'read result' }
  | { readonly decision: 'over' }
  | { readonly decision: 'refuse'; readonly refusal: Refusal }

/** Whether a page that shows a challenge has anything left to wait for. Before the challenge there is nothing to watch. */
export const decideMonitor = (
  reading: (CheckoutSnapshot & { readonly now: Instant }) | null,
  attempt: Attempt | null,
): MonitorDecision => {
  if (attempt === null) return { decision: 'refuse', refusal: refuse('order_not_found') }
  const { state } = attempt
  if (isBeforeIssuerAnswer(state)) return { decision: 'refuse', refusal: refuse('wrong_step') }
  const isWaiting =
    reading !== null && stateAsRead(reading, reading.now).status === 'open' && state.name === 'challenged'
  return { decision: isWaiting ? 'read result' : 'over' }
}
