/** Record with retry: an acquirer's answer is recorded again while the database is unavailable for some seconds. */
import type { Dependencies } from '../dependencies.ts'
import { DatabaseUnavailable } from '../store/engine/database.ts'

/**
 * Longer than the margin of a lease (`payment/doubt.ts`): until the lease ends nobody else asks the acquirer, and an outcome that
 * is recorded by then is never a doubt. Shorter than the wait of a caller (`timeouts.ts`).
 */
const RECORD_TIMEOUT_MS = 20_000
/** Shorter than the time for which a graceful stop waits for the next write. */
const PAUSE_MS = 200

/** Retries while the database is unavailable. The record must be repeatable: a COMMIT without an answer may have stored it. */
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
