/** Payment in doubt: inquiry schedule, lease, and when a person is called. */
import type { Instant } from '#contract/jst.ts'

/** Money may have moved and nobody has said so. A doubt ends by an answer, never by waiting. */
export interface Doubt {
  readonly why: string
  readonly since: Instant
  readonly inquiries: number
  readonly nextInquiryAt: Instant
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** When the acquirer is asked again, counted from the beginning of the doubt; then every hour. */
const INQUIRY_SCHEDULE_MS = [1 * SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE] as const

/** A doubt that lasts so long needs a person. */
export const LONG_DOUBT_MS = 10 * MINUTE
export const LONG_DOUBT = 'in doubt for ten minutes and more'

export const LEASE_EXPIRED = 'lease passed'

const nextInquiry = (since: Instant, inquiries: number, now: Instant): Instant => {
  const offset = INQUIRY_SCHEDULE_MS[inquiries]
  return Math.max(offset === undefined ? now + HOUR : since + offset, now + SECOND)
}

export const beginDoubt = (why: string, now: Instant): Doubt => ({
  why,
  since: now,
  inquiries: 0,
  nextInquiryAt: nextInquiry(now, 0, now),
})

const countInquiry = ({ why, since, inquiries }: Doubt, now: Instant): Doubt => {
  // A clock that was set back makes the doubt begin in the future: it begins now.
  const begun = Math.min(since, now)
  return { why, since: begun, inquiries: inquiries + 1, nextInquiryAt: nextInquiry(begun, inquiries + 1, now) }
}

/** No lease and no pause between inquiries is longer: whatever is due later was stored before the clock was set back. */
export const DUE_AHEAD_MAX_MS = HOUR + MINUTE

const isDue = (dueAt: Instant, now: Instant): boolean => now >= dueAt || dueAt - now > DUE_AHEAD_MAX_MS

/**
 * The doubt with this inquiry counted, undefined while none is due. It must be stored before the acquirer is asked. A lease
 * that has passed begins a doubt: whoever held it died or was cut off, and nobody knows how far it came.
 */
export const inquiryDueNow = (inFlight: { readonly leaseUntil: Instant } | Doubt, now: Instant): Doubt | undefined => {
  if ('leaseUntil' in inFlight)
    return isDue(inFlight.leaseUntil + 1, now) ? countInquiry(beginDoubt(LEASE_EXPIRED, now), now) : undefined
  return isDue(inFlight.nextInquiryAt, now) ? countInquiry(inFlight, now) : undefined
}

export const isLongDoubt = (since: Instant, now: Instant): boolean => now - since >= LONG_DOUBT_MS

const LEASE_MARGIN_MS = 15 * SECOND

/** How long the process that sends money owns it: the acquirer's time and a margin. After that anybody may inquire. */
export const leaseFrom = (now: Instant, gatewayTimeoutMs: number): Instant => now + gatewayTimeoutMs + LEASE_MARGIN_MS
