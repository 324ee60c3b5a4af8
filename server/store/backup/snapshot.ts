/** Snapshot: all rows of a database at one moment, read beside a running server without blocking it. */
import { DatabaseSync } from 'node:sqlite'
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

const sqlValue = (value: unknown): SqlValue => {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  throw new Error(`a column holds ${typeof value}, not text or an integer`)
}

const selectAll = ({ name, columns }: BackupTable): string => `SELECT ${columns.join(', ')} FROM ${name}`

/** A separate connection that only reads, so writers do not wait for it. */
export const snapshotOfFile = (path: string): Snapshot => {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  database.exec('BEGIN')
  // The snapshot begins with the first read, not with BEGIN.
  database.prepare('SELECT COUNT(*) FROM sqlite_master').get()
  return {
    async *rows(table) {
      // Explicit, because SQLite may read from an index and use its order.
      const order = (table.clusteredBy ?? ['rowid']).join(', ')
      for (const row of database.prepare(`${selectAll(table)} ORDER BY ${order}`).iterate())
        yield table.columns.map((column) => sqlValue(row[column]))
    },
    close: async () => database.close(),
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

export const openSnapshot = async ({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<Snapshot> =>
  databaseUrl === null ? snapshotOfFile(embeddedFile(dataDir)) : snapshotOfPostgres(databaseUrl)
