/** Restored orders: what an order that the backup does not hold may belong to, and attempts that may have gone on after it. */
import { BEFORE_CHARGE, type Attempt } from '#payment/attempt.ts'
import type { Instant } from '#contract/jst.ts'
import type { CheckoutRef } from '#payment/references.ts'
import { orderPrefix, prefixOfOrder } from '../../ids.ts'
import { attemptFromRow } from '../checkout/attempts.ts'
import { text, wordList, type Sql } from '../engine/database.ts'

/** The checkout of an order by its code; null: it is none of the open checkouts of this database. */
export type FindCheckoutOfOrder = (orderCode: string) => CheckoutRef | null

/** Only of open checkouts: one that was closed before the backup was not charged after it. */
export const findCheckoutsOfOrders = async (sql: Sql): Promise<FindCheckoutOfOrder> => {
  const rows = await sql.rows(`SELECT merchant_id, id FROM checkouts WHERE status = 'open'`)
  const byPrefix = new Map(
    rows.map((row) => {
      const ref = { merchantId: text(row, 'merchant_id'), checkoutId: text(row, 'id') }
      return [orderPrefix(ref), ref] as const
    }),
  )
  return (orderCode) => byPrefix.get(prefixOfOrder(orderCode)) ?? null
}

/** Attempts of open checkouts that were started since then and by this database were not charged yet. */
export const findAttemptsSince = async (sql: Sql, since: Instant): Promise<Attempt[]> => {
  const rows = await sql.rows(
    `SELECT attempts.* FROM checkouts
     JOIN attempts ON attempts.merchant_id = checkouts.merchant_id AND attempts.checkout_id = checkouts.id
     WHERE checkouts.status = 'open' AND attempts.started_at >= $1 AND attempts.state IN (${wordList(BEFORE_CHARGE)})
     ORDER BY attempts.order_code`,
    since,
  )
  return rows.map((row) => attemptFromRow(row))
}
