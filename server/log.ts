/** Log: an allow-list of facts, never a card number. */
import { AsyncLocalStorage } from 'node:async_hooks'
import pino from 'pino'
import type { LogLevel } from './config/config.ts'

/** The whole list of what a log line may hold. A fact that is not here cannot be logged. */
export interface LogFacts {
  /** The Request-Id of the answer that the line belongs to. */
  readonly request?: string
  readonly call?: string
  readonly merchant?: string
  /** The hint of an API key: its last characters. */
  readonly key?: string
  /** The id of a person of the console: random bits that open nothing. */
  readonly person?: string
  /** Names of what was changed, never the values. */
  readonly fields?: readonly string[]
  /** An order code: random bits that open nothing. A checkout's id is a link to pay it, and is not on this list. */
  readonly order?: string
  /** The id of a webhook endpoint: its own address may hold a secret. */
  readonly webhook?: string
  readonly status?: number
  readonly ms?: number
  readonly code?: string
  readonly why?: string
  readonly error?: string
  readonly at?: readonly string[]
  readonly directive?: string
  readonly database?: string
  readonly address?: string
}

export interface AnsweredCall {
  readonly method: string
  /** As it is declared, such as /api/v1/checkouts/:checkoutId. An address holds ids, and whatever else was sent. */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly request?: string
}

export interface Log {
  info(event: string, facts?: LogFacts): void
  warn(event: string, facts?: LogFacts): void
  error(event: string, facts?: LogFacts): void
  /** Calls a person, who finds by the order, where there is one, what it is about. Counted by the metrics. */
  alarm(event: string, facts: LogFacts & Required<Pick<LogFacts, 'why'>>): void
  /** A limit on card testing, or that of a link, refused a start. Counted by the metrics; sampled, for a bot starts as fast as it can. */
  limited(limit: 'address' | 'card' | 'link', facts: Pick<LogFacts, 'address'>): void
  /** Counted by the metrics, whatever the level. */
  answered(answer: AnsweredCall): void
}

const LISTED: Readonly<Record<keyof LogFacts, true>> = {
  request: true,
  call: true,
  merchant: true,
  key: true,
  person: true,
  fields: true,
  order: true,
  webhook: true,
  status: true,
  ms: true,
  code: true,
  why: true,
  error: true,
  at: true,
  directive: true,
  database: true,
  address: true,
}

const requestIds = new AsyncLocalStorage<string>()

/** Every line that is written while `work` runs, and while what it started runs on, names this request. */
export const withRequestId = <T>(request: string, work: () => T): T => requestIds.run(request, work)

/** The types alone would let through an object that holds more than they name. */
const listed = (facts: LogFacts): object => {
  const request = facts.request ?? requestIds.getStore()
  const named = request === undefined ? facts : { request, ...facts }
  return Object.fromEntries(Object.entries(named).filter(([name]) => Object.hasOwn(LISTED, name)))
}

/**
 * Second line of defence behind the list above: a run of digits long enough for a card number is never written, whatever
 * script the digits are in and however they are set apart (a line break is \n in a line of JSON).
 */
export const withoutCardNumbers = (line: string): string =>
  line.replace(/\p{Nd}(?:(?:\\[nrt]|[^\p{L}\p{Nd}]){0,3}\p{Nd}){12,}/gu, '[digits]')

const SAMPLE_INTERVAL_MS = 10_000

/**
 * Sampler: true for the first event of its kind in ten seconds, where strangers can cause as many as they like. The kinds
 * must be few: each is remembered.
 */
export type Sampler = (kind: string) => boolean

export const createSampler = (elapsed: () => number): Sampler => {
  const letThroughAt = new Map<string, number>()
  return (kind) => {
    const now = elapsed()
    if (now - (letThroughAt.get(kind) ?? Number.NEGATIVE_INFINITY) < SAMPLE_INTERVAL_MS) return false
    letThroughAt.set(kind, now)
    return true
  }
}

/** Writes a line at the end of this turn; an urgent one at once, behind those before it. */
export type WriteLine = (line: string, isUrgent: boolean) => void

interface LogOutput {
  readonly write: WriteLine
  /** Writes what waits. To be called when the process ends. */
  flush(): void
}

/** The lines of one turn of the event loop are written together: one call of the system for all of them. */
export const joinLines = (write: (lines: string) => void): LogOutput => {
  let waiting = ''
  const flush = (): void => {
    if (waiting === '') return
    const lines = waiting
    waiting = ''
    write(lines)
  }
  return {
    write: (line, isUrgent) => {
      if (waiting === '' && !isUrgent) setImmediate(flush)
      waiting += line
      if (isUrgent) flush()
    },
    flush,
  }
}

/** The log of a process. A process that ends, however it says so, has written every line; one that is killed lacks a turn. */
export const logToStderr = (): WriteLine => {
  const { write, flush } = joinLines((lines) => process.stderr.write(lines))
  process.on('exit', flush)
  return write
}

/** Pino's own number of the level `error`, which alarms have too. */
const URGENT = pino.levels.values['error'] ?? 0

/** Errors and alarms are urgent: they may be the last that the process says. */
const streamTo = (write: WriteLine): pino.DestinationStream & { lastLevel: number } => ({
  // Asks pino to tell the level of each line before it is written.
  [Symbol.for('pino.metadata')]: true,
  lastLevel: 0,
  write(line) {
    write(withoutCardNumbers(line), this.lastLevel >= URGENT)
  },
})

export const createLog = (level: LogLevel, write: WriteLine, elapsed: () => number): Log => {
  const isSampled = createSampler(elapsed)
  const logger = pino(
    // An ISO time has no run of 13 digits; the default epoch milliseconds would be taken for a card number.
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    streamTo(write),
  )
  return {
    info: (event, facts = {}) => logger.info(listed(facts), event),
    warn: (event, facts = {}) => logger.warn(listed(facts), event),
    error: (event, facts = {}) => logger.error(listed(facts), event),
    alarm: (event, facts) => logger.error({ alarm: true, ...listed(facts) }, event),
    limited: (limit, facts) => {
      if (isSampled(limit))
        logger.warn(listed({ ...facts, why: limit }), 'a start was refused: cards may be being tried out')
    },
    answered: ({ method, route, status, ms, request }) =>
      logger.info(
        listed({ ...(request === undefined ? {} : { request }), call: `${method} ${route}`, status, ms }),
        'answered',
      ),
  }
}

/** Class and place of an error, never its message: a JSON parser quotes the body it could not read, card number and all. */
export const errorFacts = (error: unknown): LogFacts =>
  error instanceof Error
    ? {
        error: error.name,
        at: (error.stack ?? '')
          .split('\n')
          .filter((line) => line.trimStart().startsWith('at '))
          .slice(0, 6)
          .map((line) => line.trim()),
      }
    : { error: typeof error }

/** Makes a caller of adapters: one that throws has given no answer, so the exception is logged and `outcome` is answered. */
export const outcomeOnError =
  <N>(log: Log, failed: string, outcome: N) =>
  async <T>(call: () => Promise<T>): Promise<T | N> => {
    try {
      return await call()
    } catch (error) {
      log.error(failed, errorFacts(error))
      return outcome
    }
  }

/** An error's own words, for whoever started the program. Not for the log: `errorFacts` says why. */
export const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
