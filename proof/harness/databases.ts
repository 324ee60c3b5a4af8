import { randomBytes } from 'node:crypto'
import { after, describe } from 'node:test'
import pg from 'pg'
import { readMigrations, type Database, type Migration } from '../../server/store/database.ts'
import { openPostgres } from '../../server/store/postgres.ts'
import { openSqlite } from '../../server/store/sqlite.ts'

/** Test databases: fresh ones on SQLite in memory and on a PostgreSQL server, with the schema in them. */
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

const runOnPostgresServer = async (statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: testPostgresUrl() })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** Creates an empty database on the test server and returns its URL. */
export const createPostgresDatabase = async (): Promise<{ readonly url: string; drop(): Promise<void> }> => {
  const name = `kaikei_${randomBytes(8).toString('hex')}`
  await runOnPostgresServer(`CREATE DATABASE ${name}`)
  const url = new URL(testPostgresUrl())
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runOnPostgresServer(`DROP DATABASE ${name} WITH (FORCE)`) }
}

interface OpenedDatabase {
  readonly database: Database
  close(): Promise<void>
}

/** A fresh database on the test server; `close` drops it. */
export const openPostgresDatabase = async (): Promise<OpenedDatabase> => {
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
