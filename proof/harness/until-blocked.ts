/** Until blocked: waits until a call has ended, or waits for a lock of the database. */
import type { Database } from '../../server/store/engine/database.ts'

const WAITING = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

/** On SQLite it waits for the transaction that is under way anyhow. */
export const untilBlocked = async (database: Database, call: Promise<unknown>): Promise<void> => {
  if (database.version.startsWith('SQLite')) return
  const ended = new Set<string>()
  void call.then(() => ended.add('ended'))
  while (ended.size === 0 && (await database.rows(WAITING)).length === 0) await new Promise(setImmediate)
}
