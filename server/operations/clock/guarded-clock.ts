/** Guarded clock: follows the machine's clock while it runs as fast as elapsed time. */
import type { Instant } from '#contract/jst.ts'
import { firstAnchor, isFollowed, renewedAnchor, trustedTime, type ClockCheck } from '#payment/clock.ts'
import type { Clock } from '#payment/ports.ts'

export interface GuardedClock extends Clock, ClockCheck {
  /** The machine's clock. */
  wall(): Instant
  /** The last trusted time plus the time that has elapsed since. */
  trusted(): Instant
  /** The machine's clock is confirmed: follow it from now on. */
  follow(): void
}

/**
 * No caller sees an unconfirmed time: after a jump in either direction `now` continues from the last trusted time. With the wrong
 * time, a single round of the worker would delete data for good.
 */
export const createGuardedClock = (
  machine: Clock,
  elapsed: () => number,
  newestStored: Instant | null,
): GuardedClock => {
  let anchor = firstAnchor(newestStored, machine.now(), elapsed())
  const trusted = (): Instant => Math.round(trustedTime(anchor, elapsed()))
  const differenceMs = (): number => {
    const [wall, expected] = [machine.now(), trusted()]
    return isFollowed(wall, expected) ? 0 : wall - expected
  }
  return {
    now: () => {
      const [wall, passed] = [machine.now(), elapsed()]
      const expected = trusted()
      if (!isFollowed(wall, expected)) return expected
      anchor = renewedAnchor(anchor, wall, passed)
      return wall
    },
    sleep: machine.sleep,
    wall: machine.now,
    trusted,
    differenceMs,
    isConfirmed: () => differenceMs() === 0,
    follow: () => {
      anchor = { time: machine.now(), elapsedMs: elapsed() }
    },
  }
}
