/** Attempt: one try to pay a checkout with one card, under one order code. States and their transitions. */
import type { Instant } from '#contract/jst.ts'
import type { MerchantMode } from '#contract/access.ts'
import type { Clearance } from './authentication-verdict.ts'
import type { CardFace } from './card-number.ts'
import { beginDoubt, inquiryDueNow, type Doubt } from './doubt.ts'
import type { SentOrder } from './ports.ts'
import type { OrderRef } from './references.ts'

/** One attempt to pay one checkout with one card. Its order code is also the order id at the acquirer, and never changes. */
export interface Attempt extends OrderRef {
  readonly mode: MerchantMode
  readonly amountYen: number
  /** Null: a restore has lost it, and the acquirer does not name it. */
  readonly card: CardFace | null
  readonly startedAt: Instant
  /** Which consent notice the shopper agreed to by paying; null for attempts older than the notice's versions. */
  readonly consentVersion: string | null
  /** The network that the start came from, for the limits on card testing; null once it is deleted. */
  readonly clientNetwork: string | null
  /** Tells its card from other cards of the same shop, for the same limits; null once it is deleted, and for test cards. */
  readonly cardMark: string | null
  /** Whether the issuer is asked for a challenge, and only a fully authenticated card holder may pay. */
  readonly challengeDemanded: boolean
  /** The acquirer's own reference, stored before the call that can move money. Null: nothing chargeable was ever sent. */
  readonly reference: string | null
  readonly state: AttemptState
}

export interface ReceiptRequest {
  /** Null: it was erased, or lost by a restore. Nothing is mailed. */
  readonly email: string | null
  readonly locale: string
}

/** Each state carries exactly its own data. */
export type AttemptState =
  /** Without a clearance the card holder must be authenticated first. */
  | { readonly name: 'started'; readonly clearance: Clearance | null }
  /** The issuer is being asked. */
  | { readonly name: 'authenticating'; readonly since: Instant }
  /** The issuer asks the card holder. */
  | { readonly name: 'challenged' }
  | { readonly name: 'authenticated'; readonly clearance: Clearance }
  | {
      readonly name: 'refused'
      readonly reason: string
      readonly counted: boolean
      readonly blocksCard: boolean
      /** The card holder left the challenge, or its time ran out: the issuer has not judged the card. */
      readonly unfinished?: true
    }
  | {
      readonly name: 'charging'
      readonly clearance: Clearance
      readonly receipt: ReceiptRequest
      readonly claimedAt: Instant
      readonly leaseUntil: Instant
    }
  | ({ readonly name: 'unknown'; readonly receipt: ReceiptRequest } & Doubt)
  | {
      readonly name: 'charged'
      readonly receipt: ReceiptRequest
      readonly transactionId: string
      readonly approvedAt: Instant
    }
  | { readonly name: 'declined'; readonly reason: string }
  /** Nothing was charged, and nothing can be charged under this order code. */
  | { readonly name: 'not_charged' }
  | { readonly name: 'abandoned'; readonly why: AbandonReason }

export const ABANDON_REASONS = [
  'superseded',
  'cancelled',
  'collect error',
  'challenge error',
  'authentication unavailable',
  'card not held',
  'expired',
] as const
export type AbandonReason = (typeof ABANDON_REASONS)[number]

export type AttemptStateName = AttemptState['name']

/** The word in stored rows, logs and printed lines, which earlier releases wrote too: there `not_charged` is `void`. */
export const recordedWord = (word: string): string => (word === 'not_charged' ? 'void' : word)

/** An attempt that is known to be in this state. */
export type AttemptIn<N extends AttemptStateName> = Attempt & { readonly state: Extract<AttemptState, { name: N }> }

