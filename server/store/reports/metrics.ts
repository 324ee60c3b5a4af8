/** What is unsettled, for the metrics: doubts, overdue checkouts, and what waits to be told. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { countForcedChallenges } from '../checkout/shop-velocity-rows.ts'
import type { Row, Sql } from '../engine/database.ts'
import { integer, json, text } from '../engine/columns.ts'
import { isDoubtText } from './doubts.ts'
import { countPastDeadline } from '../checkout/due-checkouts.ts'
import { readOutboxCounts, type OutboxCounts } from '../outbox/outbox-counts.ts'

/** Over all merchants. Doubts are given by the instants at which they began. */
export interface UnsettledCounts {
  readonly paymentDoubts: readonly number[]
  readonly refundDoubts: readonly number[]
  readonly checkoutsExpired: number
  readonly forcedChallenges: number
  readonly outbox: OutboxCounts
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
  const rows = await sql.rows(`SELECT state, details, due_at FROM ${table} WHERE ${isDoubtText('$1')}`, now)
  return rows.map(doubtSince)
}

export const readUnsettled = async (sql: Sql, now: number): Promise<UnsettledCounts> => ({
  paymentDoubts: await doubtsIn(sql, 'attempts', now),
  refundDoubts: await doubtsIn(sql, 'refunds', now),
  checkoutsExpired: await countPastDeadline(sql, now),
  forcedChallenges: await countForcedChallenges(sql, now),
  outbox: await readOutboxCounts(sql, now),
})
