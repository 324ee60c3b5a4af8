import type { Instant } from '#contract/jst.ts'
import type { Clearance } from './authentication.ts'
import type { CardFace } from './card-number.ts'
import { beginDoubt, takeInquiry, type Doubt } from './doubt.ts'

/** One attempt to pay one checkout with one card. Its order code is also the order id at the acquirer, for ever. */
export interface Attempt {
  readonly merchantId: string
  readonly checkoutId: string
  readonly orderCode: string
  readonly amountYen: number
  readonly card: CardFace
  readonly startedAt: Instant
  /** Which consent notice the shopper agreed to by paying; null for attempts older than the notice's versions. */
  readonly consentVersion: string | null
  readonly state: AttemptState
}

export interface ReceiptWish {
  readonly email: string
  readonly locale: string
}

/** Each state carries exactly its own data. */
export type AttemptState =
  /** Without a clearance it needs an authentication first. */
  | { readonly name: 'started'; readonly clearance: Clearance | null }
  /** The issuer is being asked. */
  | { readonly name: 'authenticating'; readonly since: Instant }
  /** The issuer asks the card holder. */
  | { readonly name: 'challenged' }
  | { readonly name: 'authenticated'; readonly clearance: Clearance }
  | { readonly name: 'refused'; readonly reason: string; readonly counted: boolean; readonly blocksCard: boolean }
  | {
      readonly name: 'charging'
      readonly clearance: Clearance
      readonly receipt: ReceiptWish
      readonly leaseUntil: Instant
    }
  | ({ readonly name: 'unknown'; readonly receipt: ReceiptWish } & Doubt)
  | {
      readonly name: 'charged'
      readonly receipt: ReceiptWish
      readonly transactionId: string
      readonly approvedAt: Instant
    }
  | { readonly name: 'declined'; readonly reason: string }
  | { readonly name: 'void'; readonly why: string }
  | { readonly name: 'abandoned'; readonly why: AbandonReason }

export const ABANDON_REASONS = [
  'superseded',
  'cancelled',
  'collect error',
  'challenge error',
  'authentication unavailable',
  'expired',
] as const
export type AbandonReason = (typeof ABANDON_REASONS)[number]

export type AttemptStateName = AttemptState['name']

const mayBecome: Record<AttemptStateName, readonly AttemptStateName[]> = {
  // Started again as exempt: whether the card takes part in 3-D Secure is learned after the attempt is written down.
  started: ['started', 'authenticating', 'refused', 'charging', 'abandoned'],
  authenticating: ['challenged', 'authenticated', 'refused', 'abandoned'],
  challenged: ['authenticated', 'refused', 'abandoned'],
  authenticated: ['charging', 'abandoned'],
  refused: [],
  charging: ['charged', 'declined', 'void', 'unknown'],
  unknown: ['unknown', 'charged', 'declined', 'void'],
  charged: [],
  declined: [],
  void: [],
  abandoned: [],
}

/** Money may be moving, or may have moved, for an attempt in one of these. At most one attempt of a checkout is. */
export const isInFlight = (state: AttemptState): boolean => state.name === 'charging' || state.name === 'unknown'

/** An illegal move is a bug in a rule, never an answer to a shopper: it stops the transaction. */
export const moveAttempt = (attempt: Attempt, next: AttemptState): Attempt => {
  if (!mayBecome[attempt.state.name].includes(next.name)) {
    throw new Error(`an attempt cannot go from ${attempt.state.name} to ${next.name}`)
  }
  return { ...attempt, state: next }
}

/** The clearance under which the attempt may be charged now, or null when it has none. */
export const clearanceOf = (state: AttemptState): Clearance | null =>
  state.name === 'started' || state.name === 'authenticated' ? state.clearance : null

export const doubt = (receipt: ReceiptWish, why: string, now: Instant): AttemptState => ({
  name: 'unknown',
  receipt,
  ...beginDoubt(why, now),
})

/** What an attempt in flight needs at this moment. Whoever takes the turn to inquire must store the returned state first. */
export type Attention = { readonly need: 'nothing' } | { readonly need: 'inquiry'; readonly next: AttemptState }

export const attentionFor = (state: AttemptState, now: Instant): Attention => {
  if (state.name === 'charging') {
    // The process that held the lease died or was cut off: whether the acquirer was reached is not known.
    if (now <= state.leaseUntil) return { need: 'nothing' }
    return takeTurn(state.receipt, beginDoubt('lease passed', now), now)
  }
  if (state.name === 'unknown' && now >= state.nextInquiryAt) return takeTurn(state.receipt, state, now)
  return { need: 'nothing' }
}

const takeTurn = (receipt: ReceiptWish, doubtful: Doubt, now: Instant): Attention => ({
  need: 'inquiry',
  next: { name: 'unknown', receipt, ...takeInquiry(doubtful, now) },
})
