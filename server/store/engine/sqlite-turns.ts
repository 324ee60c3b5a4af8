/** Turns of SQLite: readings and transactions in the order of their calls, a few in each turn of the event loop; background work beside payments. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createBesidePayments, oneAfterAnother, type TimePorts } from './beside-payments.ts'
import { isInBackground } from './urgency.ts'

/**
 * After this time in one turn, the next unit of work waits for the next turn. SQLite answers synchronously, so a thousand
 * transactions would be one turn, in which no request is served.
 */
const TURN_MAX_MS = 8

type Work<T> = () => Promise<T>

export interface Turns {
  /** Begins in this turn or, after `TURN_MAX_MS` of it, in a later one. */
  read<T>(work: Work<T>): Promise<T>
  /** The same, after all writes before it have ended. */
  write<T>(work: Work<T>): Promise<T>
}

/** The time is checked just before the work begins: checked at the call, a hundred calls at the same time would all pass. */
const createInTurn = (elapsed: TimePorts['elapsed']): Turns['read'] => {
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

const SYSTEM_TIME: TimePorts = { elapsed: () => performance.now(), sleep: (ms) => sleep(ms) }

export const createTurns = (time: TimePorts = SYSTEM_TIME): Turns => {
  const inTurn = createInTurn(time.elapsed)
  const inOrder = oneAfterAnother()
  const { notePayment, run } = createBesidePayments(time)
  const place = <T>(work: Work<T>, begin: (work: Work<T>) => Promise<T>): Promise<T> => {
    if (isInBackground()) return run(work, begin)
    // Whatever else it is, it may be a step of a payment.
    notePayment()
    return begin(work)
  }
  return {
    read: (work) => place(work, inTurn),
    write: (work) => place(work, (timed) => inOrder(() => inTurn(timed))),
  }
}

/** For a database in memory, which has one connection: tests and the simulation must not depend on a clock. */
export const createOrder = (): Turns => {
  const inOrder = oneAfterAnother()
  return { read: inOrder, write: inOrder }
}
