/** Restore watch: ends a process whose database was restored from a backup meanwhile, or is used with another secret key. */
import { staleProblem } from '../store/prepare-database.ts'
import type { Database } from '../store/engine/database.ts'
import { startWatch, type Watch } from './watch.ts'

const CHECK_INTERVAL_MS = 1000

interface Watched {
  readonly database: Database
  /** Those that it signs with, the current one first. */
  readonly secretKeys: readonly string[]
}

/**
 * Why this process must end; null: it may go on. On rows of a backup a server would take a second payment for what was paid
 * after the backup, and a worker would expire it; webhooks signed with an earlier key can be verified by nobody. A database
 * that is away for a while is no reason to end: it may be dropped, made anew and restored under a running server, which then
 * takes its lock again.
 */
export const lookForProblem = async ({ database, secretKeys }: Watched): Promise<string | null> => {
  try {
    return await staleProblem(database, secretKeys)
  } catch {
    return null
  }
}

/** Looks every second until it is stopped, or has told a problem. */
export const startRestoreWatch = (watched: Watched, onProblem: (problem: string) => void): Watch => {
  const watch = startWatch(CHECK_INTERVAL_MS, async () => {
    const problem = await lookForProblem(watched)
    if (problem === null) return
    watch.stop()
    onProblem(problem)
  })
  return watch
}
