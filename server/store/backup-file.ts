/**
 * Backup file: all rows of one moment, in an SQLite database with the tables of their release, whichever engine they come
 * from. With a digest of each table: a file that was damaged is found out before anything is restored from it.
 */
import { createHash } from 'node:crypto'
import { link, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Instant } from '#contract/jst.ts'
import { integer, scriptFor, text, type Migration, type SqlValue } from './database.ts'
import type { BackupTable, Snapshot } from './snapshot.ts'

/** What a backup says of itself. */
export interface BackupFacts {
  readonly release: string
  /** What was acknowledged before that is in it. */
  readonly takenAt: Instant
}

const FACTS_TABLES = `
  CREATE TABLE backup (release TEXT NOT NULL, taken_at BIGINT NOT NULL);
  CREATE TABLE backup_tables (name TEXT NOT NULL PRIMARY KEY, row_count BIGINT NOT NULL, digest TEXT NOT NULL);`
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

/** Those that a migration made; SQLite's own hold the primary keys. */
const indexesOf = (database: DatabaseSync): string[] =>
  database
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL`)
    .all()
    .map((row) => text(row, 'name'))

/** Counts rows and adds them up to a digest, in their order. */
export const rowDigest = () => {
  const hash = createHash('sha256')
  let rowCount = 0
  return {
    add: (row: readonly SqlValue[]): void => {
      rowCount += 1
      hash.update(`${JSON.stringify(row)}\n`)
    },
    end: () => ({ rowCount, digest: hash.digest('hex') }),
  }
}

const copyTable = async (database: DatabaseSync, snapshot: Snapshot, table: BackupTable): Promise<number> => {
  const { name, columns } = table
  const marks = columns.map(() => '?').join(', ')
  const insert = database.prepare(`INSERT INTO ${name} (${columns.join(', ')}) VALUES (${marks})`)
  const digest = rowDigest()
  for await (const row of snapshot.rows(table)) {
    insert.run(...row)
    digest.add(row)
  }
  const sum = digest.end()
  database.prepare('INSERT INTO backup_tables VALUES (?, ?, ?)').run(name, sum.rowCount, sum.digest)
  return sum.rowCount
}

const fill = async (
  path: string,
  snapshot: Snapshot,
  migrations: readonly Migration[],
  { release, takenAt }: BackupFacts,
): Promise<number> => {
  const database = new DatabaseSync(path)
  try {
    // A file that is not finished is thrown away: nothing needs to survive a crash before the last line.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN')
    database.exec('CREATE TABLE migrations (name TEXT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)')
    for (const migration of migrations) database.exec(scriptFor('SQLite', migration.text))
    // Nobody looks anything up in a backup: without its indexes it is written faster and smaller.
    for (const index of indexesOf(database)) database.exec(`DROP INDEX ${index}`)
    database.exec(FACTS_TABLES)
    let rows = 0
    for (const table of tablesOf(database)) rows += await copyTable(database, snapshot, table)
    // Last: without it the file is no backup.
    database.prepare('INSERT INTO backup VALUES (?, ?)').run(release, takenAt)
    database.exec('COMMIT')
    return rows
  } finally {
    database.close()
  }
}

const syncToDisk = async (path: string): Promise<void> => {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Writes the file under its name when all of it is on the disk, for its owner alone. Throws where the name is taken. */
export const writeBackup = async (
  path: string,
  snapshot: Snapshot,
  migrations: readonly Migration[],
  facts: BackupFacts,
): Promise<number> => {
  const part = `${path}.part`
  await (await open(part, 'wx', 0o600)).close()
  try {
    const rows = await fill(part, snapshot, migrations, facts)
    await syncToDisk(part)
    // Not rename: it would take the place of a file that has come there meanwhile.
    await link(part, path)
    return rows
  } finally {
    await rm(part, { force: true })
    await syncToDisk(dirname(path))
  }
}

/** What the file says of one of its tables. */
export const storedSumOf = (
  database: DatabaseSync,
  table: string,
): { readonly rowCount: number; readonly digest: string } => {
  const row = database.prepare('SELECT row_count, digest FROM backup_tables WHERE name = ?').get(table) ?? {}
  return { rowCount: integer(row, 'row_count'), digest: text(row, 'digest') }
}
