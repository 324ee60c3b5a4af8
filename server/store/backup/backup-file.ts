/**
 * Backup file: all rows of one moment in an SQLite file with the tables of their release, whichever engine they come from. It
 * holds a digest of each table and an HMAC over all of them, so a damaged or altered file is refused before a restore.
 */
import { createHash } from 'node:crypto'
import { link, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { secretKeyId } from '../../config/secret-key-id.ts'
import { hmacOf } from './backup-hmac.ts'
import { tablesOf, type BackupFacts } from './backup-tables.ts'
import type { Migration, SqlValue } from '../engine/database.ts'
import { text } from '../engine/columns.ts'
import { scriptFor } from '../engine/migrate.ts'
import type { BackupTable, Snapshot } from './snapshot.ts'

const FACTS_TABLES = `
  CREATE TABLE backup (release TEXT NOT NULL, taken_at BIGINT NOT NULL, key_id TEXT NOT NULL, hmac TEXT NOT NULL);
  CREATE TABLE backup_tables (name TEXT NOT NULL PRIMARY KEY, row_count BIGINT NOT NULL, digest TEXT NOT NULL);`

/** The indexes that a migration created, not those of primary keys. */
const indexesOf = (database: DatabaseSync): string[] =>
  database
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL`)
    .all()
    .map((row) => text(row, 'name'))

/** JSON has no integers beyond 2^53. */
const exactly = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value)

/** Counts rows and computes a digest over them, in their order. */
export const rowDigest = () => {
  const hash = createHash('sha256')
  let rowCount = 0
  return {
    add: (row: readonly SqlValue[]): void => {
      rowCount += 1
      hash.update(`${JSON.stringify(row, exactly)}\n`)
    },
    end: () => ({ rowCount, digest: hash.digest('hex') }),
  }
}

/**
 * Signed-in people and links that open something: in a restored database those that have been ended since would work again, and
 * mails to people would lead to links that are not restored. Whoever was signed in signs in once more.
 */
const NOT_BACKED_UP = ['person_sessions', 'passkey_challenges', 'person_links', 'person_mails']

const copyTable = async (database: DatabaseSync, snapshot: Snapshot, table: BackupTable): Promise<number> => {
  const { name, columns } = table
  const marks = columns.map(() => '?').join(', ')
  const insert = database.prepare(`INSERT INTO ${name} (${columns.join(', ')}) VALUES (${marks})`)
  const digest = rowDigest()
  const rows = NOT_BACKED_UP.includes(name) ? [] : snapshot.rows(table)
  for await (const row of rows) {
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
  facts: BackupFacts,
  secretKey: string,
): Promise<number> => {
  const database = new DatabaseSync(path)
  try {
    // An unfinished file is deleted, so nothing needs to survive a crash before the end.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN')
    database.exec('CREATE TABLE migrations (name TEXT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)')
    for (const migration of migrations) database.exec(scriptFor('SQLite', migration.text))
    // A backup needs no indexes: without them it is smaller and faster to write.
    for (const index of indexesOf(database)) database.exec(`DROP INDEX ${index}`)
    database.exec(FACTS_TABLES)
    let rows = 0
    for (const table of tablesOf(database)) rows += await copyTable(database, snapshot, table)
    // Last: without this row the file is no backup.
    const { release, takenAt } = facts
    const hmac = hmacOf(database, facts, secretKey)
    database.prepare('INSERT INTO backup VALUES (?, ?, ?, ?)').run(release, takenAt, secretKeyId(secretKey), hmac)
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

/**
 * The file gets its name when all of it is on the disk and `check` has read it back; `check` throws where it is no backup. Only its
 * owner may read it. Throws where the name is taken.
 */
export const writeBackup = async (
  path: string,
  snapshot: Snapshot,
  migrations: readonly Migration[],
  facts: BackupFacts,
  secretKey: string,
  check: (path: string) => Promise<void>,
): Promise<number> => {
  const part = `${path}.part`
  await (await open(part, 'wx', 0o600)).close()
  try {
    const rows = await fill(part, snapshot, migrations, facts, secretKey)
    await syncToDisk(part)
    await check(part)
    // Not rename: it would replace a file that was created meanwhile.
    await link(part, path)
    return rows
  } finally {
    await rm(part, { force: true })
    await syncToDisk(dirname(path))
  }
}
