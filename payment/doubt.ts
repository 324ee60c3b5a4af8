/** Payment in doubt: inquiry schedule, lease, and when a person is called. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type Instant } from '#contract/jst.ts'
import type { AcquirerKind } from './acquirer-limits.ts'

/** Money may have moved, and the outcome is unknown. A doubt ends by an answer, never by waiting. */
export interface Doubt {
  readonly why: string
  readonly since: Instant
  readonly inquiries: number
  readonly nextInquiryAt: Instant
}

/** When the acquirer is asked again, counted from the beginning of the doubt. After these, every hour. */
const INQUIRY_SCHEDULE_MS = [1 * SECOND_MS, 5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS] as const

/** After this time a person is called. */
export const LONG_DOUBT_MS = 10 * MINUTE_MS
export const LONG_DOUBT = 'in doubt for ten minutes and more'

export const LEASE_EXPIRED = 'lease passed'

const nextInquiry = (since: Instant, inquiries: number, now: Instant): Instant => {
  const offset = INQUIRY_SCHEDULE_MS[inquiries]
  return Math.max(offset === undefined ? now + HOUR_MS : since + offset, now + SECOND_MS)
}

export const beginDoubt = (why: string, now: Instant): Doubt => ({
  why,
  since: now,
  inquiries: 0,
  nextInquiryAt: nextInquiry(now, 0, now),
})

const countInquiry = ({ why, since, inquiries }: Doubt, now: Instant): Doubt => {
  // If the clock was set back, the doubt would begin in the future: it begins now.
  const begun = Math.min(since, now)
  return { why, since: begun, inquiries: inquiries + 1, nextInquiryAt: nextInquiry(begun, inquiries + 1, now) }
}

/** No lease and no pause is longer. What is due even later was stored before the clock was set back, and is due now. */
export const DUE_AHEAD_MAX_MS = HOUR_MS + MINUTE_MS

const isDue = (dueAt: Instant, now: Instant): boolean => now >= dueAt || dueAt - now > DUE_AHEAD_MAX_MS

/**
 * The doubt to store before this inquiry is made; undefined: no inquiry is due. A lease that has passed begins a doubt: its
 * process died or lost the connection, and nobody knows whether it has charged.
 */
export const inquiryDueNow = (inFlight: { readonly leaseUntil: Instant } | Doubt, now: Instant): Doubt | undefined => {
  if ('leaseUntil' in inFlight)
    return isDue(inFlight.leaseUntil + 1, now) ? countInquiry(beginDoubt(LEASE_EXPIRED, now), now) : undefined
  return isDue(inFlight.nextInquiryAt, now) ? countInquiry(inFlight, now) : undefined
}

/** Why a doubt may not be ended by hand; undefined: it may. */
export type NotByHand = 'not in doubt' | 'too early' | 'no reference'

/**
 * Whether an operator may record how a charge ended. Not in the first ten minutes, in which the server asks often: the
 * acquirer's answer could contradict the operator's. A charge without the acquirer's reference could never be refunded.
 */
export const notByHand = (
  doubt: Pick<Doubt, 'since'> | null,
  charge: { readonly as: 'charged' | 'not_charged'; readonly hasReference: boolean },
  now: Instant,
): NotByHand | undefined => {
  if (doubt === null) return 'not in doubt'
  if (!isLongDoubt(doubt.since, now)) return 'too early'
  return charge.as === 'charged' && !charge.hasReference ? 'no reference' : undefined
}

export const isLongDoubt = (since: Instant, now: Instant): boolean => now - since >= LONG_DOUBT_MS

/** When a refund in doubt calls a person, and in which words. */
interface LongRefundDoubt {
  readonly afterMs: number
  readonly words: string
}

const TEN_MINUTES: LongRefundDoubt = { afterMs: LONG_DOUBT_MS, words: LONG_DOUBT }

/**
 * By the kind of acquirer. Adyen answers that it has received a refund, and tells by a notification how it ended, hours or days
 * later: after ten minutes every refund would call a person. Its idempotency keys lapse after seven days, so an operator who is called after three has four.
 */
const LONG_REFUND_DOUBTS: Readonly<Record<AcquirerKind | 'sandbox', LongRefundDoubt>> = {
  sandbox: TEN_MINUTES,
  stripe: TEN_MINUTES,
  adyen: { afterMs: 3 * DAY_MS, words: 'no notification of Adyen in three days and more' },
}

/** Why a person is called about a refund in doubt; null: not yet. `acquirer` null: the sandbox. */
export const longRefundDoubt = (since: Instant, now: Instant, acquirer: AcquirerKind | null): string | null => {
  const { afterMs, words } = LONG_REFUND_DOUBTS[acquirer ?? 'sandbox']
  return now - since >= afterMs ? words : null
}

/** A shop sees a refund in doubt at once; at Adyen, where every refund is in doubt for hours, after three days. */
export const isShownRefundDoubt = (since: Instant, now: Instant, acquirer: AcquirerKind | null): boolean =>
  LONG_REFUND_DOUBTS[acquirer ?? 'sandbox'].afterMs === LONG_DOUBT_MS || longRefundDoubt(since, now, acquirer) !== null

const LEASE_MARGIN_MS = 15 * SECOND_MS

/** Lease of the process that charges: the acquirer's timeout and a margin. After it any process may inquire. */
export const leaseFrom = (now: Instant, gatewayTimeoutMs: number): Instant => now + gatewayTimeoutMs + LEASE_MARGIN_MS
