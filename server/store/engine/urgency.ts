/**
 * Urgency of work: payments come first, background work may wait. On PostgreSQL some connections are for payments alone
 * (`postgres.ts`); on SQLite background work has a share of the time beside payments (`sqlite-turns.ts`).
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const marked = new AsyncLocalStorage<'payment' | 'background'>()

/** Not for payments, nor for what says how they have ended. Work with a lease waits for seconds at most. */
export const inBackground = <T>(work: () => T): T => marked.run('background', work)

export const isInBackground = (): boolean => marked.getStore() === 'background'

/** For calls about orders that the server has begun. */
export const asPayment = <T>(work: () => T): T => marked.run('payment', work)

export const isPayment = (): boolean => marked.getStore() === 'payment'
