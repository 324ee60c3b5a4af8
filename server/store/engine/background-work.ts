/** Background work: what has time. On SQLite, which writes one thing after another, payments go before it. */
import { AsyncLocalStorage } from 'node:async_hooks'

const marked = new AsyncLocalStorage<true>()

/** Only for what holds no lease and no money: a lease may end while it waits. */
export const inBackground = <T>(work: () => T): T => marked.run(true, work)

export const isInBackground = (): boolean => marked.getStore() === true
