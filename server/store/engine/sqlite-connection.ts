/** SQLite connection: prepared statements, translation of errors, and waiting for the lock of another process. */
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Conflict, DatabaseFull, DatabaseUnavailable, type Row, type SqlValue } from './database.ts'
import { text } from './columns.ts'

const SQLITE_CONSTRAINT = 19
export const SQLITE_BUSY = 5
/** Busy, locked, input/output error, disk full: the request itself may be right. */
const PASSING = new Set([SQLITE_BUSY, 6, 10, 13])
/** Input/output error, disk full. Beyond a quota or a limit on file sizes SQLite reports the first. */
const NO_ROOM = new Set([10, 13])

/** While the file is opened: no request waits yet. */
const OPENING_TIMEOUT_MS = 5000

/** More than the program has itself; a list has one for each combination of filters. */
const KEPT_STATEMENTS_MAX = 500

export const errorCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined

const isBusy = (error: unknown): boolean => ((errorCode(error) ?? 0) & 0xff) === SQLITE_BUSY

export const asOurs = (error: unknown): unknown => {
  const code = errorCode(error)
  if (code === undefined || !PASSING.has(code & 0xff)) return error
  const Unavailable = NO_ROOM.has(code & 0xff) ? DatabaseFull : DatabaseUnavailable
  return new Unavailable('the embedded database cannot be used at the moment', { cause: error })
}

/** SQLite names the columns of a violated constraint, PostgreSQL its name. This finds the name by the columns. */
const constraintName = (database: DatabaseSync, message: string): string => {
  const columns = message.replace(/^.*failed: /, '').split(', ')
  const table = columns[0]?.split('.')[0] ?? ''
  const indexes = database.prepare('SELECT name FROM pragma_index_list(?) WHERE "unique" = 1').all(table)
  for (const index of indexes) {
    const name = text(index, 'name')
    const indexed = database.prepare('SELECT name FROM pragma_index_info(?)').all(name)
    const spelled = indexed.map((column) => `${table}.${text(column, 'name')}`)
    if (spelled.join() === columns.join()) return name.startsWith('sqlite_autoindex') ? `${table}_pkey` : name
  }
  return message
}

export interface Connection {
  readonly database: DatabaseSync
  run(textWithMarks: string, values: readonly SqlValue[]): Row[]
  asConflict(error: unknown): unknown
}

export const openConnection = (path: string, use: 'writes' | 'reads'): Connection => {
  const database = new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS })
  if (use === 'writes') database.exec('PRAGMA journal_mode = WAL')
  // FULL keeps acknowledged payments through a power cut; NORMAL loses the last ones.
  database.exec('PRAGMA synchronous = FULL')
  database.exec('PRAGMA foreign_keys = ON')
  if (use === 'reads') database.exec('PRAGMA query_only = ON')
  // SQLite would block the only thread while it waits: see `untilFree`.
  database.exec('PRAGMA busy_timeout = 0')

  const statements = new Map<string, StatementSync>()
  return {
    database,
    run: (textWithMarks, values) => {
      let statement = statements.get(textWithMarks)
      if (statement === undefined) {
        statement = database.prepare(textWithMarks.replace(/\$(\d+)/g, '?$1'))
        if (statements.size < KEPT_STATEMENTS_MAX) statements.set(textWithMarks, statement)
      }
      return statement.all(...values)
    },
    asConflict: (error) => {
      const isConstraint = ((errorCode(error) ?? 0) & 0xff) === SQLITE_CONSTRAINT
      return isConstraint && error instanceof Error ? new Conflict(constraintName(database, error.message)) : error
    },
  }
}

const FIRST_PAUSE_MS = 1
/** With a longer pause, another writer that pauses for less could keep the lock from us for ever. */
const LONGEST_PAUSE_MS = 25

/** Retries while another process holds the lock, without blocking the event loop. A busy statement has changed nothing. Tries at least once. */
export const untilFree = async <T>(attempt: () => T, deadline: number): Promise<T> => {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error
    }
    // With jitter: two processes that began together would collide again and again.
    await sleep(pauseMs * (0.5 + Math.random() / 2))
  }
}
