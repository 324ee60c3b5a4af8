/** Worker watch: ends a worker whose database was restored from a backup meanwhile, or whose server uses another secret key. */
import { workerProblem } from '../store/prepare.ts'
import type { Database } from '../store/database.ts'

const CHECK_INTERVAL_MS = 1000

interface Watched {
  readonly database: Database
  /** Those that it signs with, the current one first. */
  readonly secretKeys: readonly string[]
}

/**
 * One look, as often as it is called. On rows of a backup a worker would close checkouts that were paid after it, and with
 * the key before it would sign what nobody can verify. A database that is away for a while is no reason to end.
 */
export const lookForProblem = async ({ database, secretKeys }: Watched): Promise<string | null> => {
  try {
    return await workerProblem(database, secretKeys)
  } catch {
    return null
  }
}

/** Looks every second until it is stopped, or has told a problem. */
export const startWorkerWatch = (watched: Watched, onProblem: (problem: string) => void): { stop(): void } => {
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
