import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { integer, json, text, type Row, type Sql } from './database.ts'
import { countExpired } from './due.ts'

/** What has been begun and not ended, over all merchants. Doubts are told by the instants at which they began. */
export interface Unsettled {
  readonly paymentDoubts: readonly number[]
  readonly refundDoubts: readonly number[]
  readonly checkoutsExpired: number
}

const Since = Compile(Type.Object({ since: Type.Integer() }))

/** Null where the details cannot be read: one such row must not hide all the others from whoever watches. */
const sinceOf = (row: Row): number | null => {
  try {
    return json(row, 'details', Since).since
  } catch {
    return null
  }
}

/**
 * A lease that has passed is a doubt that nobody has written down yet: its process died, and the worker may have too. An
 * unreadable doubt is as old as the inquiry that nobody can make.
 */
const doubtSince = (row: Row): number =>
  (text(row, 'state') === 'unknown' ? sinceOf(row) : null) ?? integer(row, 'due_at')

const doubtsIn = async (sql: Sql, table: 'attempts' | 'refunds', now: number): Promise<number[]> => {
  const rows = await sql.rows(
    `SELECT state, details, due_at FROM ${table} WHERE due_at IS NOT NULL AND (state = 'unknown' OR due_at < $1)`,
    now,
  )
  return rows.map(doubtSince)
}

export const readUnsettled = async (sql: Sql, now: number): Promise<Unsettled> => ({
  paymentDoubts: await doubtsIn(sql, 'attempts', now),
  refundDoubts: await doubtsIn(sql, 'refunds', now),
  checkoutsExpired: await countExpired(sql, now),
})
