/** Errors of PostgreSQL: violated constraint, lost connection, failover, deadlock, timeout. */
import pg from 'pg'
import { Conflict, DatabaseFull, DatabaseUnavailable } from './database.ts'

/** It is certain that the call has stored nothing: it may be tried again. */
export class NothingStored extends DatabaseUnavailable {}

const CONSTRAINT_CLASS = '23'
/** A migration has changed the columns of a statement that this connection has prepared: it cannot run there any more. */
const STALE_PLAN = /cached plan must not change result type/
/** Connection lost, server shutting down, too many connections. */
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57'])
const LOCK_TIMEOUT = '55P03'
/** Lock timeout or statement timeout, reported by the server: the connection is intact. */
const GIVEN_UP = new Set([LOCK_TIMEOUT, '57014'])

/** After a failover this may be the old primary, or an operator has closed the server to writes. */
const READ_ONLY = '25006'
/** Serialization failure and deadlock: PostgreSQL has rolled back, and the connection is intact. */
const ROLLED_BACK = new Set(['40001', '40P01'])
/** The server ends its sessions or does not let anybody in: shutdown, crash, start, and the exceptions of a connection. */
const SERVER_GONE = /^(?:57P0[123]|08)/
const DISK_FULL = '53100'

const sqlState = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** A lock was not free in time; the transaction was rolled back. */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === LOCK_TIMEOUT

const isGivenUp = (error: unknown): boolean => GIVEN_UP.has(sqlState(error) ?? '')

/** After such an error the connection can be used again, once its transaction is rolled back. */
export const isIntact = (error: unknown): boolean => isGivenUp(error) || ROLLED_BACK.has(sqlState(error) ?? '')

/** PostgreSQL has answered that it has stored nothing, and another try may succeed. */
export const isRefusedForNow = (error: unknown): boolean => {
  const state = sqlState(error) ?? ''
  return state === READ_ONLY || ROLLED_BACK.has(state) || (error instanceof Error && STALE_PLAN.test(error.message))
}

/** The state of the connection is unknown: it can neither roll back nor be used again. */
export const isLost = (error: unknown): boolean => {
  if (isGivenUp(error) || !(error instanceof Error)) return false
  const state = sqlState(error) ?? ''
  return (
    /terminated|timeout|ended|not queryable/i.test(error.message) ||
    state.startsWith('E') ||
    STALE_PLAN.test(error.message) ||
    UNAVAILABLE_CLASSES.has(state.slice(0, 2))
  )
}

/** The other connections of the pool are as bad: they lead to a server that is gone or read-only, or hold the same old plans. */
export const isOfEveryConnection = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const state = sqlState(error) ?? ''
  if (state === READ_ONLY || STALE_PLAN.test(error.message) || SERVER_GONE.test(state)) return true
  // A statement that took too long says nothing of the others.
  return isLost(error) && !(error instanceof pg.DatabaseError) && !/timeout/i.test(error.message)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'connection lost')

export const unavailable = (error: unknown): DatabaseUnavailable => {
  const Unavailable = sqlState(error) === DISK_FULL ? DatabaseFull : DatabaseUnavailable
  return new Unavailable(messageOf(error), { cause: error })
}

/** The same where nothing can have been stored. A full disk stays one, which another try does not mend. */
export const nothingStored = (error: unknown): DatabaseUnavailable =>
  sqlState(error) === DISK_FULL ? unavailable(error) : new NothingStored(messageOf(error), { cause: error })

export const asOurs = (error: unknown): unknown => {
  if (error instanceof DatabaseUnavailable) return error
  return isGivenUp(error) || isLost(error) || isRefusedForNow(error) ? unavailable(error) : error
}

/** A `Conflict` where a constraint was violated, otherwise the error itself. */
export const asConflict = (error: unknown): unknown => {
  if (sqlState(error)?.startsWith(CONSTRAINT_CLASS) !== true) return error
  const named = error instanceof pg.DatabaseError ? error.constraint : undefined
  return new Conflict(named ?? 'unnamed constraint')
}
