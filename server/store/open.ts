import { existsSync } from 'node:fs'
import { access, constants, mkdir } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { DatabaseUnavailable, readMigrations, text, type Database } from './database.ts'
import { openPostgres } from './postgres.ts'
import { embeddedFile, openEmbedded } from './sqlite.ts'

const POSTGRES_MIN_VERSION = 15

const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

/** The address without its password. */
const named = (url: string): string => {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname}${port === '' ? '' : `:${port}`}${pathname}`
}

type Opened = { readonly database: Database } | { readonly problem: string }

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>

const connect = async ({ databaseUrl, dataDir }: Place): Promise<Opened> => {
  if (databaseUrl === null) {
    try {
      return { database: await openEmbedded(dataDir) }
    } catch (error) {
      return {
        problem: `The database in DATA_DIR "${dataDir}" cannot be opened (${messageOf(error)}). Set DATA_DIR to another folder, or restore this one from a backup.`,
      }
    }
  }
  try {
    const database = await openPostgres(databaseUrl)
    if (Number.parseInt(database.version.replace('PostgreSQL ', ''), 10) >= POSTGRES_MIN_VERSION) return { database }
    await database.close()
    return {
      problem: `DATABASE_URL leads to ${database.version}. Kaikei needs PostgreSQL ${POSTGRES_MIN_VERSION} or later.`,
    }
  } catch (error) {
    return {
      problem: `DATABASE_URL: no connection to ${named(databaseUrl)} (${messageOf(error)}). Start that server or mend the address; unset it for the embedded database.`,
    }
  }
}

/** The database that the configuration names, or the one line that says what to mend. */
export const openDatabase = async (place: Place): Promise<Opened> => {
  const { dataDir } = place
  try {
    await mkdir(dataDir, { recursive: true })
    await access(dataDir, constants.W_OK)
  } catch (error) {
    return {
      problem: `DATA_DIR is "${dataDir}", where nothing can be written (${messageOf(error)}). Set DATA_DIR to a folder of your own.`,
    }
  }
  return connect(place)
}

const hasTablesOfThisRelease = async (database: Database): Promise<boolean> => {
  try {
    const applied = (await database.rows('SELECT name FROM migrations')).map((row) => text(row, 'name'))
    const wanted = (await readMigrations()).map(({ name }) => name)
    return applied.toSorted().join() === wanted.toSorted().join()
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    return false
  }
}

/** The database that a server of this release has set up, for use beside it: nothing is created or migrated here. */
export const openStandingDatabase = async (place: Place): Promise<Opened> => {
  const { databaseUrl, dataDir } = place
  if (databaseUrl === null && !existsSync(embeddedFile(dataDir))) {
    return {
      problem: `There is no database in DATA_DIR "${dataDir}". Set DATA_DIR or DATABASE_URL to what the server uses, or start it first: npm start.`,
    }
  }
  const opened = await connect(place)
  if ('problem' in opened || (await hasTablesOfThisRelease(opened.database))) return opened
  await opened.database.close()
  return {
    problem: `The database${databaseUrl === null ? ` in DATA_DIR "${dataDir}"` : ` at ${named(databaseUrl)}`} does not have the tables of this release. Start this release on it once (npm start), or set DATA_DIR or DATABASE_URL to another.`,
  }
}
