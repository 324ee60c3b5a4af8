/** Delivery: when an event is tried again, what an answer means, and when an endpoint is given up. */
import { DAY_MS, type Instant } from '#contract/jst.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Before each try, after the one before it: ten tries over 75 hours. */
export const TRY_DELAYS_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const

export const TRY_TIMEOUT_MS = 15 * SECOND_MS

/** Longer than any try can take: whoever is still at it when it ends has died. */
export const DELIVERY_LEASE_MS = 2 * TRY_TIMEOUT_MS

/** An endpoint that has failed for so long is told by mail, and then given up. */
const TELL_AFTER_MS = DAY_MS
const DISABLE_AFTER_MS = 5 * DAY_MS
/**
 * Only an event that has itself been refused for more than a day gives an endpoint up. A shop that sells little may hear of
 * nothing for a week: its first failure after that is no fifth day of failure, and the event would be lost.
 */
const DISABLE_FROM_STEP = 7

export const ROLLING_MS = DAY_MS

export type WebhookAnswer =
  | {
      readonly outcome: 'answered'
      readonly status: number
      readonly retryAfter: string | null
      /** The first kilobyte. */
      readonly body: string
    }
  | { readonly outcome: 'unreachable'; readonly why: string }

const GONE = 410
/** A receiver that asks for more is tried at least once a day. */
const RETRY_AFTER_MAX_MS = DAY_MS

/** Up to a fifth later: events that failed together come back one after another. */
const JITTER = 0.2

const BASE32_DIGITS = 'abcdefghijklmnopqrstuvwxyz234567'
const DIGITS_READ = 6

/** No wait and no lease is longer: whatever is due later was stored before the clock was set back. */
export const DUE_AHEAD_MAX_MS = Math.max(...TRY_DELAYS_MS) * (1 + JITTER) + MINUTE_MS

/** A random id as a number from 0 to 1, 1 excluded. */
export const fractionOf = (randomId: string): number =>
  Array.from({ length: DIGITS_READ }, (_none, place) => BASE32_DIGITS.indexOf(randomId.charAt(place))).reduceRight(
    (sum, digit) => (sum + digit) / BASE32_DIGITS.length,
    0,
  )

/** Seconds, or a date of HTTP. What is neither is passed over. */
export const retryAfterMs = (header: string | null, now: Instant): number => {
  if (header === null) return 0
  const wait = /^\d{1,9}$/.test(header) ? Number(header) * SECOND_MS : Date.parse(header) - now
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), RETRY_AFTER_MAX_MS) : 0
}

/** What was stored of a delivery when it was taken up, and of its endpoint. */
export interface DeliveryProgress {
  /** How many tries were made before this one. */
  readonly step: number
  readonly failingSince: Instant | null
  /** The endpoint has another address since this try began. */
  readonly isMoved: boolean
}

export interface TriedAt {
  readonly now: Instant
  /** From 0 to 1, 1 excluded. */
  readonly jitter: number
}

type DeliveryEnd =
  | { readonly state: 'delivered' | 'failed' | 'dropped'; readonly dueAt: null }
  | { readonly state: 'pending'; readonly dueAt: Instant }

/** What becomes of the delivery, and of its endpoint. */
export interface AfterTry {
  readonly delivery: DeliveryEnd
  readonly endpoint: {
    readonly failingSince: Instant | null
    readonly disabled: 'gone' | 'failing' | null
    /** What the shop is told by mail, once for each spell of failure. */
    readonly notice: 'failing' | 'disabled' | null
  }
}

const isSuccess = (answer: WebhookAnswer): boolean =>
  answer.outcome === 'answered' && answer.status >= 200 && answer.status < 300

const nextTry = (step: number, answer: WebhookAnswer, { now, jitter }: TriedAt): DeliveryEnd => {
  const delay = TRY_DELAYS_MS[step + 1]
  if (delay === undefined) return { state: 'failed', dueAt: null }
  const asked = answer.outcome === 'answered' ? retryAfterMs(answer.retryAfter, now) : 0
  return { state: 'pending', dueAt: now + Math.max(Math.round(delay * (1 + JITTER * jitter)), asked) }
}

/**
 * Redirects are not followed, so that 3xx is a failure like any other. What an address answers that the endpoint has no more
 * says nothing of its new one: a 410 of the old one would disable the new one, and drop all that waits for it.
 */
export const afterTry = (progress: DeliveryProgress, answer: WebhookAnswer, tried: TriedAt): AfterTry => {
  const { step, failingSince, isMoved } = progress
  if (isMoved)
    return {
      delivery: isSuccess(answer) ? { state: 'delivered', dueAt: null } : { state: 'pending', dueAt: tried.now },
      endpoint: { failingSince, disabled: null, notice: null },
    }
  if (isSuccess(answer))
    return {
      delivery: { state: 'delivered', dueAt: null },
      endpoint: { failingSince: null, disabled: null, notice: null },
    }
  // A clock that was set back makes the failure begin in the future: it begins now.
  const since = Math.min(failingSince ?? tried.now, tried.now)
  const isGone = answer.outcome === 'answered' && answer.status === GONE
  if (isGone || (tried.now - since >= DISABLE_AFTER_MS && step >= DISABLE_FROM_STEP))
    return {
      delivery: { state: 'dropped', dueAt: null },
      endpoint: { failingSince: since, disabled: isGone ? 'gone' : 'failing', notice: 'disabled' },
    }
  return {
    delivery: nextTry(step, answer, tried),
    endpoint: {
      failingSince: since,
      disabled: null,
      notice: tried.now - since >= TELL_AFTER_MS ? 'failing' : null,
    },
  }
}
