/** Server database: a fresh database of either engine, and the environment by which a server or a command finds it. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readMigrations } from '../../server/store/engine/migrate.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { openPostgres } from '../../server/store/engine/postgres.ts'
import { openEmbedded } from '../../server/store/engine/sqlite.ts'
import { createPostgresDatabase, testPostgresUrl, type TestEngine } from './databases.ts'

export interface ServerDatabase {
  readonly env: Readonly<Record<string, string>>
  open(): Promise<Database>
  /** Removes what is not in the folder. */
  drop(): Promise<void>
}

/** Without a schema, or on PostgreSQL a copy of another, in a data folder that the caller removes. */
export const createServerDatabase = async (
  engine: TestEngine['name'],
  folder: string,
  copyOf?: string,
): Promise<ServerDatabase> => {
  await mkdir(folder, { recursive: true })
  const postgres = engine === 'PostgreSQL' ? await createPostgresDatabase(testPostgresUrl(), copyOf) : null
  return {
    env: { DATA_DIR: folder, ...(postgres === null ? {} : { DATABASE_URL: postgres.url }) },
    open: () => (postgres === null ? openEmbedded(folder) : openPostgres(postgres.url)),
    drop: async () => {
      await postgres?.drop()
    },
  }
}

/** With its schema, and open as a running server has it. */
export interface OpenServerDatabase {
  readonly database: Database
  readonly env: Readonly<Record<string, string>>
  /** Closes the database and removes it, but for what is in the folder. */
  close(): Promise<void>
}

const openIn = async (engine: TestEngine['name'], folder: string): Promise<OpenServerDatabase> => {
  // The stages of `npm test` have a template with the schema in it.
  const { env, open, drop } = await createServerDatabase(engine, folder, process.env['TEST_DATABASE_TEMPLATE'])
  const database = await open()
  await database.migrate(await readMigrations(), 0)
  const close = async (): Promise<void> => {
    await database.close()
    await drop()
  }
  return { database, env, close }
}

/** On each engine, below a folder that the caller removes. */
export const OPEN_SERVER_DATABASE = {
  SQLite: (folder: string) => openIn('SQLite', join(folder, 'embedded')),
  PostgreSQL: (folder: string) => openIn('PostgreSQL', folder),
}
