/** Cancelled openings: checkouts of reusable links whose shopper has cancelled before any card. They cannot be begun any more. */
import { DAY_MS, HOUR_MS } from '#contract/jst.ts'
import type { CheckoutRef } from '#payment/references.ts'
import { changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import type { Sql } from '../engine/database.ts'

/** Longer than the checkout could be paid, opened by a form of a server whose clock is ahead: then it has expired. */
const KEPT_MS = DAY_MS + HOUR_MS

/**
 * Cancels a checkout that the same transaction has stored to lock it: nothing of it stays but its id. No start of another transaction
 * can store it before this one ends.
 */
export const cancelOpening = async (sql: Sql, { merchantId, checkoutId }: CheckoutRef, now: number): Promise<void> => {
  await sql.rows(
    `INSERT INTO cancelled_openings (merchant_id, checkout_id, cancelled_at) VALUES ($1, $2, $3)
     ON CONFLICT (merchant_id, checkout_id) DO NOTHING`,
    merchantId,
    checkoutId,
    now,
  )
  await sql.rows('DELETE FROM checkouts WHERE merchant_id = $1 AND id = $2', merchantId, checkoutId)
}

export const isCancelledOpening = async (sql: Sql, { merchantId, checkoutId }: CheckoutRef): Promise<boolean> => {
  const found = await sql.rows(
    'SELECT checkout_id FROM cancelled_openings WHERE merchant_id = $1 AND checkout_id = $2',
    merchantId,
    checkoutId,
  )
  return found.length > 0
}

const OLD_OPENINGS: BatchedChange = {
  table: 'cancelled_openings',
  key: ['merchant_id', 'checkout_id'],
  where: 'cancelled_at <= $1',
  order: 'cancelled_at',
  change: 'DELETE',
}

/** Deletes those that have expired anyway. True when there may be more. */
export const forgetCancelledOpenings = (sql: Sql, now: number): Promise<boolean> =>
  changeNextBatch(sql, OLD_OPENINGS, [now - KEPT_MS])
