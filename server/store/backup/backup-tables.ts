/** Tables of a backup file, and what it says of itself. */
import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '#contract/jst.ts'
import { integer, text } from '../engine/columns.ts'
import type { BackupTable } from './snapshot.ts'

/** What a backup says of itself. */
export interface BackupFacts {
  readonly release: string
  /** What was acknowledged before that is in it. */
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

/** In the order in which they were made: what others refer to comes first. */
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

/** How many rows of a table there are, and the digest of all of them in their order. */
export interface TableSum {
  readonly rowCount: number
  readonly digest: string
}

/** What the file says of one of its tables. */
export const storedSumOf = (database: DatabaseSync, table: string): TableSum => {
  const row = database.prepare('SELECT row_count, digest FROM backup_tables WHERE name = ?').get(table) ?? {}
  return { rowCount: integer(row, 'row_count'), digest: text(row, 'digest') }
}
