/** After a restore: the row that says so, and which checkouts and attempts the acquirer must be asked about. */
import type { Instant } from '#contract/jst.ts'
import { BEFORE_CHARGE, type Attempt } from '#payment/attempt.ts'
import type { Restore } from '#payment/recovery.ts'
import type { CheckoutRef } from '#payment/references.ts'
import { orderPrefix, prefixOfOrder } from '../../ids.ts'
import { attemptColumns, attemptFromRow } from '../checkout/attempts.ts'
import { integer, text, wordList } from '../engine/columns.ts'
import type { Sql, Write } from '../engine/database.ts'

export const restoreWrite = ({ restoredAt, takenAt }: Restore): Write => ({
  text: 'INSERT INTO restores (restored_at, taken_at) VALUES ($1, $2)',
  values: [restoredAt, takenAt],
})

/**
 * A restore that was not yet compared with the acquirer: until then no payment may be taken. Null: there is none. Of several, the
 * time from the earliest backup to the latest restore: one of them may have come out of the backup of the other.
 */
export const restoreToRecover = async (sql: Sql): Promise<Restore | null> => {
  const [row = {}] = await sql.rows(
    'SELECT max(restored_at) AS restored_at, min(taken_at) AS taken_at FROM restores WHERE settled_at IS NULL',
  )
  return row['restored_at'] === null
    ? null
    : { restoredAt: integer(row, 'restored_at'), takenAt: integer(row, 'taken_at') }
}

/** Stores from which time on this restore has lost something: also from that of an earlier restore that still holds checkouts. */
export const beginFrom = async (sql: Sql, { restoredAt, takenAt }: Restore): Promise<void> => {
  await sql.rows('UPDATE restores SET taken_at = $2 WHERE restored_at = $1', restoredAt, takenAt)
}

export const markRecovered = async (sql: Sql, now: Instant): Promise<void> => {
  await sql.rows('UPDATE restores SET settled_at = $1 WHERE settled_at IS NULL', now)
}

/** The open checkout of an order code; null: there is none in this database. */
export type FindCheckoutOfOrder = (orderCode: string) => CheckoutRef | null

const CHECKOUTS_OF = {
  open: `status = 'open'`,
  // Not by status: without statistics SQLite reads every open checkout to find the held ones.
  held: `held_since IS NOT NULL AND CASE status WHEN 'open' THEN 1 END = 1`,
} as const

/** Only open checkouts: one that was closed before the backup was not charged after it. `held`: of these, the held ones. */
export const findCheckoutsOfOrders = async (
  sql: Sql,
  which: keyof typeof CHECKOUTS_OF = 'open',
): Promise<FindCheckoutOfOrder> => {
  const rows = await sql.rows(`SELECT merchant_id, id FROM checkouts WHERE ${CHECKOUTS_OF[which]}`)
  const byPrefix = new Map(
    rows.map((row) => {
      const ref = { merchantId: text(row, 'merchant_id'), checkoutId: text(row, 'id') }
      return [orderPrefix(ref), ref] as const
    }),
  )
  return (orderCode) => byPrefix.get(prefixOfOrder(orderCode)) ?? null
}

/** Attempts of open checkouts that were started since then and are not charged in this database. */
export const findAttemptsSince = async (sql: Sql, since: Instant): Promise<Attempt[]> => {
  const rows = await sql.rows(
    `SELECT ${attemptColumns('attempts', '')} FROM checkouts
     JOIN attempts ON attempts.merchant_id = checkouts.merchant_id AND attempts.checkout_id = checkouts.id
     WHERE checkouts.status = 'open' AND attempts.started_at >= $1 AND attempts.state IN (${wordList(BEFORE_CHARGE)})
     ORDER BY attempts.order_code`,
    since,
  )
  return rows.map((row) => attemptFromRow(row))
}
