import { randomBytes } from 'node:crypto'
import { after, describe } from 'node:test'
import pg from 'pg'
import { readMigrations, type Database, type Migration } from '../../server/store/database.ts'
import { openPostgres } from '../../server/store/postgres.ts'
import { openSqlite } from '../../server/store/sqlite.ts'

export interface Engine {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** A fresh database with the schema in it; all of a file's are closed and dropped at its end. */
  readonly open: () => Promise<Database>
}

/** Read once: a simulation opens a database for each of its thousands of worlds. */
let migrations: Promise<Migration[]> | null = null

const migrated = async (database: Database): Promise<Database> => {
  migrations ??= readMigrations()
  await database.migrate(await migrations, 0)
  return database
}

export const openMemory = (): Promise<Database> => migrated(openSqlite(':memory:', null))

export const testServerUrl = (): string => {
  const url = process.env['TEST_DATABASE_URL']
  if (url === undefined) {
    throw new Error(
      'no PostgreSQL to test on: run `npm test -- --only server`, or set TEST_DATABASE_URL to a server that may create databases',
    )
  }
  return url
}

const onServer = async (statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: testServerUrl() })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** Creates an empty database on the test server and answers its address. */
export const createDatabase = async (): Promise<{ readonly url: string; drop(): Promise<void> }> => {
  const name = `kaikei_${randomBytes(8).toString('hex')}`
  await onServer(`CREATE DATABASE ${name}`)
  const url = new URL(testServerUrl())
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(`DROP DATABASE ${name} WITH (FORCE)`) }
}

interface Opened {
  readonly database: Database
  close(): Promise<void>
}

/** A fresh database on the test server; `close` drops it. */
export const openOnServer = async (): Promise<Opened> => {
  const { url, drop } = await createDatabase()
  const database = await migrated(await openPostgres(url))
  return {
    database,
    close: async () => {
      await database.close()
      await drop()
    },
  }
}

const OPEN: Readonly<Record<Engine['name'], () => Promise<Opened>>> = {
  SQLite: async () => {
    const database = await openMemory()
    return { database, close: () => database.close() }
  },
  PostgreSQL: openOnServer,
}

/** The same tests on both engines. There is no skipping: without PostgreSQL its half fails and says how to mend that. */
export const onBothDatabases = (tests: (engine: Engine) => void): void => {
  for (const name of ['SQLite', 'PostgreSQL'] as const) {
    describe(`on ${name}`, { concurrency: 1 }, () => {
      const opened: Opened[] = []
      after(async () => {
        for (const each of opened) await each.close()
      })
      tests({
        name,
        open: async () => {
          const each = await OPEN[name]()
          opened.push(each)
          return each.database
        },
      })
    })
  }
}
