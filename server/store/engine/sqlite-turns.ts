/** Turns of SQLite: readings and transactions in the order of their calls, a few in each turn of the event loop, and a share for the background. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isInBackground } from './background-work.ts'

/**
 * After this time in one turn, the next unit of work waits for the next turn. SQLite answers synchronously, so a thousand
 * transactions would be one turn, in which no request is served.
 */
const TURN_MAX_MS = 8

/** Beside payments, the background rests three times as long as its last unit took: it has a quarter of the time at most. */
const REST_TIMES = 3
/** So long after any call that is not of the background, there may be a payment: it comes back for its next step. */
const PAYMENTS_FOR_MS = 250

type Work<T> = () => Promise<T>

export interface Turns {
  /** Begins in this turn or, after `TURN_MAX_MS` of it, in a later one. */
  read<T>(work: Work<T>): Promise<T>
  /** The same, after all writes before it have ended. */
  write<T>(work: Work<T>): Promise<T>
}

interface TurnPorts {
  readonly elapsed: () => number
  readonly sleep: (ms: number) => Promise<unknown>
}

/** The time is checked just before the work begins: checked at the call, a hundred calls at the same time would all pass. */
const createInTurn = (elapsed: TurnPorts['elapsed']): Turns['read'] => {
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

/** Runs one after another, each in the async context of its caller. What fails is told to its caller alone. */
const oneAfterAnother = (): Turns['write'] => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const running = last.then(work)
    last = running.catch(() => undefined)
    return running
  }
}

/**
 * Of the background one unit at a time stands among the others: a payment waits for one of them at most, and the background
 * goes on however many payments there are.
 */
const createShare = ({ elapsed, sleep: rest }: TurnPorts) => {
  const inOrder = oneAfterAnother()
  let otherAt = Number.NEGATIVE_INFINITY
  let restsUntil = Number.NEGATIVE_INFINITY
  const restMs = (): number => Math.min(restsUntil, otherAt + PAYMENTS_FOR_MS) - elapsed()

  /** `begin` is given the work with its time noted: what it waits for before is not the work's. */
  return <T>(work: Work<T>, begin: (noted: Work<T>) => Promise<T>): Promise<T> => {
    if (!isInBackground()) {
      otherAt = elapsed()
      return begin(work)
    }
    return inOrder(async () => {
      for (let ms = restMs(); ms > 0; ms = restMs()) await rest(ms)
      return begin(async () => {
        const began = elapsed()
        try {
          return await work()
        } finally {
          restsUntil = elapsed() + REST_TIMES * (elapsed() - began)
        }
      })
    })
  }
}

export const createTurns = (
  { elapsed, sleep: rest }: TurnPorts = { elapsed: () => performance.now(), sleep: (ms) => sleep(ms) },
): Turns => {
  const inTurn = createInTurn(elapsed)
  const inOrder = oneAfterAnother()
  const share = createShare({ elapsed, sleep: rest })
  return {
    read: (work) => share(work, inTurn),
    write: (work) => share(work, (noted) => inOrder(() => inTurn(noted))),
  }
}

/** For a database in memory, which has one connection: tests and the simulation must not depend on a clock. */
export const createOrder = (): Turns => {
  const inOrder = oneAfterAnother()
  return { read: inOrder, write: inOrder }
}
