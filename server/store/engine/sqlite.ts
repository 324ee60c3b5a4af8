/** SQLite engine: one file, one connection for writes in a queue, and one for reads. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isReading, outsideTransaction, type Database, type Sql, type Write } from './database.ts'
import { text } from './columns.ts'
import { applyMigrations, scriptFor } from './migrate.ts'
import { asOurs, errorCode, openConnection, SQLITE_BUSY, untilFree } from './sqlite-connection.ts'
import { lockFile } from './running-server.ts'
import { createOrder, createTurns, type Turns } from './sqlite-turns.ts'
import { assertIndependent } from './write.ts'

/** How long a call waits for the lock of another process: as long as PostgreSQL waits for a row. */
const LOCK_TIMEOUT_MS = 5000

const IN_MEMORY = ':memory:'

/**
 * A connection has one transaction at a time, so writes wait in a queue. Reads outside a transaction have their own connection
 * and wait for no writer; each sees what was committed before it. A database in memory has one connection, so there reads
 * wait in the queue too.
 */
export const openSqlite = (path: string, lockPath: string | null, lockTimeoutMs = LOCK_TIMEOUT_MS): Database => {
  const writer = openConnection(path, 'writes')
  const reader = path === IN_MEMORY ? null : openConnection(path, 'reads')
  const turns = reader === null ? createOrder() : createTurns()

  // Transactions run one after another, so no other one holds a row.
  const [skipLocked, forShare, byBytes] = ['', '', '']
  const sql: Sql = {
    coalescesReads: false,
    rows: async (statement, ...values) => writer.run(statement, values),
    writeAll: async (writes) => {
      assertIndependent(writes)
      for (const write of writes) writer.run(write.text, write.values)
    },
    skipLocked,
    forShare,
    byBytes,
    lockNames: async () => undefined,
  }

  const insideTransaction = new AsyncLocalStorage<true>()
  const underWay = new Set<Promise<unknown>>()
  /** Runs a call from outside a transaction in its turn and tracks it until its end; `deadline` limits its wait for a lock. */
  const call = async <T>(turn: keyof Turns, work: (deadline: number) => Promise<T>): Promise<T> => {
    // A nested call would wait for itself for ever, or read rows from before its transaction.
    if (insideTransaction.getStore() === true) throw new Error('transactions are not nested')
    const deadline = performance.now() + lockTimeoutMs
    const running = turns[turn](() => work(deadline)).catch((error: unknown) => {
      throw asOurs(error)
    })
    const isOver = (): void => void underWay.delete(running)
    underWay.add(running)
    running.then(isOver, isOver)
    return running
  }
  const inQueue = <T>(work: (deadline: number) => Promise<T>): Promise<T> =>
    call('write', (deadline) => insideTransaction.run(true, () => work(deadline)))

  const transaction = async <T>(work: (sql: Sql) => Promise<T>, deadline: number): Promise<T> => {
    await untilFree(() => writer.database.exec('BEGIN IMMEDIATE'), deadline)
    try {
      const result = await work(sql)
      writer.database.exec('COMMIT')
      return result
    } catch (error) {
      // Before the rollback, because it reads the indexes of the database.
      const ours = writer.asConflict(error)
      if (writer.database.isTransaction) writer.database.exec('ROLLBACK')
      throw ours
    }
  }
  /** A single statement is all or nothing by itself. */
  const writeAlone = async (writes: readonly Write[], deadline: number): Promise<void> => {
    if (writes.length > 1) return transaction((inside) => inside.writeAll(writes), deadline)
    assertIndependent(writes)
    try {
      for (const write of writes) await untilFree(() => writer.run(write.text, write.values), deadline)
    } catch (error) {
      throw writer.asConflict(error)
    }
  }

  let lock: DatabaseSync | undefined
  return {
    version: `SQLite ${text(writer.database.prepare('SELECT sqlite_version() AS version').get() ?? {}, 'version')}`,
    rows: (statement, ...values) => {
      if (reader === null || !isReading(statement))
        return inQueue((deadline) => untilFree(() => writer.run(statement, values), deadline))
      return call('read', (deadline) => untilFree(() => reader.run(statement, values), deadline))
    },
    coalescesReads: false,
    writeAll: (writes) => inQueue((deadline) => writeAlone(writes, deadline)),
    skipLocked,
    forShare,
    byBytes,
    lockNames: outsideTransaction,
    transact: (work) => inQueue((deadline) => transaction(work, deadline)),
    migrate: (migrations, now) =>
      inQueue((deadline) =>
        transaction(
          (inside) =>
            applyMigrations(
              inside,
              { run: (script) => writer.database.exec(scriptFor('SQLite', script)) },
              migrations,
              now,
            ),
          deadline,
        ),
      ),
    // The only process that migrates is the one that holds the server lock.
    whileNobodyMigrates: (work) => work(),
    claimServer: async () => {
      if (lockPath === null || lock !== undefined) return { isOurs: true }
      // An exclusive transaction on a separate file: the operating system releases it however the process ends.
      const candidate = new DatabaseSync(lockPath, { timeout: 0 })
      try {
        candidate.exec('BEGIN EXCLUSIVE')
      } catch (error) {
        candidate.close()
        if (errorCode(error) === SQLITE_BUSY)
          return { isOurs: false, holder: `It holds ${lockPath}.`, holderMode: 'alone' }
        throw error
      }
      lock = candidate
      return { isOurs: true }
    },
    close: async () => {
      while (underWay.size > 0) await Promise.allSettled(underWay)
      lock?.close()
      reader?.database.close()
      // Last: it merges the write-ahead log and deletes it.
      writer.database.close()
    },
  }
}

export const embeddedFile = (dataDir: string): string => join(dataDir, 'kaikei.sqlite')

/** Other users of the machine cannot read it. SQLite gives its -wal and -shm files the same mode. */
const keepPrivate = async (path: string): Promise<string> => {
  await writeFile(path, '', { flag: 'a', mode: 0o600 })
  await chmod(path, 0o600)
  return path
}

export const openEmbedded = async (dataDir: string): Promise<Database> => {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await chmod(dataDir, 0o700)
  return openSqlite(await keepPrivate(embeddedFile(dataDir)), await keepPrivate(lockFile(dataDir)))
}
