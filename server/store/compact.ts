/** Compacting: what was erased leaves no bytes behind in the files of the database. */
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnavailable, integer, text, type Database } from './database.ts'

const TRIES = 20
/** As long as a try may hold others up, so that they get on in between. */
const PAUSE_MS = 1000

/** What a server or a backup holds at this moment it lets go of soon. */
const retried = async (attempt: () => Promise<boolean>): Promise<boolean> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (tries > 0) await sleep(PAUSE_MS)
    try {
      if (await attempt()) return true
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
    }
  }
  return false
}

/**
 * The file is written anew without its free space, where old versions of rows stand; then the write-ahead log is emptied.
 * Writers wait meanwhile.
 */
const compactFile = (database: Database): Promise<boolean> =>
  retried(async () => {
    await database.rows('VACUUM')
    const [row = {}] = await database.rows('PRAGMA wal_checkpoint(TRUNCATE)')
    return integer(row, 'busy') === 0
  })

const OLDER_READERS = `SELECT COUNT(*) AS readers FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL
    AND xact_start < CAST($1 AS TIMESTAMPTZ)`

/**
 * Waits for those who may still see the rows as they were, such as a backup: for them VACUUM FULL would copy these too. A role
 * that may not look at others' sessions sees its own alone.
 */
const olderReadersAreGone = async (database: Database): Promise<boolean> => {
  const [now = {}] = await database.rows('SELECT CAST(clock_timestamp() AS TEXT) AS at')
  return retried(async () => {
    const [row = {}] = await database.rows(OLDER_READERS, text(now, 'at'))
    return integer(row, 'readers') === 0
  })
}

/**
 * The tables are written anew with their indexes: plain VACUUM leaves the bytes of old rows where they are. With new
 * statistics: those hold samples of a column, and an address may be one.
 */
const compactTables = async (database: Database, tables: readonly string[]): Promise<boolean> => {
  if (!(await olderReadersAreGone(database))) return false
  for (const table of tables) {
    const isDone = await retried(async () => {
      await database.rows(`VACUUM (FULL, ANALYZE) ${table}`)
      return true
    })
    if (!isDone) return false
  }
  return true
}

/** False where somebody held on for too long: run it again. */
export const compact = (database: Database, tables: readonly string[]): Promise<boolean> =>
  database.version.startsWith('SQLite') ? compactFile(database) : compactTables(database, tables)
