/** Compacting: what was erased leaves no bytes behind in the files of the database. */
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnavailable, type Database } from '../engine/database.ts'
import { integer, text } from '../engine/columns.ts'

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
const compactFile = async (database: Database): Promise<boolean> => {
  const isRewritten = await retried(async () => {
    await database.rows('VACUUM')
    return true
  })
  if (!isRewritten) return false
  // By itself: somebody who reads at this moment must not make the whole file be written once more.
  return retried(async () => {
    const [row = {}] = await database.rows('PRAGMA wal_checkpoint(TRUNCATE)')
    return integer(row, 'busy') === 0
  })
}

/** Transactions of the whole server that began before that one, and readings of this database that may see what was before it. */
const EARLIER = `SELECT CAST(CASE WHEN pg_snapshot_xmin(pg_current_snapshot()) > CAST($1 AS XID8) THEN 0 ELSE 1 END
  + (SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND age(backend_xmin) >= age(CAST(CAST($1 AS XID8) AS XID))) AS BIGINT) AS earlier`

/**
 * Waits for all who may still see the rows as they were, such as a backup: VACUUM FULL would copy these too. A role that may
 * not look at others' sessions sees of readings its own alone.
 */
const earlierAreGone = async (database: Database): Promise<boolean> => {
  const [now = {}] = await database.rows('SELECT CAST(pg_current_xact_id() AS TEXT) AS xid')
  return retried(async () => {
    const [row = {}] = await database.rows(EARLIER, text(now, 'xid'))
    return integer(row, 'earlier') === 0
  })
}

/**
 * The tables are written anew with their indexes: plain VACUUM leaves the bytes of old rows where they are. With new
 * statistics: those hold samples of a column, and an address may be one.
 */
const compactTables = async (database: Database, tables: readonly string[]): Promise<boolean> => {
  if (!(await earlierAreGone(database))) return false
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
