/** Turns of the event loop: work that runs without waiting gives requests a turn after a few milliseconds. */

/**
 * After this time in one turn, the next unit of work waits for the next turn. SQLite answers synchronously, so a thousand
 * transactions would be one turn, in which no request is served.
 */
const TURN_MAX_MS = 8

/**
 * Begins a unit of work now or, after `TURN_MAX_MS` of this turn, in a later one, in the order of the calls. The time is checked
 * just before the work begins: checked at the call, a hundred calls at the same time would all pass.
 */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

export const createTurns = (elapsed: () => number = () => performance.now()): InTurn => {
  /** The time at which the first unit of this turn began; null: there was none yet. */
  let began: number | null = null
  let next: Promise<void> | null = null
  const nextTurn = (): Promise<void> => {
    next ??= new Promise((resolve) => {
      setImmediate(() => {
        began = null
        next = null
        resolve()
      })
    })
    return next
  }
  return async (work) => {
    for (;;) {
      if (began === null) {
        began = elapsed()
        void nextTurn()
      }
      if (elapsed() - began < TURN_MAX_MS) return work()
      await nextTurn()
    }
  }
}
