import { AsyncLocalStorage } from 'node:async_hooks'
import type { Gateway, ThreeDSServer } from '#payment/ports.ts'
import type { Database, Sql } from '../store/database.ts'
import type { VirtualTime } from './virtual-time.ts'

/** The power is gone: whatever this process was doing is never finished, and nobody is told. */
class PowerCut extends Error {}

const forever = <T>(): Promise<T> => new Promise<T>(() => undefined)

/**
 * One server process after another on the same database. Every call of a port is a step before and after which the
 * process may die; what it had begun then hangs for ever, and a transaction it had not committed is rolled back.
 */
export interface SimulatedProcess {
  /** How many steps have been taken, by all processes together. */
  readonly steps: number
  /** Runs a request in the process that lives now. */
  within<T>(work: () => Promise<T>): Promise<T>
  /** A call of a port. `work` is what the world does; its answer reaches only a process that still lives. */
  step<T>(work: () => Promise<T>): Promise<T>
  database(real: Database): Database
  /** Ends the process at once, and lets the next one begin. */
  crash(): void
}

export const simulatedProcess = (
  time: VirtualTime,
  dies: (step: number) => boolean,
  onCrash: () => void,
): SimulatedProcess => {
  const alive = new AsyncLocalStorage<number>()
  let incarnation = 0
  let steps = 0

  const crash = (): void => {
    incarnation += 1
    onCrash()
  }
  const isDead = (): boolean => (alive.getStore() ?? incarnation) !== incarnation
  /** Counts one step; true when the process is dead, or dies here. */
  const endsHere = (): boolean => {
    time.stir()
    if (isDead()) return true
    steps += 1
    if (!dies(steps)) return false
    crash()
    return true
  }

  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    if (endsHere()) return forever()
    const answer = await work()
    return endsHere() ? forever() : answer
  }

  /** Inside a transaction a death must unwind it: a transaction that hangs would keep every later one out. */
  const steppingSql = (sql: Sql): Sql => ({
    rows: async (text, ...values) => {
      if (endsHere()) throw new PowerCut()
      return sql.rows(text, ...values)
    },
  })

  return {
    get steps() {
      return steps
    },
    within: (work) => alive.run(incarnation, work),
    step,
    crash,
    database: (real) => ({
      ...real,
      rows: (text, ...values) => step(() => real.rows(text, ...values)),
      transact: async (work) => {
        if (endsHere()) return forever()
        try {
          const result = await real.transact((sql) => work(steppingSql(sql)))
          return endsHere() ? forever() : result
        } catch (error) {
          if (error instanceof PowerCut) return forever()
          throw error
        }
      },
    }),
  }
}

export const steppingGateway = ({ step }: SimulatedProcess, real: Gateway): Gateway => ({
  ready: () => step(() => real.ready()),
  charge: (order) => step(() => real.charge(order)),
  inquire: (orderCode) => step(() => real.inquire(orderCode)),
  fence: (orderCode) => step(() => real.fence(orderCode)),
  refund: (order) => step(() => real.refund(order)),
  inquireRefund: (order) => step(() => real.inquireRefund(order)),
})

export const steppingThreeDS = ({ step }: SimulatedProcess, real: ThreeDSServer): ThreeDSServer => ({
  event: (session, form) => real.event(session, form),
  start: (order) => step(() => real.start(order)),
  authenticate: (request) => step(() => real.authenticate(request)),
  result: (session) => step(() => real.result(session)),
  abandon: (session, challenge) => step(() => real.abandon(session, challenge)),
})
