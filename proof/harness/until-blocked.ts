/** Until blocked: waits until a call has ended, or waits for a lock of the database. */
import type { Database } from '../../server/store/engine/database.ts'

const WAITING = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

const TIMEOUT_MS = 15_000

/** `sessions`: how many must wait. On SQLite the call waits for the transaction that is under way anyhow. */
export const untilBlocked = async (
  database: Pick<Database, 'version' | 'rows'>,
  call: Promise<unknown>,
  sessions = 1,
): Promise<void> => {
  if (database.version.startsWith('SQLite')) return
  const ended = new Set<string>()
  const note = (): void => void ended.add('ended')
  call.then(note, note)
  const deadline = performance.now() + TIMEOUT_MS
  while (ended.size === 0 && (await database.rows(WAITING)).length < sessions) {
    if (performance.now() > deadline) throw new Error(`no ${sessions} sessions wait for a lock after ${TIMEOUT_MS} ms`)
    await new Promise(setImmediate)
  }
}
