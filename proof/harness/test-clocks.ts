/** Test clock: time that a test can move forward. */
import type { Clock } from '#payment/ports.ts'
import { systemClock } from '../../server/dependencies.ts'
import type { StartTimer } from '../../server/http/limits/connection-limits.ts'

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

/** The time of today, which passes while somebody sleeps and when a test moves it: by nothing that a busy machine makes longer. */
export const sleepersClock = (): TestClock => {
  let now = systemClock.now()
  return {
    now: () => now,
    sleep: async (ms) => {
      const end = now + ms
      await systemClock.sleep(ms)
      now = Math.max(now, end)
    },
    advance: (ms) => {
      now += ms
    },
  }
}

/** For a server beside a sandbox process, whose charges and challenges end by real time. */
export const realClock: TestClock = {
  ...systemClock,
  advance: () => {
    throw new Error('nobody moves real time')
  },
}

/** Timers for which time passes when the test says so, and not before it has seen them start. */
export const manualTimers = () => {
  let now = 0
  const running = new Map<() => void, number>()
  const start: StartTimer = (ms, work) => {
    running.set(work, now + ms)
    return () => running.delete(work)
  }
  return {
    start,
    running: () => running.size,
    pass: (ms: number): void => {
      now += ms
      for (const [work, at] of running) {
        if (at > now) continue
        running.delete(work)
        work()
      }
    },
  }
}
