/** Background work: marks work that may wait. On SQLite, which has one writer, payments run before it. */
import { AsyncLocalStorage } from 'node:async_hooks'

const marked = new AsyncLocalStorage<true>()

/** Not for work with a lease, which may end while it waits, and not for payments. */
export const inBackground = <T>(work: () => T): T => marked.run(true, work)

export const isInBackground = (): boolean => marked.getStore() === true
