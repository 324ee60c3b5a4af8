/** Restore: reads a backup file, proves that it is whole, and fills an empty database of either engine with it. */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import type { Instant } from '#contract/jst.ts'
import { messageOf } from '../log.ts'
import { rowDigest, storedSumOf, tablesOf, type BackupFacts } from './backup-file.ts'
import {
  DatabaseUnavailable,
  appliedMigrations,
  integer,
  readMigrations,
  text,
  textOrNull,
  type Database,
  type Migration,
  type SqlValue,
} from './database.ts'
import { restoreWrite } from './restores.ts'
import { snapshotOfFile, type BackupTable } from './snapshot.ts'
import { insertRows } from './write.ts'

/** A backup file that was read to its end and is whole. */
export interface CheckedBackup extends BackupFacts {
  readonly path: string
  readonly tables: readonly BackupTable[]
  /** Of the release that wrote it. */
  readonly migrations: readonly Migration[]
  /** Of the secret key that belongs to it; null where its database has never had one. */
  readonly secretKeyDigest: string | null
}

type Problem = { readonly problem: string }

const MIGRATIONS = 'migrations'
/** Few: SQLite looks up each parameter of a statement among all of them. */
const INSERTED_AT_ONCE = 20

const factsOf = (database: DatabaseSync): BackupFacts | null => {
  const named = database.prepare(`SELECT 1 AS x FROM sqlite_master WHERE type = 'table' AND name = 'backup'`).get()
  const row = named === undefined ? undefined : database.prepare('SELECT release, taken_at FROM backup').get()
  return row === undefined ? null : { release: text(row, 'release'), takenAt: integer(row, 'taken_at') }
}

/** The first table whose rows are not those that were written, or that is not there; null: all are. */
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

const check = async (path: string, database: DatabaseSync): Promise<CheckedBackup | Problem> => {
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
  }
}

export const readBackup = async (path: string): Promise<CheckedBackup | Problem> => {
  if (!existsSync(path)) return { problem: `There is no file ${path}.` }
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { readOnly: true })
    return await check(path, database)
  } catch (error) {
    return { problem: `${path} cannot be read as a backup (${messageOf(error)}). Give another file.` }
  } finally {
    database?.close()
  }
}

/** Why nothing may be restored into this database; null: it is empty, or holds nothing but the tables of the backup. */
const occupiedBy = async (database: Database, { tables, migrations }: CheckedBackup): Promise<string | null> => {
  const applied = await appliedMigrations(database).catch((error: unknown) => {
    // One that cannot be read at this moment is not an empty one.
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

/** All rows of the backup, or none. Answers how many. */
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
      let rows = 0
      for (const table of backup.tables.filter(({ name }) => name !== MIGRATIONS)) {
        const { name, columns } = table
        let waiting: (readonly SqlValue[])[] = []
        const insert = async (): Promise<void> => {
          for (const write of insertRows(name, columns, waiting)) await sql.rows(write.text, ...write.values)
          rows += waiting.length
          waiting = []
        }
        for await (const row of snapshot.rows(table)) {
          waiting.push(row)
          if (waiting.length === INSERTED_AT_ONCE) await insert()
        }
        await insert()
      }
      // With the rows or not at all: a server that starts on them must know that it has to ask the acquirer first.
      const mark = restoreWrite({ restoredAt: now, takenAt: backup.takenAt })
      await sql.rows(mark.text, ...mark.values)
      return { rows }
    })
  } finally {
    await snapshot.close()
  }
}
