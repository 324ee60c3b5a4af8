import { AsyncLocalStorage } from 'node:async_hooks'
import type { Gateway, ThreeDSServer } from '#payment/ports.ts'
import type { Database, Sql } from '../../server/store/database.ts'
import type { VirtualTime } from './virtual-time.ts'

/** The power is gone: whatever this process was doing is never finished, and nobody is told. */
class PowerCut extends Error {}

const forever = <T>(): Promise<T> => new Promise<T>(() => undefined)

/** A moment at which a process can die, by name: before or after one call of a port. */
export type CrashPoint = `${'before' | 'after'} ${string}`

/**
 * One server process after another on the same database. Every call of a port is a step before and after which the
 * process may die; what it had begun then hangs for ever, and a transaction it had not committed is rolled back.
 */
export interface SimulatedProcess {
  /** How many steps have been taken, by all processes together. */
  readonly steps: number
  /** The kinds of moments that were passed. */
  readonly passed: ReadonlySet<CrashPoint>
  /** Those at which a process died. */
  readonly diedAt: ReadonlySet<CrashPoint>
  /** Runs a request in the process that lives now. */
  within<T>(work: () => Promise<T>): Promise<T>
  /** A call of a port. `work` is what the world does; its answer reaches only a process that still lives. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>
  database(real: Database): Database
}

const statements = new Map<string, string>()
/** The verb and the table of a statement: there are few of them, and each is a moment of its own. */
const nameOf = (statement: string): string => {
  const known = statements.get(statement)
  if (known !== undefined) return known
  const [, verb = 'SELECT', table = ''] =
    /^\s*(INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)/.exec(statement) ??
    /^\s*(SELECT)[^]*?FROM\s+(\w+)/.exec(statement) ??
    []
  const name = `${verb} ${table}`
  statements.set(statement, name)
  return name
}

export const simulatedProcess = (
  time: VirtualTime,
  dies: (step: number) => boolean,
  onCrash: () => void,
): SimulatedProcess => {
  const alive = new AsyncLocalStorage<number>()
  const passed = new Set<CrashPoint>()
  const diedAt = new Set<CrashPoint>()
  let incarnation = 0
  let steps = 0

  const isDead = (): boolean => (alive.getStore() ?? incarnation) !== incarnation
  /** Counts one step; true when the process is dead, or dies here. */
  const endsHere = (point: CrashPoint): boolean => {
    time.stir()
    if (isDead()) return true
    steps += 1
    passed.add(point)
    if (!dies(steps)) return false
    diedAt.add(point)
    incarnation += 1
    onCrash()
    return true
  }

  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    if (endsHere(`before ${name}`)) return forever()
    const answer = await work()
    return endsHere(`after ${name}`) ? forever() : answer
  }

  /** Inside a transaction a death must unwind it: a transaction that hangs would keep every later one out. */
  const unwind = (point: CrashPoint): void => {
    if (endsHere(point)) throw new PowerCut()
  }

  const steppingSql = (sql: Sql): Sql => ({
    ...sql,
    rows: async (text, ...values) => {
      unwind(`before ${nameOf(text)}`)
      const rows = await sql.rows(text, ...values)
      unwind(`after ${nameOf(text)}`)
      return rows
    },
  })

  return {
    get steps() {
      return steps
    },
    passed,
    diedAt,
    within: (work) => alive.run(incarnation, work),
    step,
    database: (real) => ({
      ...real,
      rows: (text, ...values) => step(nameOf(text), () => real.rows(text, ...values)),
      transact: async (work) => {
        if (endsHere('before BEGIN')) return forever()
        try {
          const result = await real.transact((sql) => work(steppingSql(sql)))
          return endsHere('after COMMIT') ? forever() : result
        } catch (error) {
          if (error instanceof PowerCut) return forever()
          throw error
        }
      },
    }),
  }
}

export const steppingGateway = ({ step }: SimulatedProcess, real: Gateway): Gateway => ({
  ready: () => step('ready', () => real.ready()),
  charge: (order) => step('charge', () => real.charge(order)),
  inquire: (orderCode) => step('inquire', () => real.inquire(orderCode)),
  fence: (orderCode) => step('fence', () => real.fence(orderCode)),
  refund: (order) => step('refund', () => real.refund(order)),
  inquireRefund: (order) => step('inquire refund', () => real.inquireRefund(order)),
  statement: (after) => step('statement', () => real.statement(after)),
})

export const steppingThreeDS = ({ step }: SimulatedProcess, real: ThreeDSServer): ThreeDSServer => ({
  event: (session, form) => real.event(session, form),
  start: (order) => step('3-D Secure start', () => real.start(order)),
  authenticate: (request) => step('3-D Secure authenticate', () => real.authenticate(request)),
  result: (session) => step('3-D Secure result', () => real.result(session)),
  abandon: (session, challenge) => step('3-D Secure abandon', () => real.abandon(session, challenge)),
})
