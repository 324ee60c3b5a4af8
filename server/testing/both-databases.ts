import { randomBytes } from 'node:crypto'
import { after, describe } from 'node:test'
import pg from 'pg'
import { readMigrations, type Database } from '../store/database.ts'
import { openPostgres } from '../store/postgres.ts'
import { openSqlite } from '../store/sqlite.ts'

/** A fresh database with the schema in it; all of a file's are closed and dropped at its end. */
export type OpenDatabase = () => Promise<Database>

export interface Engine {
  readonly name: 'SQLite' | 'PostgreSQL'
  readonly open: OpenDatabase
}

const migrated = async (database: Database): Promise<Database> => {
  await database.migrate(await readMigrations(), 0)
  return database
}

const openInMemory: OpenDatabase = async () => migrated(openSqlite(':memory:', null))

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

/** The same tests on both engines. There is no skipping: without PostgreSQL its half fails and says how to mend that. */
export const onBothDatabases = (tests: (engine: Engine) => void): void => {
  describe('on SQLite', { concurrency: 1 }, () => {
    const opened: Database[] = []
    after(async () => {
      for (const database of opened) await database.close()
    })
    tests({
      name: 'SQLite',
      open: async () => {
        const database = await openInMemory()
        opened.push(database)
        return database
      },
    })
  })

  describe('on PostgreSQL', { concurrency: 1 }, () => {
    const opened: { readonly database: Database; drop(): Promise<void> }[] = []
    after(async () => {
      for (const { database, drop } of opened) {
        await database.close()
        await drop()
      }
    })
    tests({
      name: 'PostgreSQL',
      open: async () => {
        const { url, drop } = await createDatabase()
        const database = await migrated(await openPostgres(url))
        opened.push({ database, drop })
        return database
      },
    })
  })
}
