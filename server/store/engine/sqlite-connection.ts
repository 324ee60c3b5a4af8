/** SQLite connection: one open file with its statements, its errors as ours, and waiting for another process's lock. */
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Conflict, DatabaseFull, DatabaseUnavailable, type Row, type SqlValue } from './database.ts'
import { text } from './columns.ts'

const SQLITE_CONSTRAINT = 19
export const SQLITE_BUSY = 5
/** Locked by another process for longer than we wait, disk full, cannot be read or written: nothing wrong with the request. */
const PASSING = new Set([SQLITE_BUSY, 6, 10, 13])
/** Cannot be written, disk full. Beyond a quota or a limit on the size of files SQLite says the first. */
const NO_ROOM = new Set([10, 13])

/** While the file is opened, where no request waits yet. */
const OPENING_TIMEOUT_MS = 5000

/** More than the program has of its own; a list has one for each combination of filters. */
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

/** SQLite names the columns of a broken constraint; PostgreSQL names the constraint. This finds the index by its columns. */
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
  // FULL is what keeps an acknowledged payment through a power cut; NORMAL loses the last ones.
  database.exec('PRAGMA synchronous = FULL')
  database.exec('PRAGMA foreign_keys = ON')
  if (use === 'reads') database.exec('PRAGMA query_only = ON')
  // SQLite would wait in the one thread that there is, and stop the whole server for so long: see `untilFree`.
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
/** Longer, and a writer beside us that pauses for less would keep the lock from us for ever. */
const LONGEST_PAUSE_MS = 25

/**
 * Tries again while another process holds the lock, and lets the event loop turn meanwhile. A statement that finds the lock
 * taken has changed nothing. At least one try, however late it is.
 */
export const untilFree = async <T>(attempt: () => T, deadline: number): Promise<T> => {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error
    }
    // With jitter: two servers' workers that began together would go on meeting.
    await sleep(pauseMs * (0.5 + Math.random() / 2))
  }
}