const TRANSITIONS: Record<AttemptStateName, readonly AttemptStateName[]> = {
  // `started` again, with an exemption: that the card is not enrolled in 3-D Secure is learned after the attempt was stored.
  started: ['started', 'authenticating', 'refused', 'charging', 'abandoned'],
  authenticating: ['challenged', 'authenticated', 'refused', 'abandoned'],
  challenged: ['authenticated', 'refused', 'abandoned'],
  authenticated: ['charging', 'abandoned'],
  refused: [],
  charging: ['charged', 'declined', 'not_charged', 'unknown'],
  unknown: ['unknown', 'charged', 'declined', 'not_charged'],
  charged: [],
  declined: [],
  not_charged: [],
  abandoned: [],
}

/** In these states money may be moving or may have moved. At most one attempt of a checkout is in one of them. */
export const IN_FLIGHT: readonly AttemptStateName[] = ['charging', 'unknown']
export const isInFlight = ({ name }: AttemptState): boolean => IN_FLIGHT.includes(name)

/** The issuer has not answered yet. */
export const BEFORE_ISSUER_ANSWER: readonly AttemptStateName[] = ['started', 'authenticating']
export const isBeforeIssuerAnswer = ({ name }: AttemptState): boolean => BEFORE_ISSUER_ANSWER.includes(name)

/** The attempt has not ended, and the acquirer has not been asked to charge it. */
export const BEFORE_CHARGE: readonly AttemptStateName[] = ['started', 'authenticating', 'challenged', 'authenticated']

/** Whether the card may still be sent to an issuer or to the acquirer. An inquiry sends the order code alone. */
const needsCardIn: Record<AttemptStateName, boolean> = {
  started: true,
  authenticating: true,
  challenged: true,
  authenticated: true,
  refused: false,
  charging: true,
  unknown: false,
  charged: false,
  declined: false,
  not_charged: false,
  abandoned: false,
}
export const needsCard = ({ name }: AttemptState): boolean => needsCardIn[name]

/** What the acquirer is told of an attempt that it is asked about. */
export const sentOrderOf = ({ orderCode, amountYen, reference, startedAt }: Attempt): SentOrder => ({
  orderCode,
  amountYen,
  reference,
  startedAt,
})

/** Takes the card that the acquirer names, where ours was lost by a restore. */
export const withKnownCard = (attempt: Attempt, card: CardFace | undefined): Attempt =>
  attempt.card === null && card !== undefined ? { ...attempt, card } : attempt

/** An illegal transition is a bug in a rule, not an answer to a shopper: the exception stops the transaction. */
export const transitionAttempt = <S extends AttemptState>(
  attempt: Attempt,
  next: S,
): Attempt & { readonly state: S } => {
  if (!TRANSITIONS[attempt.state.name].includes(next.name)) {
    throw new Error(`an attempt cannot go from ${attempt.state.name} to ${next.name}`)
  }
  return { ...attempt, state: next }
}

/** Skips the transition table: where the acquirer contradicts our record, its answer is stored. */
export const overrideRecord = <S extends AttemptIn<'charged' | 'unknown'>['state']>(
  attempt: Attempt,
  next: S,
): Attempt & { readonly state: S } => ({ ...attempt, state: next })

/** The clearance that allows the charge now; null: there is none. */
export const clearanceOf = (state: AttemptState): Clearance | null =>
  state.name === 'started' || state.name === 'authenticated' ? state.clearance : null

export const startDoubt = (receipt: ReceiptRequest, why: string, now: Instant): AttemptIn<'unknown'>['state'] => ({
  name: 'unknown',
  receipt,
  ...beginDoubt(why, now),
})

/** If an inquiry is due, the state to store before asking; undefined: none is due. */
export const inquiryDue = (attempt: Attempt, now: Instant): AttemptIn<'unknown'> | undefined => {
  const { state } = attempt
  if (state.name !== 'charging' && state.name !== 'unknown') return undefined
  const doubt = inquiryDueNow(state, now)
  return doubt === undefined
    ? undefined
    : transitionAttempt(attempt, { name: 'unknown', receipt: state.receipt, ...doubt })
}
