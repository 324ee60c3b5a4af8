/** Test databases: fresh ones on SQLite in memory and on a PostgreSQL server, with the schema in them. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext } from 'node:test'
import pg from 'pg'
import { deleteAllRows } from './compare-databases.ts'
import { text } from '../../server/store/engine/columns.ts'
import type { Database, Migration } from '../../server/store/engine/database.ts'
import { readMigrations } from '../../server/store/engine/migrate.ts'
import { openPostgres } from '../../server/store/engine/postgres.ts'
import { openEmbedded, openSqlite } from '../../server/store/engine/sqlite.ts'

export interface TestEngine {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** Opens a fresh database; all that a test file opens are closed and dropped at its end. */
  readonly open: () => Promise<Database>
}

/** Read once: a process opens hundreds of databases. */
let migrations: Promise<Migration[]> | null = null

const migrateToLatest = async (database: Database): Promise<Database> => {
  migrations ??= readMigrations()
  await database.migrate(await migrations, 0)
  return database
}

/** The schema that all migrations together leave, as the text of the first: running it takes a quarter of their time. */
const readLatestSchema = async (): Promise<Migration[]> => {
  const database = await migrateToLatest(openSqlite(':memory:', null))
  const made = await database.rows(
    `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name <> 'migrations' ORDER BY rowid`,
  )
  await database.close()
  const schema = made.map((row) => `${text(row, 'sql')};`).join('\n')
  const all = await (migrations ?? readMigrations())
  // The table of the migrations itself is made by whoever migrates, and changed by the migrations that name it.
  const rest = (script: string): string => (/^ALTER TABLE migrations /m.test(script) ? script : '')
  return all.map((migration, index) => ({ ...migration, text: index === 0 ? schema : rest(migration.text) }))
}
let latestSchema: Promise<Migration[]> | null = null

export const openSqliteInMemory = async (): Promise<Database> => {
  latestSchema ??= readLatestSchema()
  const database = openSqlite(':memory:', null)
  await database.migrate(await latestSchema, 0)
  return database
}

export const testPostgresUrl = (): string => {
  const url = process.env['TEST_DATABASE_URL']
  if (url === undefined) {
    throw new Error(
      'no PostgreSQL to test on: run `npm test -- <test file>`, or set TEST_DATABASE_URL to a server that may create databases',
    )
  }
  return url
}

const runOnPostgresServer = async (server: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

interface PostgresDatabase {
  readonly name: string
  readonly url: string
  drop(): Promise<void>
}

/** Creates an empty database on the test server, or a copy of another. */
export const createPostgresDatabase = async (
  server: string = testPostgresUrl(),
  copyOf = 'template1',
): Promise<PostgresDatabase> => {
  const name = `${copyOf === 'template1' ? 'kaikei' : copyOf}_${randomBytes(8).toString('hex')}`
  await runOnPostgresServer(server, `CREATE DATABASE ${name} TEMPLATE ${copyOf}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => runOnPostgresServer(server, `DROP DATABASE ${name} WITH (FORCE)`) }
}

/** A database with the schema in it: a copy of it takes a third of the time that the migrations take. `drop` drops the copies too. */
export const createTemplateDatabase = async (server: string): Promise<PostgresDatabase> => {
  const { name, url } = await createPostgresDatabase(server)
  const database = await migrateToLatest(await openPostgres(url))
  await database.close()
  const drop = async (): Promise<void> => {
    const own = await openPostgres(server)
    const copies = await own.rows('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', name)
    await own.close()
    for (const copy of copies) await runOnPostgresServer(server, `DROP DATABASE ${text(copy, 'datname')} WITH (FORCE)`)
  }
  return { name, url, drop }
}

interface OpenedDatabase {
  readonly database: Database
  close(): Promise<void>
}

/** Databases of this process that a test has closed. */
const closed: string[] = []

/** An empty database on the test server. The stages of `npm test` have a template: there it is emptied and used again. */
export const openPostgresDatabase = async (): Promise<OpenedDatabase> => {
  const template = process.env['TEST_DATABASE_TEMPLATE']
  if (template === undefined) {
    const { url, drop } = await createPostgresDatabase()
    const database = await migrateToLatest(await openPostgres(url))
    return {
      database,
      close: async () => {
        await database.close()
        await drop()
      },
    }
  }
  const used = closed.pop()
  const url = used ?? (await createPostgresDatabase(testPostgresUrl(), template)).url
  const database = await openPostgres(url)
  if (used !== undefined) await deleteAllRows(database)
  return {
    database,
    close: async () => {
      await database.close()
      closed.push(url)
    },
  }
}

const openers: Readonly<Record<TestEngine['name'], () => Promise<OpenedDatabase>>> = {
  SQLite: async () => {
    const database = await openSqliteInMemory()
    return { database, close: () => database.close() }
  },
  PostgreSQL: openPostgresDatabase,
}

/** The database is closed at the end of the test, unless the test has closed it. */
export const closedAfter = (t: Pick<TestContext, 'after'>, database: Database): Database => {
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= database.close())
  t.after(close)
  return { ...database, close }
}

/** Runs tests on one engine: for a rule above the store, whose statements have tests of their own on both. */
export const onDatabase = (name: TestEngine['name'], tests: (engine: TestEngine) => void): void => {
  describe(`on ${name}`, { concurrency: 1 }, () => {
    const opened: OpenedDatabase[] = []
    after(async () => {
      for (const each of opened) await each.close()
    })
    tests({
      name,
      open: async () => {
        const each = await openers[name]()
        opened.push(each)
        return each.database
      },
    })
  })
}

/** Runs the same tests on both engines. Nothing is skipped: without PostgreSQL its half fails and says how to fix that. */
export const onBothDatabases = (tests: (engine: TestEngine) => void): void => {
  for (const name of ['SQLite', 'PostgreSQL'] as const) onDatabase(name, tests)
}

/** Defines tests on a database of each engine that has no tables yet. SQLite is a file, as in production. */
export const onBothEmptyDatabases = (define: (engine: TestEngine) => void): void => {
  let folder: string
  let place: PostgresDatabase
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kaikei-empty-'))
    place = await createPostgresDatabase()
  })
  after(async () => {
    await rm(folder, { recursive: true, force: true })
    await place.drop()
  })
  define({ name: 'SQLite', open: () => openEmbedded(folder) })
  define({ name: 'PostgreSQL', open: () => openPostgres(place.url) })
}
