/** Compacting: removes the bytes of erased rows from the files of the database. */
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnavailable, type Database } from '../engine/database.ts'
import { integer, text } from '../engine/columns.ts'

const TRIES = 20
/** As long as a try may block others, so that they can work in between. */
const PAUSE_MS = 1000

/** Retries while a server or a backup holds a lock. */
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

/** Rewrites the file without its free space, which holds old versions of rows, and empties the write-ahead log. Writers wait. */
const compactFile = async (database: Database): Promise<boolean> => {
  const isRewritten = await retried(async () => {
    await database.rows('VACUUM')
    return true
  })
  if (!isRewritten) return false
  // Retried separately: a reader must not make the whole file be rewritten again.
  return retried(async () => {
    const [row = {}] = await database.rows('PRAGMA wal_checkpoint(TRUNCATE)')
    return integer(row, 'busy') === 0
  })
}

/** Counts older transactions of the server, and readers of this database that may still see old rows. */
const EARLIER = `SELECT CAST(CASE WHEN pg_snapshot_xmin(pg_current_snapshot()) > CAST($1 AS XID8) THEN 0 ELSE 1 END
  + (SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND age(backend_xmin) >= age(CAST(CAST($1 AS XID8) AS XID))) AS BIGINT) AS earlier`

/**
 * Waits for transactions that may still see the old rows, such as a backup: VACUUM FULL would copy those rows. A role without
 * the right to see other sessions sees only its own readers.
 */
const earlierAreGone = async (database: Database): Promise<boolean> => {
  const [now = {}] = await database.rows('SELECT CAST(pg_current_xact_id() AS TEXT) AS xid')
  return retried(async () => {
    const [row = {}] = await database.rows(EARLIER, text(now, 'xid'))
    return integer(row, 'earlier') === 0
  })
}

/**
 * Rewrites the tables and indexes: plain VACUUM leaves the bytes of old rows in place. ANALYZE replaces the statistics, which
 * hold sample values, possibly an address.
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

/** False where a lock was held for too long: run it again. */
export const compact = (database: Database, tables: readonly string[]): Promise<boolean> =>
  database.version.startsWith('SQLite') ? compactFile(database) : compactTables(database, tables)
