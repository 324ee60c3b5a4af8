import type { Database } from '../../server/store/engine/database.ts'

interface Timer {
  readonly at: number
  readonly sequence: number
  wake(): void
}

/**
 * Virtual time: passes only when nothing is left to do at this moment. Everything in a simulation that takes time waits
 * here, so a run of hours takes seconds and happens the same way each time.
 */
export interface VirtualTime {
  now(): number
  sleep(ms: number): Promise<void>
  /** Something happened: time waits until everything that follows from it has happened too. */
  noteActivity(): void
  /** No virtual time passes during this work: a database that answers in real time takes none of it. */
  holdDuring<T>(work: Promise<T>): Promise<T>
  /** Lets time pass until `isOver` holds or no timer is left. */
  run(isOver: () => boolean): Promise<void>
}

/** Fastify hands bodies on by `setImmediate`: everything has happened after a few quiet turns of the event loop. */
const QUIET_TURNS = 4

export const virtualTime = (start: number): VirtualTime => {
  let now = start
  let sequence = 0
  let activity = 0
  let holds = 0
  const timers: Timer[] = []

  const isBefore = (a: Timer, b: Timer): boolean => a.at < b.at || (a.at === b.at && a.sequence < b.sequence)

  /** Sorted: the next timer to wake is the last of the list. */
  const insert = (timer: Timer): void => {
    let low = 0
    let high = timers.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = timers[middle]
      if (other !== undefined && isBefore(timer, other)) low = middle + 1
      else high = middle
    }
    timers.splice(low, 0, timer)
  }

  const waitUntilQuiet = async (): Promise<void> => {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
      const before = activity
      await new Promise(setImmediate)
      if (activity !== before || holds > 0) quiet = -1
    }
  }

  return {
    now: () => now,
    sleep: (ms) =>
      new Promise((resolve) => {
        sequence += 1
        insert({ at: now + Math.max(0, ms), sequence, wake: resolve })
      }),
    noteActivity: () => {
      activity += 1
    },
    holdDuring: async (work) => {
      holds += 1
      try {
        return await work
      } finally {
        holds -= 1
        activity += 1
      }
    },
    run: async (isOver) => {
      for (;;) {
        await waitUntilQuiet()
        if (isOver()) return
        const next = timers.pop()
        if (next === undefined) return
        now = Math.max(now, next.at)
        activity += 1
        next.wake()
      }
    },
  }
}

/** A database that answers in real time: no virtual time passes while it works. */
export const withTimeHeld = (store: Database, time: VirtualTime): Database => ({
  ...store,
  rows: (...statement) => time.holdDuring(store.rows(...statement)),
  writeAll: (writes) => time.holdDuring(store.writeAll(writes)),
  transact: (work) => time.holdDuring(store.transact(work)),
})
