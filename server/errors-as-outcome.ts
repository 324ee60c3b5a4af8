/** Errors as outcomes: an adapter that throws has given no answer. */
import { errorFacts, type Log } from './log.ts'

/** Calls what may throw, and answers `outcome` in place of an exception. */
export const errorsAsOutcome =
  <N>(log: Log, failed: string, outcome: N) =>
  async <T>(call: () => Promise<T>): Promise<T | N> => {
    try {
      return await call()
    } catch (error) {
      log.error(failed, errorFacts(error))
      return outcome
    }
  }
