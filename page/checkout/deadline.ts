/** A timer cannot run longer than this: beyond it the browser fires at once. It is simply set again. */
const LONGEST_TIMER_MS = 12 * 60 * 60 * 1000
const AFTER_THE_DEADLINE_MS = 500
const AGAIN_MS = 5000

/** How long to sleep before the checkout is due to be looked at. Past the deadline it is looked at again now and then. */
export const pauseBeforeDeadlineMs = (validUntil: number, now: number): number => {
  const left = validUntil - now + AFTER_THE_DEADLINE_MS
  return left <= 0 ? AGAIN_MS : Math.min(left, LONGEST_TIMER_MS)
}

export const isDue = (validUntil: number, now: number): boolean => now > validUntil
