/** Migrations: reads their files, applies those that a database does not have, and compares a database with this release. */
import { readdir, readFile } from 'node:fs/promises'
import { messageOf } from '../../log.ts'
import { text } from './columns.ts'
import { DatabaseUnavailable, type Database, type Migration, type Sql } from './database.ts'

const MIGRATIONS = new URL('./migrations/', import.meta.url)

export const readMigrations = async (): Promise<Migration[]> => {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(new URL(name, MIGRATIONS), 'utf8') })))
}

const MIGRATIONS_TABLE =
  'CREATE TABLE IF NOT EXISTS migrations (name TEXT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)'

export const appliedMigrations = async ({ rows }: Sql): Promise<string[]> =>
  (await rows('SELECT name FROM migrations')).map((row) => text(row, 'name'))

/** What the two engines spell differently stands in a line of its own: `-- only SQLite: …` runs on SQLite alone. */
export const scriptFor = (engine: 'SQLite' | 'PostgreSQL', script: string): string =>
  script
    .split('\n')
    .map((line) => (line.startsWith(`-- only ${engine}: `) ? line.slice(`-- only ${engine}: `.length) : line))
    .join('\n')

/** For one transaction of `sql`, in which `run` takes a script of many statements. */
export const applyMigrations = async (
  sql: Sql,
  run: (script: string) => unknown,
  migrations: readonly Migration[],
  now: number,
): Promise<void> => {
  await run(MIGRATIONS_TABLE)
  const applied = new Set(await appliedMigrations(sql))
  for (const migration of migrations.filter(({ name }) => !applied.has(name))) {
    await run(migration.text)
    await sql.rows('INSERT INTO migrations (name, applied_at) VALUES ($1, $2)', migration.name, now)
  }
}

/** How the tables stand to this release. One that is older migrates nothing: it would write past what it does not know. */
export type Tables =
  | { readonly are: 'ours' }
  | { readonly are: 'missing' }
  | { readonly are: 'newer'; readonly unknown: readonly string[] }

export const readTables = async (database: Database): Promise<Tables> => {
  const ours = (await readMigrations()).map(({ name }) => name)
  try {
    const applied = await appliedMigrations(database)
    const unknown = applied.filter((name) => !ours.includes(name))
    if (unknown.length > 0) return { are: 'newer', unknown }
    return { are: ours.every((name) => applied.includes(name)) ? 'ours' : 'missing' }
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    return { are: 'missing' }
  }
}

/** All migrations are one transaction. Null: they are made. */
export const migrationProblem = async (database: Database): Promise<string | null> => {
  try {
    await database.migrate(await readMigrations(), Date.now())
    return null
  } catch (error) {
    const why = messageOf(error)
    // Lost at the commit, nobody knows whether it was made.
    return error instanceof DatabaseUnavailable
      ? `The database went away while its tables were changed to those of this release (${why}). All of it was changed or nothing: start this release again.`
      : `The tables could not be changed to those of this release (${why}). Nothing was changed: the release before starts on them as ever.`
  }
}
