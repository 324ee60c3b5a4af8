/** Errors of PostgreSQL: a constraint that said no, a connection that is lost, a wait that was given up. */
import pg from 'pg'
import { Conflict, DatabaseFull, DatabaseUnavailable } from './database.ts'

const CONSTRAINT_CLASS = '23'
/** A migration has changed what a statement answers that this connection had planned before: it can never run there again. */
const STALE_PLAN = /cached plan must not change result type/
/** Connection lost, server shutting down, too many connections. */
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57'])
/** A row was held, or a statement took, for too long. The server has said so: the connection is in order. */
const GIVEN_UP = new Set(['55P03', '57014'])

const DISK_FULL = '53100'

const sqlState = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

export const isGivenUp = (error: unknown): boolean => GIVEN_UP.has(sqlState(error) ?? '')

/** Nobody knows what the connection is doing: it can neither roll back nor be used again. */
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

/** The error itself, unless a constraint said no. */
export const asConflict = (error: unknown): unknown => {
  if (sqlState(error)?.startsWith(CONSTRAINT_CLASS) !== true) return error
  const named = error instanceof pg.DatabaseError ? error.constraint : undefined
  return new Conflict(named ?? 'unnamed constraint')
}
