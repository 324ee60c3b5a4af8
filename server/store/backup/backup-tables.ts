/** Tables of a backup file, and the facts that it states about itself. */
import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '#contract/jst.ts'
import { integer, text } from '../engine/columns.ts'
import type { BackupTable } from './snapshot.ts'

/** The facts that a backup states about itself. */
export interface BackupFacts {
  readonly release: string
  /** The backup holds everything that was acknowledged before this time. */
  readonly takenAt: Instant
}

const OF_BACKUP = ['backup', 'backup_tables']

const columnsOf = (database: DatabaseSync, table: string, which = ''): string[] =>
  database
    .prepare(`SELECT name FROM pragma_table_info(?) ${which}`)
    .all(table)
    .map((row) => text(row, 'name'))

const isClustered = (database: DatabaseSync, table: string): boolean =>
  database.prepare('SELECT 1 AS x FROM pragma_table_list(?) WHERE wr = 1').get(table) !== undefined

/** In the order of their creation, so that a table comes after those that it refers to. */
export const tablesOf = (database: DatabaseSync): BackupTable[] =>
  database
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid`)
    .all()
    .map((row) => text(row, 'name'))
    .filter((name) => !OF_BACKUP.includes(name))
    .map((name) => ({
      name,
      columns: columnsOf(database, name),
      clusteredBy: isClustered(database, name) ? columnsOf(database, name, 'WHERE pk > 0 ORDER BY pk') : null,
    }))

/** The number of rows of a table, and the digest over them in their order. */
export interface TableSum {
  readonly rowCount: number
  readonly digest: string
}

/** The sum that the file states for a table. */
export const storedSumOf = (database: DatabaseSync, table: string): TableSum => {
  const row = database.prepare('SELECT row_count, digest FROM backup_tables WHERE name = ?').get(table) ?? {}
  return { rowCount: integer(row, 'row_count'), digest: text(row, 'digest') }
}
