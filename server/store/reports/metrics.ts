/** Counts for the metrics: doubts, overdue checkouts, forced challenges, and the outbox. */
import { countHeldCheckouts } from '../backup/held-checkouts.ts'
import { countForcedChallenges } from '../checkout/shop-velocity-rows.ts'
import type { Sql } from '../engine/database.ts'
import { doubtOf, isDoubtText } from './doubts.ts'
import { countPastDeadline } from '../checkout/due-checkouts.ts'
import { readOutboxCounts, type OutboxCounts } from '../outbox/outbox-counts.ts'

/** Over all merchants. Doubts are given by the times at which they began. */
export interface BacklogCounts {
  readonly paymentDoubts: readonly number[]
  readonly refundDoubts: readonly number[]
  readonly checkoutsExpired: number
  readonly checkoutsHeld: number
  readonly forcedChallenges: number
  readonly outbox: OutboxCounts
}

const doubtsIn = async (sql: Sql, table: 'attempts' | 'refunds', now: number): Promise<number[]> => {
  const rows = await sql.rows(`SELECT state, details, due_at FROM ${table} WHERE ${isDoubtText('$1')}`, now)
  return rows.map((row) => doubtOf(row).since)
}

export const readBacklog = async (sql: Sql, now: number): Promise<BacklogCounts> => ({
  paymentDoubts: await doubtsIn(sql, 'attempts', now),
  refundDoubts: await doubtsIn(sql, 'refunds', now),
  checkoutsExpired: await countPastDeadline(sql, now),
  checkoutsHeld: await countHeldCheckouts(sql),
  forcedChallenges: await countForcedChallenges(sql, now),
  outbox: await readOutboxCounts(sql, now),
})
