/** Migrations: reads their files, applies those that a database does not have, and compares a database with this release. */
import { readdir, readFile } from 'node:fs/promises'
import { isOlderRelease, isRelease } from '../../config/release-order.ts'
import { releaseNumber } from '../../config/release.ts'
import { messageOf } from '../../log.ts'
import { text } from './columns.ts'
import {
  DatabaseUnavailable,
  MigrationBlocked,
  TooOldBeside,
  type Database,
  type Migration,
  type Sql,
} from './database.ts'

const MIGRATIONS = new URL('./migrations/', import.meta.url)

/** Migrations before this one declare nothing: no release before it runs beside another server. */
const FIRST_DECLARED = '0027-oldest-beside.sql'
const BEFORE_DECLARED = '1.51.0'
const DECLARATION = /^-- oldest beside: (\S+)\n/

const oldestBesideOf = (name: string, script: string): string => {
  const declared = DECLARATION.exec(script)?.[1]
  if (declared !== undefined && isRelease(declared)) return declared
  if (name < FIRST_DECLARED) return BEFORE_DECLARED
  throw new Error(`${name} does not begin with a line such as "-- oldest beside: 1.51.0"`)
}

export const readMigrations = async (): Promise<Migration[]> => {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const script = await readFile(new URL(name, MIGRATIONS), 'utf8')
      return { name, text: script, oldestBeside: oldestBesideOf(name, script) }
    }),
  )
}

const MIGRATIONS_TABLE =
  'CREATE TABLE IF NOT EXISTS migrations (name TEXT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)'

export const appliedMigrations = async ({ rows }: Sql): Promise<string[]> =>
  (await rows('SELECT name FROM migrations')).map((row) => text(row, 'name'))

/** A line `-- only SQLite: …` of a migration runs on SQLite alone; the same holds for PostgreSQL. */
export const scriptFor = (engine: 'SQLite' | 'PostgreSQL', script: string): string =>
  script
    .split('\n')
    .map((line) => (line.startsWith(`-- only ${engine}: `) ? line.slice(`-- only ${engine}: `.length) : line))
    .join('\n')

/** Before the column was there, every migration had its default. */
const INSERT = 'INSERT INTO migrations (name, applied_at) VALUES ($1, $2)'
const INSERT_DECLARED = 'INSERT INTO migrations (name, applied_at, oldest_beside) VALUES ($1, $2, $3)'

/**
 * Call it inside one transaction of `sql`; `run` takes a script of many statements, `before` throws where these may not be
 * applied. Answers the names of those that were.
 */
export const applyMigrations = async (
  sql: Sql,
  { run, before }: { run(script: string): unknown; before?(missing: readonly Migration[]): Promise<void> },
  migrations: readonly Migration[],
  now: number,
): Promise<readonly string[]> => {
  await run(MIGRATIONS_TABLE)
  const applied = new Set(await appliedMigrations(sql))
  const missing = migrations.filter(({ name }) => !applied.has(name))
  await before?.(missing)
  for (const { name, text: script, oldestBeside } of missing) {
    await run(script)
    applied.add(name)
    if (applied.has(FIRST_DECLARED)) await sql.rows(INSERT_DECLARED, name, now, oldestBeside)
    else await sql.rows(INSERT, name, now)
  }
  return missing.map(({ name }) => name)
}

/** A migration that this release does not have. */
export interface UnknownMigration {
  readonly name: string
  readonly oldestBeside: string
}

/** The tables of a database compared with this release. On `newer` tables this release must not run: they do not allow it. */
export type Tables =
  | { readonly are: 'ours' }
  | { readonly are: 'missing'; readonly missing: readonly string[] }
  | { readonly are: 'newer'; readonly unknown: readonly UnknownMigration[] }

/** Read once: a running server compares every second. */
let ourNames: Promise<readonly string[]> | null = null

const readOurNames = (): Promise<readonly string[]> => {
  ourNames ??= readMigrations().then((migrations) => migrations.map(({ name }) => name))
  return ourNames
}

const isAllowedBeside = ({ oldestBeside }: UnknownMigration): boolean =>
  isRelease(oldestBeside) && !isOlderRelease(releaseNumber(), oldestBeside)

const compareTables = async ({ rows }: Sql, ours: readonly string[]): Promise<Tables> => {
  const applied = (await rows('SELECT name FROM migrations ORDER BY name')).map((row) => text(row, 'name'))
  const missing = ours.filter((name) => !applied.includes(name))
  const unknown = applied.filter((name) => !ours.includes(name))
  if (unknown.length === 0) return missing.length === 0 ? { are: 'ours' } : { are: 'missing', missing }
  // Ours were written for tables without the unknown ones: they cannot be applied behind them.
  if (missing.length > 0)
    return { are: 'newer', unknown: unknown.map((name) => ({ name, oldestBeside: 'an unknown release' })) }
  const declared = (await rows('SELECT name, oldest_beside FROM migrations ORDER BY name'))
    .map((row) => ({ name: text(row, 'name'), oldestBeside: text(row, 'oldest_beside') }))
    .filter(({ name }) => !ours.includes(name))
  const forbidding = declared.filter((migration) => !isAllowedBeside(migration))
  return forbidding.length === 0 ? { are: 'ours' } : { are: 'newer', unknown: forbidding }
}

/** Tables of a newer release are `ours` where each migration that we do not know allows this release beside it. */
export const readTables = async (database: Sql): Promise<Tables> => {
  const ours = await readOurNames()
  try {
    return await compareTables(database, ours)
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    return { are: 'missing', missing: ours }
  }
}

type Migrated = { readonly applied: readonly string[] } | { readonly problem: string }

/** Applies all migrations in one transaction. */
export const migrateTables = async (database: Database): Promise<Migrated> => {
  try {
    return { applied: await database.migrate(await readMigrations(), Date.now()) }
  } catch (error) {
    const why = messageOf(error)
    if (error instanceof TooOldBeside || error instanceof MigrationBlocked) return { problem: why }
    // If the connection is lost at COMMIT, it is unknown whether the migration was stored.
    return {
      problem:
        error instanceof DatabaseUnavailable
          ? `The database went away while its tables were changed to those of this release (${why}). All of it was changed or nothing: start this release again.`
          : `The tables could not be changed to those of this release (${why}). Nothing was changed: the release before starts on them as ever.`,
    }
  }
}
