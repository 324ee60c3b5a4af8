/** Test clock: time that a test can move forward. */
import type { Clock } from '#payment/ports.ts'
import { systemClock } from '../../server/dependencies.ts'

export interface TestClock extends Clock {
  advance(ms: number): void
}

/** Time that stands still until a test moves it. */
export const virtualClock = (start = Date.parse('2026-11-15T03:00:00Z')): TestClock => {
  let now = start
  return {
    now: () => now,
    sleep: async (ms) => {
      now += ms
    },
    advance: (ms) => {
      now += ms
    },
  }
}

/** Real time that a test can move forward. */
export const adjustableClock = (): TestClock => {
  let aheadMs = 0
  return {
    now: () => systemClock.now() + aheadMs,
    sleep: systemClock.sleep,
    advance: (ms) => {
      aheadMs += ms
    },
  }
}
