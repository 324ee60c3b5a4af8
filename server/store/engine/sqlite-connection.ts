/** SQLite connection: prepared statements, translation of errors, and waiting for the lock of another process. */
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Conflict, DatabaseFull, DatabaseUnavailable, isReading, type Row, type SqlValue } from './database.ts'
import { text, UnreadableRow } from './columns.ts'

const SQLITE_CONSTRAINT = 19
export const SQLITE_BUSY = 5
/** Busy, locked, input/output error, disk full: the request itself may be right. */
const PASSING = new Set([SQLITE_BUSY, 6, 10, 13])
/** Input/output error, disk full. Beyond a quota or a limit on file sizes SQLite reports the first. */
const NO_ROOM = new Set([10, 13])

/** What a write-ahead log may keep of the disk once its content is in the database: SQLite cuts it when it begins anew. */
const WAL_KEPT_BYTES = 32 * 1024 * 1024

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

/** An integer beyond 2^53, for which the driver refuses all rows of the statement. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'

/** One that is too large for a number stays a bigint, which the reader of its column refuses. */
const asNumber = (value: unknown): unknown =>
  typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value

/** The same rows, one such integer among them. */
const withLargeIntegers = (statement: StatementSync, values: readonly SqlValue[]): Row[] => {
  statement.setReadBigInts(true)
  try {
    return statement
      .all(...values)
      .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asNumber(value)])))
  } finally {
    statement.setReadBigInts(false)
  }
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
  // A long reader, such as a backup, lets the log grow: without a limit the file would keep that size for ever.
  if (use === 'writes') database.exec(`PRAGMA journal_size_limit = ${WAL_KEPT_BYTES}`)
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
      try {
        return statement.all(...values)
      } catch (error) {
        if (!isTooLarge(error)) throw error
        // What writes has written already, and is not run again.
        if (!isReading(textWithMarks)) throw new UnreadableRow('a column holds an integer beyond 2^53')
        return withLargeIntegers(statement, values)
      }
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
