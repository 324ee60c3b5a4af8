/** A browser fires a timer that is too long at once. This is far below that limit; the timer is then set again. */
const TIMER_MAX_MS = 12 * 60 * 60 * 1000
const DELAY_AFTER_DEADLINE_MS = 500
const READ_AGAIN_MS = 5000

/** Checkout deadline: how long to wait before the checkout is read. Past the deadline it is read every 5 seconds. */
export const delayToDeadlineMs = (validUntil: number, now: number): number => {
  const delayMs = validUntil - now + DELAY_AFTER_DEADLINE_MS
  return delayMs <= 0 ? READ_AGAIN_MS : Math.min(delayMs, TIMER_MAX_MS)
}

export const isPastDeadline = (validUntil: number, now: number): boolean => now > validUntil
