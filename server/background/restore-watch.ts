/** Restore watch: ends a process whose database was restored from a backup meanwhile, or is used with another secret key. */
import { staleProblem } from '../store/prepare.ts'
import type { Database } from '../store/engine/database.ts'

const CHECK_INTERVAL_MS = 1000

interface Watched {
  readonly database: Database
  /** Those that it signs with, the current one first. */
  readonly secretKeys: readonly string[]
}

/**
 * One look, as often as it is called. On rows of a backup a server would take a second payment of what was paid after it,
 * and a worker would close it; with the key before, what they sign can be verified by nobody. A database that is away for a
 * while is no reason to end: it may be dropped, made anew and restored beneath a server, which then takes up its lock again.
 */
export const lookForProblem = async ({ database, secretKeys }: Watched): Promise<string | null> => {
  try {
    return await staleProblem(database, secretKeys)
  } catch {
    return null
  }
}

/** Looks every second until it is stopped, or has told a problem. */
export const startRestoreWatch = (watched: Watched, onProblem: (problem: string) => void): { stop(): void } => {
  let underWay = false
  const timer = setInterval(() => {
    // A database that hangs must not be asked by more and more checks.
    if (underWay) return
    underWay = true
    void lookForProblem(watched).then((problem) => {
      underWay = false
      if (problem === null) return
      clearInterval(timer)
      onProblem(problem)
    })
  }, CHECK_INTERVAL_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
