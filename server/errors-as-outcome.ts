import { errorFacts, type Log } from './log.ts'

/** Asks what may throw. Whoever throws has said nothing, and that is what it is taken for: `nothing`. */
export const errorsAsOutcome =
  <N>(log: Log, failed: string, nothing: N) =>
  async <T>(ask: () => Promise<T>): Promise<T | N> => {
    try {
      return await ask()
    } catch (error) {
      log.error(failed, errorFacts(error))
      return nothing
    }
  }
