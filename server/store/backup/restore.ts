/** Restore: verifies a backup file and copies its rows into an empty database of either engine. */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import type { Instant } from '#contract/jst.ts'
import { messageOf } from '../../log.ts'
import { rowDigest } from './backup-file.ts'
import { verifyHmac, type HmacVerdict } from './backup-hmac.ts'
import { storedSumOf, tablesOf, type BackupFacts, type TableSum } from './backup-tables.ts'
import { DatabaseUnavailable, type Database, type Migration, type SqlValue } from '../engine/database.ts'
import { integer, text, textOrNull } from '../engine/columns.ts'
import { appliedMigrations, readMigrations } from '../engine/migrate.ts'
import { restoreWrite } from './restore-marker.ts'
import { snapshotOfFile, type BackupTable } from './snapshot.ts'
import { insertRows } from '../engine/write.ts'

/** A backup file that was read to its end and verified. */
export interface CheckedBackup extends BackupFacts {
  readonly path: string
  readonly tables: readonly BackupTable[]
  /** The migrations of the release that wrote it. */
  readonly migrations: readonly Migration[]
  /** The digest of its secret key; null where its database never had one. */
  readonly secretKeyDigest: string | null
  /** The sum of each table when it was verified. */
  readonly sums: ReadonlyMap<string, TableSum>
}

/** Which backups are trusted: those of one of these keys. */
export interface BackupTrust {
  readonly secretKeys: readonly string[]
  /** Whether the operator accepts a file without a valid HMAC. */
  readonly acceptsUnverified: boolean
}

type Problem = { readonly problem: string }

const MIGRATIONS = 'migrations'
/** Few: SQLite searches each parameter of a statement among all of them. */
const INSERTED_AT_ONCE = 20

const factsOf = (database: DatabaseSync): BackupFacts | null => {
  const named = database.prepare(`SELECT 1 AS x FROM sqlite_master WHERE type = 'table' AND name = 'backup'`).get()
  const row = named === undefined ? undefined : database.prepare('SELECT release, taken_at FROM backup').get()
  return row === undefined ? null : { release: text(row, 'release'), takenAt: integer(row, 'taken_at') }
}

/** The first table that is missing or whose rows were changed; null: there is none. */
const damagedTable = async (
  path: string,
  database: DatabaseSync,
  tables: readonly BackupTable[],
): Promise<string | null> => {
  const written = database.prepare('SELECT name FROM backup_tables').all()
  const gone = written.find((row) => !tables.some(({ name }) => name === text(row, 'name')))
  if (gone !== undefined) return text(gone, 'name')
  const snapshot = snapshotOfFile(path)
  try {
    for (const table of tables) {
      const digest = rowDigest()
      for await (const row of snapshot.rows(table)) digest.add(row)
      if (!isDeepStrictEqual(digest.end(), storedSumOf(database, table.name))) return table.name
    }
    return null
  } finally {
    await snapshot.close()
  }
}

/** The option by which an operator accepts an unverified file. */
const ACCEPT = 'add --unverified accept'

const hmacProblem = (
  path: string,
  verdict: HmacVerdict,
  { secretKeys, acceptsUnverified }: BackupTrust,
): string | null => {
  switch (verdict) {
    case 'holds':
      return null
    case 'wrong':
      return `${path} was changed after it was written: its HMAC is wrong. Give another file.`
    case 'unsigned':
      return acceptsUnverified
        ? null
        : `${path} has no HMAC: a release before this one wrote it, or somebody took it out, and may have put in an API key. If nobody but you could write to the file since it was made, ${ACCEPT}.`
    case 'other key': {
      if (acceptsUnverified) return null
      const found =
        secretKeys.length === 0 ? 'There is no secret key at hand' : 'No secret key at hand is the one of this backup'
      return `${found}, so nothing proves that ${path} was not changed. Set SECRET_KEY, or SECRET_KEY_PREVIOUS, to the one of the server that it was taken from, or put the file secret-key of that server into DATA_DIR. If it is lost, and nobody but you could write to the file since it was made, remove any other key, ${ACCEPT}, and run secret reset afterwards.`
    }
  }
}

