import { access, constants, mkdir } from 'node:fs/promises'
import type { Config } from '../config.ts'
import type { Database } from './database.ts'
import { openPostgres } from './postgres.ts'
import { openEmbedded } from './sqlite.ts'

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

/** The database that the configuration names, or the one line that says what to mend. */
export const openDatabase = async ({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<Opened> => {
  try {
    await mkdir(dataDir, { recursive: true })
    await access(dataDir, constants.W_OK)
  } catch (error) {
    return {
      problem: `DATA_DIR is "${dataDir}", where nothing can be written (${messageOf(error)}). Set DATA_DIR to a folder of your own.`,
    }
  }
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
