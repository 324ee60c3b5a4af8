import { join } from 'node:path'
import type { Database } from '../../server/store/engine/database.ts'
import { readMigrations } from '../../server/store/engine/migrate.ts'
import { openPostgres } from '../../server/store/engine/postgres.ts'
import { openEmbedded } from '../../server/store/engine/sqlite.ts'
import { createPostgresDatabase } from './databases.ts'

/** Operator's place: a fresh database as a running server has it open, and the environment by which a command finds it. */
export interface OperatorPlace {
  readonly database: Database
  readonly env: Record<string, string>
  /** Closes the database and removes it, but for what is in the folder. */
  close(): Promise<void>
}

const migrated = async (database: Database): Promise<Database> => {
  await database.migrate(await readMigrations(), 0)
  return database
}

/** On each engine, below a folder that the caller removes. */
export const OPERATOR_PLACES: Readonly<Record<'SQLite' | 'PostgreSQL', (folder: string) => Promise<OperatorPlace>>> = {
  SQLite: async (folder) => {
    const dataDir = join(folder, 'embedded')
    const database = await migrated(await openEmbedded(dataDir))
    return { database, env: { DATA_DIR: dataDir }, close: () => database.close() }
  },
  PostgreSQL: async (folder) => {
    const { url, drop } = await createPostgresDatabase()
    const database = await migrated(await openPostgres(url))
    const close = async (): Promise<void> => {
      await database.close()
      await drop()
    }
    return { database, env: { DATA_DIR: folder, DATABASE_URL: url }, close }
  },
}
