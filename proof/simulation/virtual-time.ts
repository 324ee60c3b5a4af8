interface Timer {
  readonly at: number
  readonly place: number
  wake(): void
}

/**
 * Time that passes only when nothing is left to do at this moment. Everything of a simulated world that takes time waits
 * here, so a run of hours takes seconds and happens the same way each time.
 */
export interface VirtualTime {
  now(): number
  sleep(ms: number): Promise<void>
  /** Something happened: before time may pass, whatever follows from it happens first. */
  stir(): void
  /** No time passes while this is under way: a database that answers in real time takes none of ours. */
  during<T>(work: Promise<T>): Promise<T>
  /** Lets time pass until `isOver` holds or nobody waits any more. */
  run(isOver: () => boolean): Promise<void>
}

/** Fastify hands bodies on by `setImmediate`: only after a few quiet turns of the event loop has everything happened. */
const QUIET_TURNS = 4

export const virtualTime = (start: number): VirtualTime => {
  let now = start
  let place = 0
  let stirred = 0
  let underWay = 0
  const timers: Timer[] = []

  const isBefore = (a: Timer, b: Timer): boolean => a.at < b.at || (a.at === b.at && a.place < b.place)

  /** Kept in order: the next to wake is the last. */
  const add = (timer: Timer): void => {
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

  const untilQuiet = async (): Promise<void> => {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
      const before = stirred
      await new Promise(setImmediate)
      if (stirred !== before || underWay > 0) quiet = -1
    }
  }

  return {
    now: () => now,
    sleep: (ms) =>
      new Promise((resolve) => {
        place += 1
        add({ at: now + Math.max(0, ms), place, wake: resolve })
      }),
    stir: () => {
      stirred += 1
    },
    during: async (work) => {
      underWay += 1
      try {
        return await work
      } finally {
        underWay -= 1
        stirred += 1
      }
    },
    run: async (isOver) => {
      for (;;) {
        await untilQuiet()
        if (isOver()) return
        const next = timers.pop()
        if (next === undefined) return
        now = Math.max(now, next.at)
        stirred += 1
        next.wake()
      }
    },
  }
}