const check = async (path: string, database: DatabaseSync, trust: BackupTrust): Promise<CheckedBackup | Problem> => {
  const facts = factsOf(database)
  if (facts === null)
    return { problem: `${path} is no backup of Kaikei, or was not written to its end. Give another file.` }
  const applied = database
    .prepare('SELECT name FROM migrations')
    .all()
    .map((row) => text(row, 'name'))
  const ours = await readMigrations()
  const unknown = applied.filter((name) => !ours.some((migration) => migration.name === name))
  if (unknown.length > 0)
    return {
      problem: `${path} was written by ${facts.release}, which is newer than this release (${unknown.join(', ')}). Restore it with that one.`,
    }
  // Before any row is read: the digests that rows are compared with must be verified first.
  const unproven = hmacProblem(path, verifyHmac(database, facts, trust.secretKeys), trust)
  if (unproven !== null) return { problem: unproven }
  const tables = tablesOf(database)
  const damaged = await damagedTable(path, database, tables)
  if (damaged !== null)
    return { problem: `${path} is damaged: the rows of ${damaged} are not those that were written. Give another file.` }
  const key = database.prepare('SELECT digest FROM secret_key_check').get()
  return {
    ...facts,
    path,
    tables,
    migrations: ours.filter(({ name }) => applied.includes(name)),
    secretKeyDigest: key === undefined ? null : textOrNull(key, 'digest'),
    sums: new Map(tables.map(({ name }) => [name, storedSumOf(database, name)])),
  }
}

export const readBackup = async (path: string, trust: BackupTrust): Promise<CheckedBackup | Problem> => {
  if (!existsSync(path)) return { problem: `There is no file ${path}.` }
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { readOnly: true })
    return await check(path, database, trust)
  } catch (error) {
    return { problem: `${path} cannot be read as a backup (${messageOf(error)}). Give another file.` }
  } finally {
    database?.close()
  }
}

/** Why nothing may be restored into this database; null: it has no rows, and no tables of another release. */
const occupiedBy = async (database: Database, { tables, migrations }: CheckedBackup): Promise<string | null> => {
  const applied = await appliedMigrations(database).catch((error: unknown) => {
    // A database that cannot be read now is not empty.
    if (error instanceof DatabaseUnavailable) throw error
    return null
  })
  if (applied === null) return null
  const names = migrations.map(({ name }) => name)
  if (!isDeepStrictEqual(applied.toSorted(), names)) return 'It has the tables of another release.'
  for (const { name } of tables.filter((table) => table.name !== MIGRATIONS))
    if ((await database.rows(`SELECT 1 AS x FROM ${name} LIMIT 1`)).length > 0) return `It has rows in ${name}.`
  return null
}

/** The file was replaced after it was verified. */
class BackupChanged extends Error {}

/** Restores all rows of the backup or none, and returns their number. */
export const restoreInto = async (
  database: Database,
  backup: CheckedBackup,
  now: Instant,
): Promise<{ readonly rows: number } | Problem> => {
  const occupied = await occupiedBy(database, backup)
  if (occupied !== null) return { problem: `This database is not empty. ${occupied} Restore into another one.` }
  await database.migrate(backup.migrations, now)
  const snapshot = snapshotOfFile(backup.path)
  try {
    return await database.transact(async (sql) => {
      // The rows of `migrations` exist already, and the backup counts them too.
      let rows = backup.sums.get(MIGRATIONS)?.rowCount ?? 0
      for (const table of backup.tables.filter(({ name }) => name !== MIGRATIONS)) {
        const { name, columns } = table
        let waiting: (readonly SqlValue[])[] = []
        const digest = rowDigest()
        const insert = async (): Promise<void> => {
          for (const write of insertRows(name, columns, waiting)) await sql.rows(write.text, ...write.values)
          rows += waiting.length
          waiting = []
        }
        for await (const row of snapshot.rows(table)) {
          digest.add(row)
          waiting.push(row)
          if (waiting.length === INSERTED_AT_ONCE) await insert()
        }
        await insert()
        // Verified again: the file may have been replaced since it was checked.
        if (!isDeepStrictEqual(digest.end(), backup.sums.get(name))) throw new BackupChanged()
      }
      // In the same transaction: a server that starts on these rows must know that it has to ask the acquirer first.
      const mark = restoreWrite({ restoredAt: now, takenAt: backup.takenAt })
      await sql.rows(mark.text, ...mark.values)
      return { rows }
    })
  } catch (error) {
    if (!(error instanceof BackupChanged)) throw error
    return { problem: `${backup.path} was changed while it was read. Nothing was restored. Give another file.` }
  } finally {
    await snapshot.close()
  }
}
