/** Background work: marks work that may wait. On SQLite it has a share of the time beside payments (`sqlite-turns.ts`). */
import { AsyncLocalStorage } from 'node:async_hooks'

const marked = new AsyncLocalStorage<true>()

/** Not for payments, nor for what says how they have ended. Work with a lease waits for seconds at most. */
export const inBackground = <T>(work: () => T): T => marked.run(true, work)

export const isInBackground = (): boolean => marked.getStore() === true
