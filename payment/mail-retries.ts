/** Mail retries: when a mail that could not be delivered is tried again, and when it is given up. */
import { DAY_MS, HOUR_MS, MINUTE_MS, type Instant } from '#contract/jst.ts'

/** The wait after the first try, the second, and so on; then always the last. Most mail servers that defer a mail take it after some minutes. */
const WAITS_MS = [1, 5, 15, 30, 60, 120, 240, 480].map((minutes) => minutes * MINUTE_MS)
const LAST_WAIT_MS = 8 * HOUR_MS

/** Counted from the event: a receipt more than three days late confuses more than it helps. */
export const MAIL_LIFETIME_MS = 72 * HOUR_MS

/** Up to a tenth later, so that a thousand mails that failed together are not retried together. */
const JITTER = 0.1

/**
 * When a mail that has now been tried `tries` times is tried again; null: never. `share`, from 0 to 1, is its own part of the
 * jitter. The last try is at the end of its lifetime.
 */
export const nextMailTry = (
  { createdAt, tries, share }: { readonly createdAt: Instant; readonly tries: number; readonly share: number },
  now: Instant,
): Instant | null => {
  const end = createdAt + MAIL_LIFETIME_MS
  if (now >= end) return null
  const wait = WAITS_MS[tries - 1] ?? LAST_WAIT_MS
  return Math.min(end, now + Math.round(wait * (1 + JITTER * share)))
}

/** Mails that wait for the same day are tried within its first hour, not all together. */
const SPREAD_MS = HOUR_MS

/** When a mail that must wait until a time is tried; null: never, its lifetime is over. */
export const mailTryAfter = (
  { createdAt, share }: { readonly createdAt: Instant; readonly share: number },
  until: Instant,
  now: Instant,
): Instant | null => {
  const end = createdAt + MAIL_LIFETIME_MS
  return now >= end ? null : Math.min(end, until + Math.round(SPREAD_MS * share))
}

/** No wait and no lease is longer. What is due even later was stored before the clock was set back. */
export const MAIL_AHEAD_MAX_MS = DAY_MS + SPREAD_MS + MINUTE_MS

/** Lease of one try: after it another worker may take the mail. Longer than all timeouts of SMTP together. */
export const MAIL_LEASE_MS = 5 * MINUTE_MS
