/** Simulated processes: the calls that a server makes of the database and of other services are the steps at which it can die. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ThreeDSServer } from '#payment/three-ds-port.ts'
import type { Database, Sql, Write } from '../../server/store/engine/database.ts'
import type { VirtualTime } from './virtual-time.ts'

/** Power cut: whatever the process was doing is never finished, and nobody gets an answer. */
class PowerCut extends Error {}

const neverResolves = <T>(): Promise<T> => new Promise<T>(() => undefined)

/** Crash point: a named moment before or after one call of a port, at which a process can die. */
export type CrashPoint = `${'before' | 'after'} ${string}`

/**
 * Simulated processes: servers on the same database, each one process after another. One may die before and after every call
 * of a port, and the others go on. What it had begun then never resolves, and a transaction it had not committed is rolled back.
 */
export interface SimulatedProcesses {
  /** How many steps have been taken, by all processes together. */
  readonly steps: number
  /** Crash points that a process came to. */
  readonly crashPointsPassed: ReadonlySet<CrashPoint>
  /** Those at which one died. */
  readonly crashPointsHit: ReadonlySet<CrashPoint>
  /** Runs a request in the process of this server that is alive now. */
  runInProcess<T>(server: number, work: () => Promise<T>): Promise<T>
  /** The server that calls; the first where no server does. */
  callingServer(): number
  isInTransaction(): boolean
  /** A call of a port. `work` is what happens outside; its answer reaches only a process that is still alive. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>
  database(real: Database): Database
}

const statementNames = new Map<string, string>()
/** The verb and the table of a statement: few enough that each can be a crash point of its own. */
const statementName = (statement: string): string => {
  const known = statementNames.get(statement)
  if (known !== undefined) return known
  const [, verb = 'SELECT', table = ''] =
    /^\s*(INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)/.exec(statement) ??
    /^\s*(SELECT)[^]*?FROM\s+(\w+)/.exec(statement) ??
    []
  const name = `${verb} ${table}`
  statementNames.set(statement, name)
  return name
}

const writesName = (writes: readonly Write[]): string => writes.map(({ text }) => statementName(text)).join(', ')

/** The shared app remembers which key is being written. One that died here would be remembered in every later world. */
const LAST_USE = 'UPDATE api_keys SET last_used_at'

export const simulatedProcesses = (
  time: VirtualTime,
  crashesAtStep: (step: number, point: CrashPoint) => boolean,
  onCrash: (server: number) => void,
): SimulatedProcesses => {
  const caller = new AsyncLocalStorage<{ readonly server: number; readonly process: number }>()
  const transacting = new AsyncLocalStorage<true>()
  const crashPointsPassed = new Set<CrashPoint>()
  const crashPointsHit = new Set<CrashPoint>()
  /** By server: how many of its processes have died. */
  const died = new Map<number, number>()
  let steps = 0

  const diedOf = (server: number): number => died.get(server) ?? 0
  const callingServer = (): number => caller.getStore()?.server ?? 0
  const isCallerDead = (): boolean => {
    const calling = caller.getStore()
    return calling !== undefined && calling.process !== diedOf(calling.server)
  }
  /** Counts one step; true when the process is dead, or dies here. */
  const crashesAt = (point: CrashPoint): boolean => {
    time.noteActivity()
    if (isCallerDead()) return true
    steps += 1
    crashPointsPassed.add(point)
    if (!crashesAtStep(steps, point)) return false
    crashPointsHit.add(point)
    const server = callingServer()
    died.set(server, diedOf(server) + 1)
    onCrash(server)
    return true
  }

  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    if (crashesAt(`before ${name}`)) return neverResolves()
    const answer = await work()
    return crashesAt(`after ${name}`) ? neverResolves() : answer
  }

  /** A crash inside a transaction must throw, to roll it back: one that hangs would block every later transaction. */
  const throwIfCrashed = (point: CrashPoint): void => {
    if (crashesAt(point)) throw new PowerCut()
  }

  const sqlWithCrashPoints = (sql: Sql): Sql => ({
    ...sql,
    writeAll: async (writes) => {
      throwIfCrashed(`before ${writesName(writes)}`)
      await sql.writeAll(writes)
      throwIfCrashed(`after ${writesName(writes)}`)
    },
    rows: async (text, ...values) => {
      throwIfCrashed(`before ${statementName(text)}`)
      const rows = await sql.rows(text, ...values)
      throwIfCrashed(`after ${statementName(text)}`)
      return rows
    },
  })

  return {
    get steps() {
      return steps
    },
    crashPointsPassed,
    crashPointsHit,
    runInProcess: (server, work) => caller.run({ server, process: diedOf(server) }, work),
    callingServer,
    isInTransaction: () => transacting.getStore() === true,
    step,
    database: (real) => ({
      ...real,
      rows: (text, ...values) =>
        text.startsWith(LAST_USE)
          ? real.rows(text, ...values)
          : step(statementName(text), () => real.rows(text, ...values)),
      writeAll: (writes) => step(writesName(writes), () => real.writeAll(writes)),
      transact: async (work) => {
        if (crashesAt('before BEGIN')) return neverResolves()
        try {
          const result = await real.transact((sql) => transacting.run(true, () => work(sqlWithCrashPoints(sql))))
          return crashesAt('after COMMIT') ? neverResolves() : result
        } catch (error) {
          if (error instanceof PowerCut) return neverResolves()
          throw error
        }
      },
    }),
  }
}

export const threeDSWithCrashPoints = ({ step }: SimulatedProcesses, real: ThreeDSServer): ThreeDSServer => ({
  event: (session, form) => real.event(session, form),
  start: (order) => step('3-D Secure start', () => real.start(order)),
  authenticate: (request) => step('3-D Secure authenticate', () => real.authenticate(request)),
  result: (...asked) => step('3-D Secure result', () => real.result(...asked)),
  abandon: (...told) => step('3-D Secure abandon', () => real.abandon(...told)),
})
