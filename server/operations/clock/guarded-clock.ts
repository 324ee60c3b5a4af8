/** Guarded clock: follows the clock of the machine as long as that goes as fast as time passes. */
import type { Instant } from '#contract/jst.ts'
import { firstAnchor, isFollowed, renewedAnchor, trustedTime, type ClockCheck } from '#payment/clock.ts'
import type { Clock } from '#payment/ports.ts'

export interface GuardedClock extends Clock, ClockCheck {
  /** What the machine says. */
  wall(): Instant
  /** What it would be without the clock of the machine. */
  trusted(): Instant
  /** The clock of the machine is right: it is followed from now on. */
  follow(): void
}

/**
 * No call ever sees a time that nobody has confirmed: after a jump, in either direction, `now` goes on from the last trusted
 * time by what has passed. With the wrong time itself a single round of the worker would delete for good.
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
