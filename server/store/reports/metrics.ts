/** Counts for the metrics: doubts, overdue checkouts, forced challenges, the outbox, and what is set aside. */
import type { Instant } from '#contract/jst.ts'
import { isAcquirerKind, type AcquirerKind } from '#payment/acquirer-limits.ts'
import { countHeldCheckouts } from '../backup/held-checkouts.ts'
import { countForcedChallenges } from '../checkout/shop-velocity-rows.ts'
import { oneOf, textOrNull } from '../engine/columns.ts'
import type { Sql } from '../engine/database.ts'
import { doubtOf, isDoubtText } from './doubts.ts'
import { countPastDeadline } from '../checkout/due-checkouts.ts'
import { readInboxCounts, type InboxCounts } from '../merchant/set-aside.ts'
import { COUNTED_MAX, readOutboxCounts, type OutboxCounts } from '../outbox/outbox-counts.ts'

/** A refund in doubt; `acquirer` null: at the sandbox. */
interface RefundDoubt {
  readonly since: Instant
  readonly acquirer: AcquirerKind | null
}

/** Over all merchants. Doubts about payments are given by the times at which they began. */
export interface BacklogCounts {
  readonly paymentDoubts: readonly Instant[]
  readonly refundDoubts: readonly RefundDoubt[]
  readonly checkoutsExpired: number
  readonly checkoutsHeld: number
  readonly forcedChallenges: number
  readonly outbox: OutboxCounts
  readonly inbox: InboxCounts
}

/** Of payments and of refunds: those that are asked about next. Each is read, and while an acquirer is away there may be thousands. */
export const DOUBTS_COUNTED_MAX = 1000

const paymentDoubts = async (sql: Sql, now: number): Promise<Instant[]> => {
  const rows = await sql.rows(
    `SELECT state, details, due_at FROM attempts WHERE ${isDoubtText('$1')} ORDER BY due_at LIMIT ${DOUBTS_COUNTED_MAX}`,
    now,
  )
  return rows.map((row) => doubtOf(row).since)
}

const refundDoubts = async (sql: Sql, now: number): Promise<RefundDoubt[]> => {
  const rows = await sql.rows(
    `SELECT state, details, due_at,
       (SELECT kind FROM acquirer_accounts
        WHERE acquirer_accounts.merchant_id = refunds.merchant_id AND acquirer_accounts.mode = refunds.mode) AS kind
     FROM refunds WHERE ${isDoubtText('$1')} ORDER BY due_at LIMIT ${DOUBTS_COUNTED_MAX}`,
    now,
  )
  return rows.map((row) => ({
    since: doubtOf(row).since,
    acquirer: textOrNull(row, 'kind') === null ? null : oneOf(row, 'kind', isAcquirerKind),
  }))
}

export const readBacklog = async (sql: Sql, now: number): Promise<BacklogCounts> => ({
  paymentDoubts: await paymentDoubts(sql, now),
  refundDoubts: await refundDoubts(sql, now),
  checkoutsExpired: await countPastDeadline(sql, now, COUNTED_MAX),
  checkoutsHeld: await countHeldCheckouts(sql, COUNTED_MAX),
  forcedChallenges: await countForcedChallenges(sql, now),
  outbox: await readOutboxCounts(sql, now),
  inbox: await readInboxCounts(sql),
})
