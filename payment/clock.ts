/** Clock rules: when the clock of the machine is followed, and when it must be confirmed first. */
import type { Instant } from '#contract/jst.ts'

export interface ClockCheck {
  /** False: the machine's clock has jumped, or lies far from the newest stored time, and nobody has confirmed it. */
  isConfirmed(): boolean
  /** How far the clock of the machine is ahead of the trusted time; 0 while it is followed. */
  differenceMs(): number
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** A trusted time, and what the clock that nobody can set said then. */
export interface Anchor {
  readonly time: Instant
  readonly elapsedMs: number
}

/** The trusted time now: what has passed since is known, however often somebody has set the clock of the machine. */
export const trustedTime = ({ time, elapsedMs }: Anchor, nowElapsedMs: number): Instant =>
  time + (nowElapsedMs - elapsedMs)

/** How far the clock of the machine may go from the trusted time within an hour. NTP moves it by seconds. */
export const DIFFERENCE_MAX_MS = MINUTE
/** Small differences are taken over so seldom: taken over at once, a clock that runs twice as fast would be followed. */
export const ANCHOR_LIFETIME_MS = HOUR

export const isFollowed = (wall: Instant, trusted: Instant): boolean => Math.abs(wall - trusted) <= DIFFERENCE_MAX_MS

/** The anchor that counts from now on, where the clock of the machine is followed. */
export const renewedAnchor = (anchor: Anchor, wall: Instant, elapsedMs: number): Anchor =>
  elapsedMs - anchor.elapsedMs >= ANCHOR_LIFETIME_MS ? { time: wall, elapsedMs } : anchor

/** A restart and an upgrade take so long. Who was off for longer asks a second clock. */
export const OFF_MAX_MS = 10 * MINUTE

/** Where a process begins: with its machine's clock, unless the newest stored time lies far from that. */
export const firstAnchor = (newestStored: Instant | null, wall: Instant, elapsedMs: number): Anchor => {
  if (newestStored === null) return { time: wall, elapsedMs }
  const ahead = wall - newestStored
  return { time: ahead >= -DIFFERENCE_MAX_MS && ahead <= OFF_MAX_MS ? wall : newestStored, elapsedMs }
}

/** An HTTP date has whole seconds, and its answer takes a while. */
export const CONFIRMED_WITHIN_MS = 2 * MINUTE

const isNear = (one: Instant, other: Instant): boolean => Math.abs(one - other) <= CONFIRMED_WITHIN_MS

/** Near one and not nearer to the other: after a step of two minutes an answer is near both. */
const speaksFor = (answer: Instant, one: Instant, other: Instant): boolean =>
  isNear(answer, one) && Math.abs(answer - one) < Math.abs(answer - other)

/** Whether second clocks confirm the machine's: one says the same, and none says the trusted time. */
export const isConfirmedBySecondClocks = (wall: Instant, trusted: Instant, answers: readonly Instant[]): boolean =>
  answers.some((answer) => speaksFor(answer, wall, trusted)) &&
  !answers.some((answer) => speaksFor(answer, trusted, wall))

/** What an operator has confirmed counts while it is fresh: a clock that was set again since is another one. */
export const isConfirmedByOperator = (wall: Instant, confirmedAt: Instant | null): boolean =>
  confirmedAt !== null && isNear(confirmedAt, wall)
