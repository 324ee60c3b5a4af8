/** Turns of the event loop: work that never waits for anything outside gives way to requests after a few milliseconds. */

/**
 * After so long in one turn the next unit of work waits for the next turn. SQLite answers at once, so that a thousand
 * transactions one after another would be a single turn: nobody is heard until the last of them has ended.
 */
const TURN_MAX_MS = 8

/**
 * Begins a unit of work: at once while this turn is young, else in a later one, in the order of the calls. It is looked at
 * just before the work begins, and not sooner: of a hundred calls at once each would find the turn young.
 */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

export const createTurns = (elapsed: () => number = () => performance.now()): InTurn => {
  /** When the first unit of this turn began; null: there was none yet. */
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
