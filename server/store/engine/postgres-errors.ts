/** Errors of PostgreSQL: violated constraint, lost connection, timeout. */
import pg from 'pg'
import { Conflict, DatabaseFull, DatabaseUnavailable } from './database.ts'

const CONSTRAINT_CLASS = '23'
/** A migration has changed the columns of a statement that this connection has prepared: it cannot run there any more. */
const STALE_PLAN = /cached plan must not change result type/
/** Connection lost, server shutting down, too many connections. */
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57'])
const LOCK_TIMEOUT = '55P03'
/** Lock timeout or statement timeout, reported by the server: the connection is intact. */
const GIVEN_UP = new Set([LOCK_TIMEOUT, '57014'])

const DISK_FULL = '53100'

const sqlState = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** A lock was not free in time; the transaction was rolled back. */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === LOCK_TIMEOUT

export const isGivenUp = (error: unknown): boolean => GIVEN_UP.has(sqlState(error) ?? '')

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

export const unavailable = (error: unknown): DatabaseUnavailable => {
  const Unavailable = sqlState(error) === DISK_FULL ? DatabaseFull : DatabaseUnavailable
  return new Unavailable(error instanceof Error ? error.message : 'connection lost', { cause: error })
}

export const asOurs = (error: unknown): unknown => (isGivenUp(error) || isLost(error) ? unavailable(error) : error)

/** A `Conflict` where a constraint was violated, otherwise the error itself. */
export const asConflict = (error: unknown): unknown => {
  if (sqlState(error)?.startsWith(CONSTRAINT_CLASS) !== true) return error
  const named = error instanceof pg.DatabaseError ? error.constraint : undefined
  return new Conflict(named ?? 'unnamed constraint')
}
