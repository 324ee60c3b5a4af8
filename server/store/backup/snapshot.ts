/** Snapshot: every row of a database as it stood at one moment, read beside a running server without holding it up. */
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
  /** The columns in whose order the file keeps its rows; null: that in which they were written. */
  readonly clusteredBy: readonly string[] | null
}

export interface Snapshot {
  /** All rows of a table, with its columns in their order, and in the order in which a backup file keeps them. */
  rows(table: BackupTable): AsyncIterable<readonly SqlValue[]>
  close(): Promise<void>
}

const FETCHED_AT_ONCE = 1000

const sqlValue = (value: unknown): SqlValue => {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  throw new Error(`a column holds ${typeof value}, not text or an integer`)
}

const selectAll = ({ name, columns }: BackupTable): string => `SELECT ${columns.join(', ')} FROM ${name}`

/** A connection of its own that only reads: whoever writes meanwhile waits for nothing. */
export const snapshotOfFile = (path: string): Snapshot => {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  database.exec('BEGIN')
  // The moment is that of the first reading, not of BEGIN.
  database.prepare('SELECT COUNT(*) FROM sqlite_master').get()
  return {
    async *rows(table) {
      // In the order in which they were written: an index that holds all columns would give them in its own.
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
  // The whole copy is one transaction, however long it takes.
  await client.query("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '30s'")
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await client.query('SELECT name FROM migrations')
  return {
    async *rows(table) {
      // As SQLite sorts texts, byte by byte: in another order their digest would be another one.
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
