import type { Clock } from '#payment/ports.ts'

/** Time that stands still until a test moves it. */
export interface VirtualClock extends Clock {
  advance(ms: number): void
}

export const virtualClock = (start = Date.parse('2026-11-15T03:00:00Z')): VirtualClock => {
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
