/** Until recorded: what an acquirer answered is written down also where the database is away for some seconds. */
import type { Dependencies } from '../dependencies.ts'
import { DatabaseUnavailable } from '../store/engine/database.ts'

/**
 * Longer than the margin of a lease (`payment/doubt.ts`): until that ends nobody else asks the acquirer, and an outcome that is
 * recorded by then is no doubt. Shorter than a caller waits (`timeouts.ts`).
 */
const RECORD_TIMEOUT_MS = 20_000
/** Shorter than graceful stop waits after a failed write for the next one. */
const PAUSE_MS = 200

/**
 * Records an answer, and tries again while the database cannot be used. Only for a record that may be repeated: whether one
 * that was lost at its COMMIT is stored, nobody knows.
 */
export const untilRecorded = async <T>(
  { clock, elapsed }: Pick<Dependencies, 'clock' | 'elapsed'>,
  record: () => Promise<T>,
): Promise<T> => {
  const deadline = elapsed() + RECORD_TIMEOUT_MS
  for (;;) {
    try {
      return await record()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || elapsed() >= deadline) throw error
    }
    await clock.sleep(PAUSE_MS)
  }
}
