/** Clock rules: when the clock of the machine is followed, and when it must be confirmed first. */
import { HOUR_MS, MINUTE_MS, type Instant } from '#contract/jst.ts'

export interface ClockCheck {
  /** False: the machine's clock has jumped, or is far from the newest stored time, and is not confirmed. */
  isConfirmed(): boolean
  /** How far the clock of the machine is ahead of the trusted time; 0 while it is followed. */
  differenceMs(): number
}

/** A trusted time, and the elapsed time at that moment, which nobody can set. */
export interface Anchor {
  readonly time: Instant
  readonly elapsedMs: number
}

/** The trusted time now. It does not depend on the machine's clock. */
export const trustedTime = ({ time, elapsedMs }: Anchor, nowElapsedMs: number): Instant =>
  time + (nowElapsedMs - elapsedMs)

/** How far the machine's clock may differ from the trusted time within an hour. NTP moves it by seconds. */
export const DIFFERENCE_MAX_MS = MINUTE_MS
/** Small differences are accepted once in this time. Accepted at once, a clock that runs twice as fast would be followed. */
export const ANCHOR_LIFETIME_MS = HOUR_MS

export const isFollowed = (wall: Instant, trusted: Instant): boolean => Math.abs(wall - trusted) <= DIFFERENCE_MAX_MS

/** The anchor from now on, while the machine's clock is followed. */
export const renewedAnchor = (anchor: Anchor, wall: Instant, elapsedMs: number): Anchor =>
  elapsedMs - anchor.elapsedMs >= ANCHOR_LIFETIME_MS ? { time: wall, elapsedMs } : anchor

/** A restart or an upgrade takes at most this long. After a longer pause a second clock is asked. */
export const OFF_MAX_MS = 10 * MINUTE_MS

/** The first anchor of a process: its machine's clock, unless the newest stored time is far from it. */
export const firstAnchor = (newestStored: Instant | null, wall: Instant, elapsedMs: number): Anchor => {
  if (newestStored === null) return { time: wall, elapsedMs }
  const ahead = wall - newestStored
  return { time: ahead >= -DIFFERENCE_MAX_MS && ahead <= OFF_MAX_MS ? wall : newestStored, elapsedMs }
}

/** An HTTP date has whole seconds, and the answer takes some time. */
export const CONFIRMED_WITHIN_MS = 2 * MINUTE_MS

const isNear = (one: Instant, other: Instant): boolean => Math.abs(one - other) <= CONFIRMED_WITHIN_MS

/** Near to `one`, and nearer to it than to `other`: after a step of two minutes an answer is near to both. */
const isNearerTo = (answer: Instant, one: Instant, other: Instant): boolean =>
  isNear(answer, one) && Math.abs(answer - one) < Math.abs(answer - other)

/** Whether second clocks confirm the machine's: one says the same, and none says the trusted time. */
export const isConfirmedBySecondClocks = (wall: Instant, trusted: Instant, answers: readonly Instant[]): boolean =>
  answers.some((answer) => isNearerTo(answer, wall, trusted)) &&
  !answers.some((answer) => isNearerTo(answer, trusted, wall))

/** An operator's confirmation counts only while it is fresh: the clock may have been set again since. */
export const isConfirmedByOperator = (wall: Instant, confirmedAt: Instant | null): boolean =>
  confirmedAt !== null && isNear(confirmedAt, wall)

/**
 * How far a server's time may be from the database's. One server stores until when a charge, a refund or a webhook is its own,
 * and another compares that with its own time: the shortest of these leases has 15 seconds to spare (`payment/doubt.ts`,
 * `payment/webhook-retries.ts`). Two servers, one five seconds ahead of the database and one five behind, differ by ten.
 */
export const CLOCK_SKEW_MAX_MS = 5000
/** One server ahead of the database, and one behind. */
export const SERVERS_DIFFER_MAX_MS = 2 * CLOCK_SKEW_MAX_MS

/** Whether a stored time is to come, and not only by the clock of another server: it was meant so, or a clock was set back. */
export const isYetToCome = (at: Instant, now: Instant): boolean => at - now > SERVERS_DIFFER_MAX_MS

/** How far our time is ahead of the database's, by our times before it was asked and after. 0: it lies between them. */
export const clockSkew = (databaseNow: Instant, before: Instant, after: Instant): number => {
  if (before > databaseNow) return before - databaseNow
  return after < databaseNow ? after - databaseNow : 0
}

export const isClockSkewed = (skewMs: number): boolean => Math.abs(skewMs) > CLOCK_SKEW_MAX_MS
