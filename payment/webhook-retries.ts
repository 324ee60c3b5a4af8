/** Webhook delivery: when an event is tried again, what an answer means, and when an endpoint is disabled. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type Instant } from '#contract/jst.ts'

/** The delay before each try: ten tries over 75 hours. */
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

/** Longer than any try can take: when it ends, the process that held it is gone. */
export const DELIVERY_LEASE_MS = 2 * TRY_TIMEOUT_MS

/** After this time of failure the shop gets a mail, and later the endpoint is disabled. */
const TELL_AFTER_MS = DAY_MS
const DISABLE_AFTER_MS = 5 * DAY_MS
/**
 * Only an event that has itself failed for more than a day disables an endpoint. A shop that sells little may have no event for a
 * week: its first failure after that is no fifth day of failure, and the event would be lost.
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
/** A receiver that asks for a longer wait is still tried once a day. */
const RETRY_AFTER_MAX_MS = DAY_MS

/** Up to a fifth later, so that events that failed together are not retried together. */
const JITTER = 0.2

const BASE32_DIGITS = 'abcdefghijklmnopqrstuvwxyz234567'
const DIGITS_READ = 6

/** No wait and no lease is longer. What is due even later was stored before the clock was set back. */
export const DUE_AHEAD_MAX_MS = Math.max(...TRY_DELAYS_MS) * (1 + JITTER) + MINUTE_MS

/** A random id as a number from 0 to 1, 1 excluded. */
export const fractionOf = (randomId: string): number =>
  Array.from({ length: DIGITS_READ }, (_none, place) => BASE32_DIGITS.indexOf(randomId.charAt(place))).reduceRight(
    (sum, digit) => (sum + digit) / BASE32_DIGITS.length,
    0,
  )

/** Seconds, or an HTTP date. Anything else is ignored. */
export const retryAfterMs = (header: string | null, now: Instant): number => {
  if (header === null) return 0
  const wait = /^\d{1,9}$/.test(header) ? Number(header) * SECOND_MS : Date.parse(header) - now
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), RETRY_AFTER_MAX_MS) : 0
}

/** The delivery and its endpoint when the try began. */
export interface DeliveryProgress {
  /** How many tries were made before this one. */
  readonly step: number
  readonly failingSince: Instant | null
  /** The endpoint's address was changed after this try began. */
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

/** The next state of the delivery and of its endpoint. */
export interface AfterTry {
  readonly delivery: DeliveryEnd
  readonly endpoint: {
    readonly failingSince: Instant | null
    readonly disabled: 'gone' | 'failing' | null
    /** The mail to the shop, once for each period of failure. */
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
 * Redirects are not followed, so 3xx is a failure like any other. An answer of the endpoint's old address does not count against
 * its new one: a 410 of the old address would disable the new one and drop all its deliveries.
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
  // If the clock was set back, the failure would begin in the future: it begins now.
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
