/** Opens the database that the configuration names, or says in one line what to mend. */
import { COMMAND_NAMES } from '../../config/release.ts'
import { existsSync } from 'node:fs'
import { access, constants, mkdir } from 'node:fs/promises'
import type { Config } from '../../config/config.ts'
import { messageOf } from '../../log.ts'
import type { Database } from './database.ts'
import { readTables, type Tables, type UnknownMigration } from './migrate.ts'
import { openPostgres, type PostgresOptions } from './postgres.ts'
import { isOfPooler } from './postgres-pool.ts'
import { embeddedFile, openEmbedded } from './sqlite.ts'

const POSTGRES_MIN_VERSION = 15

/** The address without its password. */
const named = (url: string): string => {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname}${port === '' ? '' : `:${port}`}${pathname}`
}

type Opened = { readonly database: Database } | { readonly problem: string }

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>

const connect = async ({ databaseUrl, dataDir }: Place, options?: Partial<PostgresOptions>): Promise<Opened> => {
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
    const database = await openPostgres(databaseUrl, options)
    if (Number.parseInt(database.version.replace('PostgreSQL ', ''), 10) >= POSTGRES_MIN_VERSION) return { database }
    await database.close()
    return {
      problem: `DATABASE_URL leads to ${database.version}. Kaikei needs PostgreSQL ${POSTGRES_MIN_VERSION} or later.`,
    }
  } catch (error) {
    if (isOfPooler(error))
      return {
        problem: `DATABASE_URL: a connection pooler such as PgBouncer stands at ${named(databaseUrl)}. It does not keep the session of the server lock, nor our timeouts: give the address of PostgreSQL itself (Kaikei pools its connections: DATABASE_POOL).`,
      }
    return {
      problem: `DATABASE_URL: no connection to ${named(databaseUrl)} (${messageOf(error)}). Start that server or mend the address; unset it for the embedded database.`,
    }
  }
}

/** For a server or a worker: creates DATA_DIR where it is missing. */
export const openDatabase = async (place: Place & Partial<Pick<Config, 'databasePool'>>): Promise<Opened> => {
  const { dataDir, databasePool } = place
  try {
    await mkdir(dataDir, { recursive: true })
    await access(dataDir, constants.W_OK)
  } catch (error) {
    return {
      problem: `DATA_DIR is "${dataDir}", where nothing can be written (${messageOf(error)}). Set DATA_DIR to a folder of your own.`,
    }
  }
  return connect(place, databasePool === undefined ? {} : { poolSize: databasePool })
}

const unknownWords = (unknown: readonly UnknownMigration[]): string =>
  unknown.map(({ name, oldestBeside }) => `${name} from ${oldestBeside} on`).join(', ')

export const tablesProblem = (tables: Exclude<Tables, { are: 'ours' }>, { databaseUrl, dataDir }: Place): string => {
  const place = `The database${databaseUrl === null ? ` in DATA_DIR "${dataDir}"` : ` at ${named(databaseUrl)}`}`
  return tables.are === 'missing'
    ? `${place} does not have the tables of this release. Run ${COMMAND_NAMES.program} migrate, start this release on it once with MIGRATE=on (${COMMAND_NAMES.start}), or set DATA_DIR or DATABASE_URL to another.`
    : `${place} holds what this release does not know (${unknownWords(tables.unknown)}): a newer release has set it up, and does not allow this one beside it. Start that one, restore a backup from before it, or set DATA_DIR or DATABASE_URL to another.`
}

/** A command may read millions of payments in one statement, and no shopper waits for it. */
const COMMAND_TIMEOUTS: Partial<PostgresOptions> = { statementMs: 3_600_000, clientMs: 3_605_000 }

/** For a command beside a server of this release: creates and migrates nothing. */
export const openExistingDatabase = async (place: Place, more: Partial<PostgresOptions> = {}): Promise<Opened> => {
  const { databaseUrl, dataDir } = place
  if (databaseUrl === null && !existsSync(embeddedFile(dataDir))) {
    return {
      problem: `There is no database in DATA_DIR "${dataDir}". Set DATA_DIR or DATABASE_URL to what the server uses, or start it first: ${COMMAND_NAMES.start}.`,
    }
  }
  const opened = await connect(place, { ...COMMAND_TIMEOUTS, ...more })
  if ('problem' in opened) return opened
  const tables = await readTables(opened.database)
  if (tables.are === 'ours') return opened
  await opened.database.close()
  return { problem: tablesProblem(tables, place) }
}
