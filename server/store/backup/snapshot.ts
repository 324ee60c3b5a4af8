/** Snapshot: all rows of a database at one moment, read beside a running server without blocking it. */
import { open, rm } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Config } from '../../config/config.ts'
import type { SqlValue } from '../engine/database.ts'
import { columnTypes } from '../engine/postgres-statement.ts'
import { embeddedFile } from '../engine/sqlite.ts'

/** A table as a backup file has it. */
export interface BackupTable {
  readonly name: string
  readonly columns: readonly string[]
  /** The columns by which the file orders its rows; null: in the order of writing. */
  readonly clusteredBy: readonly string[] | null
}

export interface Snapshot {
  /** All rows of a table, in the order of a backup file. */
  rows(table: BackupTable): AsyncIterable<readonly SqlValue[]>
  close(): Promise<void>
}

const FETCHED_AT_ONCE = 1000

/** A row that nothing else can read is backed up all the same: one of them must not cost all others their backup. */
const sqlValue = (value: unknown): SqlValue => {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  throw new Error(`a column holds ${typeof value}, not text or an integer`)
}

const selectAll = ({ name, columns }: BackupTable): string => `SELECT ${columns.join(', ')} FROM ${name}`

/** Of a file that nobody writes. */
export const snapshotOfFile = (path: string): Snapshot => {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  return {
    async *rows(table) {
      // Explicit, because SQLite may read from an index and use its order.
      const order = (table.clusteredBy ?? ['rowid']).join(', ')
      const statement = database.prepare(`${selectAll(table)} ORDER BY ${order}`)
      statement.setReadBigInts(true)
      for (const row of statement.iterate()) yield table.columns.map((column) => sqlValue(row[column]))
    },
    close: async () => database.close(),
  }
}

/** Every page of a database in one step. */
const ALL_PAGES = 2 ** 31 - 1

/**
 * Beside a running server: its pages are copied first, in seconds, and the rows are read from the copy. A reader of the rows
 * themselves holds the write-ahead log for minutes, which then grows by all that is paid meanwhile. In steps a copy would begin
 * anew with every payment.
 */
const snapshotOfRunning = async (path: string, copy: string): Promise<Snapshot> => {
  const removeCopy = async (): Promise<void> => {
    for (const end of ['', '-wal', '-shm', '-journal']) await rm(`${copy}${end}`, { force: true })
  }
  await (await open(copy, 'wx', 0o600)).close()
  try {
    const source = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
    try {
      await backup(source, copy, { rate: ALL_PAGES })
    } finally {
      source.close()
    }
    const snapshot = snapshotOfFile(copy)
    return {
      rows: snapshot.rows,
      close: async () => {
        await snapshot.close()
        await removeCopy()
      },
    }
  } catch (error) {
    await removeCopy()
    throw error
  }
}

const snapshotOfPostgres = async (url: string): Promise<Snapshot> => {
  const client = new pg.Client({ connectionString: url, types: columnTypes, application_name: 'kaikei backup' })
  client.on('error', () => undefined)
  await client.connect()
  // The whole copy is one transaction without a time limit.
  await client.query("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '30s'")
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await client.query('SELECT name FROM migrations')
  return {
    async *rows(table) {
      // Byte by byte, as SQLite sorts text: another order would give another digest.
      const order = table.clusteredBy?.map((column) => `${column} COLLATE "C"`).join(', ')
      const ordered = order === undefined ? '' : ` ORDER BY ${order}`
      await client.query(`DECLARE each_row NO SCROLL CURSOR FOR ${selectAll(table)}${ordered}`)
      for (;;) {
        const { rows } = await client.query<unknown[]>({
          text: `FETCH ${FETCHED_AT_ONCE} FROM each_row`,
          rowMode: 'array',
        })
        for (const row of rows) yield row.map(sqlValue)
        if (rows.length < FETCHED_AT_ONCE) break
      }
      await client.query('CLOSE each_row')
    },
    close: () => client.end(),
  }
}

/** `copy`: where the copy of an embedded database stands until the snapshot is closed. */
export const openSnapshot = async (
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  copy: string,
): Promise<Snapshot> =>
  databaseUrl === null ? snapshotOfRunning(embeddedFile(dataDir), copy) : snapshotOfPostgres(databaseUrl)
