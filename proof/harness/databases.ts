/** Test databases: fresh ones on SQLite in memory and on a PostgreSQL server, with the schema in them. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import pg from 'pg'
import type { Database, Migration } from '../../server/store/engine/database.ts'
import { readMigrations } from '../../server/store/engine/migrate.ts'
import { openPostgres } from '../../server/store/engine/postgres.ts'
import { openEmbedded, openSqlite } from '../../server/store/engine/sqlite.ts'

export interface TestEngine {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** Opens a fresh database; all that a test file opens are closed and dropped at its end. */
  readonly open: () => Promise<Database>
}

/** Read once: a simulation opens thousands of databases. */
let migrations: Promise<Migration[]> | null = null

const migrateToLatest = async (database: Database): Promise<Database> => {
  migrations ??= readMigrations()
  await database.migrate(await migrations, 0)
  return database
}

export const openSqliteInMemory = (): Promise<Database> => migrateToLatest(openSqlite(':memory:', null))

export const testPostgresUrl = (): string => {
  const url = process.env['TEST_DATABASE_URL']
  if (url === undefined) {
    throw new Error(
      'no PostgreSQL to test on: run `npm test -- --only server`, or set TEST_DATABASE_URL to a server that may create databases',
    )
  }
  return url
}

const runOnPostgresServer = async (server: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(statement)
  await client.end()
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
  const name = `kaikei_${randomBytes(8).toString('hex')}`
  await runOnPostgresServer(server, `CREATE DATABASE ${name} TEMPLATE ${copyOf}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => runOnPostgresServer(server, `DROP DATABASE ${name} WITH (FORCE)`) }
}

/** A database with the schema in it: a copy of it takes a third of the time that the migrations take. */
export const createTemplateDatabase = async (server: string): Promise<PostgresDatabase> => {
  const created = await createPostgresDatabase(server)
  const database = await migrateToLatest(await openPostgres(created.url))
  await database.close()
  return created
}

interface OpenedDatabase {
  readonly database: Database
  close(): Promise<void>
}

/** A fresh database on the test server; `close` drops it. */
export const openPostgresDatabase = async (): Promise<OpenedDatabase> => {
  // Of the stages of `npm test`; a test file that is run by itself has none.
  const template = process.env['TEST_DATABASE_TEMPLATE']
  const { url, drop } = await createPostgresDatabase(testPostgresUrl(), template)
  const opened = await openPostgres(url)
  const database = template === undefined ? await migrateToLatest(opened) : opened
  return {
    database,
    close: async () => {
      await database.close()
      await drop()
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

/** Runs the same tests on both engines. Nothing is skipped: without PostgreSQL its half fails and says how to fix that. */
export const onBothDatabases = (tests: (engine: TestEngine) => void): void => {
  for (const name of ['SQLite', 'PostgreSQL'] as const) {
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
