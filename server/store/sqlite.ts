/** SQLite engine: one file, one connection, transactions in a queue. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import {
  Conflict,
  DatabaseFull,
  DatabaseUnavailable,
  applyMigrations,
  outsideTransaction,
  scriptFor,
  text,
  type Database,
  type Row,
  type Sql,
  type SqlValue,
  type Write,
} from './database.ts'
import { assertIndependent } from './write.ts'

const SQLITE_CONSTRAINT = 19
const SQLITE_BUSY = 5
/** Locked by another process for longer than we wait, disk full, cannot be read or written: nothing wrong with the request. */
const PASSING = new Set([SQLITE_BUSY, 6, 10, 13])
/** Cannot be written, disk full. Beyond a quota or a limit on the size of files SQLite says the first. */
const NO_ROOM = new Set([10, 13])

const errorCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined

const asOurs = (error: unknown): unknown => {
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

/** More than the program has of its own; a list has one for each combination of filters. */
const KEPT_STATEMENTS_MAX = 500

/** The embedded engine: one file, one connection, and a queue, because a connection has one transaction at a time. */
export const openSqlite = (path: string, lockPath: string | null): Database => {
  const database = new DatabaseSync(path, { timeout: 5000 })
  database.exec('PRAGMA journal_mode = WAL')
  // FULL is what keeps an acknowledged payment through a power cut; NORMAL loses the last ones.
  database.exec('PRAGMA synchronous = FULL')
  database.exec('PRAGMA foreign_keys = ON')

  const statements = new Map<string, StatementSync>()
  const run = (textWithMarks: string, values: readonly SqlValue[]): Row[] => {
    let statement = statements.get(textWithMarks)
    if (statement === undefined) {
      statement = database.prepare(textWithMarks.replace(/\$(\d+)/g, '?$1'))
      if (statements.size < KEPT_STATEMENTS_MAX) statements.set(textWithMarks, statement)
    }
    return statement.all(...values)
  }
  // Transactions run one after another: inside one, no row is held by another.
  const [passingOverHeld, holding] = ['', '']
  const sql: Sql = {
    rows: async (statement, ...values) => run(statement, values),
    writeAll: async (writes) => {
      assertIndependent(writes)
      for (const write of writes) run(write.text, write.values)
    },
    passingOverHeld,
    holding,
    lockNames: async () => undefined,
  }

  const insideTransaction = new AsyncLocalStorage<true>()
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    // A nested call would wait for its own end for ever.
    if (insideTransaction.getStore() === true) throw new Error('transactions are not nested')
    const turn = last
      .then(() => insideTransaction.run(true, work))
      .catch((error: unknown) => {
        throw asOurs(error)
      })
    last = turn.catch(() => undefined)
    return turn
  }

  const asConflict = (error: unknown): unknown => {
    const isConstraint = ((errorCode(error) ?? 0) & 0xff) === SQLITE_CONSTRAINT
    return isConstraint && error instanceof Error ? new Conflict(constraintName(database, error.message)) : error
  }
  const transaction = async <T>(work: (sql: Sql) => Promise<T>): Promise<T> => {
    database.exec('BEGIN IMMEDIATE')
    try {
      const result = await work(sql)
      database.exec('COMMIT')
      return result
    } catch (error) {
      // Before the rollback: it asks the database for its indexes.
      const ours = asConflict(error)
      if (database.isTransaction) database.exec('ROLLBACK')
      throw ours
    }
  }
  /** A single statement is all or nothing by itself. */
  const writeAlone = async (writes: readonly Write[]): Promise<void> => {
    if (writes.length > 1) return transaction((inside) => inside.writeAll(writes))
    try {
      return await sql.writeAll(writes)
    } catch (error) {
      throw asConflict(error)
    }
  }

  let lock: DatabaseSync | undefined
  return {
    version: `SQLite ${text(database.prepare('SELECT sqlite_version() AS version').get() ?? {}, 'version')}`,
    rows: (statement, ...values) => inTurn(async () => run(statement, values)),
    writeAll: (writes) => inTurn(() => writeAlone(writes)),
    passingOverHeld,
    holding,
    lockNames: outsideTransaction,
    transact: (work) => inTurn(() => transaction(work)),
    migrate: (migrations, now) =>
      inTurn(() =>
        transaction((inside) =>
          applyMigrations(inside, (script) => database.exec(scriptFor('SQLite', script)), migrations, now),
        ),
      ),
    claimServer: async () => {
      if (lockPath === null || lock !== undefined) return { isOurs: true }
      // An open exclusive transaction on a file of its own: the operating system lets go of it however the process ends.
      const candidate = new DatabaseSync(lockPath, { timeout: 0 })
      try {
        candidate.exec('BEGIN EXCLUSIVE')
      } catch (error) {
        candidate.close()
        if (errorCode(error) === SQLITE_BUSY) return { isOurs: false, holder: `It holds ${lockPath}.` }
        throw error
      }
      lock = candidate
      return { isOurs: true }
    },
    close: async () => {
      await last
      lock?.close()
      database.close()
    },
  }
}

export const embeddedFile = (dataDir: string): string => join(dataDir, 'kaikei.sqlite')

/** Other users of the machine read nothing of it. SQLite gives its -wal and -shm files the mode of the database's. */
const keepPrivate = async (path: string): Promise<string> => {
  await writeFile(path, '', { flag: 'a', mode: 0o600 })
  await chmod(path, 0o600)
  return path
}

export const openEmbedded = async (dataDir: string): Promise<Database> => {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await chmod(dataDir, 0o700)
  return openSqlite(await keepPrivate(embeddedFile(dataDir)), await keepPrivate(join(dataDir, 'kaikei.lock')))
}
