/** Database: what both engines offer, migrations, and readers of columns. */
import { readdir, readFile } from 'node:fs/promises'

export type SqlValue = string | number | null
export type Row = Readonly<Record<string, unknown>>

/** One statement that changes rows of one table and answers nothing. */
export interface Write {
  readonly text: string
  readonly values: readonly SqlValue[]
}

export interface Sql {
  rows(text: string, ...values: SqlValue[]): Promise<Row[]>
  /** All of them or none, in any order: none reads, and each has a table of its own. PostgreSQL is sent one statement. */
  writeAll(writes: readonly Write[]): Promise<void>
  /** Ends a SELECT inside a transaction: rows that another transaction is moving are left out, not waited for. */
  readonly skipLocked: string
  /** Ends a SELECT inside a transaction: nobody changes or deletes these rows until it ends. Others may hold them so too. */
  readonly forShare: string
  /** Named locks: until this transaction ends, no other one gets past the same name. Take them in the same order everywhere. */
  lockNames(...names: string[]): Promise<void>
}

/**
 * A constraint said no: the transaction was rolled back and nothing of it remains. The database's own error is not kept:
 * its details quote the row.
 */
export class Conflict extends Error {
  readonly constraint: string
  constructor(constraint: string) {
    super(`conflict with ${constraint}`)
    this.constraint = constraint
  }
}

/**
 * The database cannot be reached, has gone away, or takes too long. Nothing is known to be wrong with the request. At
 * COMMIT nobody knows whether the transaction was stored. That is safe: the acquirer is asked only once the claim is known
 * to be stored, and an outcome that could not be written down is asked for again when the lease has passed.
 */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable'
}

/** There is no room for what was to be written: the disk is full, or cannot be written. */
export class DatabaseFull extends DatabaseUnavailable {
  override readonly name = 'DatabaseFull'
}

export interface Migration {
  readonly name: string
  readonly text: string
}

/** Whether this process is now the only server on its database; if not, a sentence says who is and how to end that. */
export type ServerClaim = { readonly isOurs: true } | { readonly isOurs: false; readonly holder: string }

export interface Database extends Sql {
  readonly version: string
  /**
   * All or nothing; throws a `Conflict` where a constraint says no. Transactions are not nested, and nothing but this
   * database is waited for inside one.
   */
  transact<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  migrate(migrations: readonly Migration[], now: number): Promise<void>
  /** A claim that is lost with its connection is taken up again; `onLost` is called when another server keeps it. */
  claimServer(onLost?: () => void): Promise<ServerClaim>
  close(): Promise<void>
}

/** A lock that ends with its statement would lock nothing. */
export const outsideTransaction = async (): Promise<never> => {
  throw new Error('named locks belong into a transaction')
}

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

const wrong = (column: string, wanted: string, value: unknown): Error =>
  new Error(`column ${column} holds ${value === null ? 'null' : typeof value}, not ${wanted}`)

export const text = (row: Row, column: string): string => {
  const value = row[column]
  if (typeof value !== 'string') throw wrong(column, 'text', value)
  return value
}

export const integer = (row: Row, column: string): number => {
  const value = row[column]
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw wrong(column, 'an integer', value)
  return value
}

export const textOrNull = (row: Row, column: string): string | null => (row[column] === null ? null : text(row, column))

export const integerOrNull = (row: Row, column: string): number | null =>
  row[column] === null ? null : integer(row, column)

export const oneOf = <T extends string>(row: Row, column: string, isMember: (value: string) => value is T): T => {
  const value = text(row, column)
  if (!isMember(value)) throw wrong(column, 'a known word', value)
  return value
}

/** Our own words as a list in a statement. They hold letters alone; what comes from outside is never put together so. */
export const wordList = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ')

/** What a compiled schema can tell: every row that is read is checked, so checking must cost little. */
interface Shape<T> {
  Check(value: unknown): value is T
}

/** `upgrade` turns what an earlier release stored into what this one does. */
export const json = <T>(
  row: Row,
  column: string,
  shape: Shape<T>,
  upgrade: (stored: unknown) => unknown = (stored) => stored,
): T => {
  const value = upgrade(JSON.parse(text(row, column)))
  if (!shape.Check(value)) throw wrong(column, 'JSON of the expected shape', value)
  return value
}

export const jsonOrNull = <T>(row: Row, column: string, shape: Shape<T>): T | null =>
  row[column] === null ? null : json(row, column, shape)
