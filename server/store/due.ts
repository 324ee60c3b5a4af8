import { text, type Row, type Sql } from './database.ts'

export interface DueCheckout {
  readonly merchantId: string
  readonly checkoutId: string
}

const AT_ONCE = 50

const fromRow = (row: Row): DueCheckout => ({
  merchantId: text(row, 'merchant_id'),
  checkoutId: text(row, 'checkout_id'),
})

/** Checkouts with a charge or a refund that somebody must look at now, those that have waited longest first. */
export const findInquiriesDue = async (sql: Sql, now: number): Promise<DueCheckout[]> => {
  const rows = await sql.rows(
    `SELECT merchant_id, checkout_id, due_at FROM attempts WHERE due_at IS NOT NULL AND due_at <= $1
     UNION ALL
     SELECT merchant_id, checkout_id, due_at FROM refunds WHERE due_at IS NOT NULL AND due_at <= $1
     ORDER BY due_at LIMIT ${AT_ONCE}`,
    now,
  )
  return rows.map(fromRow)
}

/** Open checkouts past their deadline whose money is not moving. */
export const findExpired = async (sql: Sql, now: number): Promise<DueCheckout[]> => {
  const rows = await sql.rows(
    `SELECT merchant_id, id AS checkout_id FROM checkouts
     WHERE status = 'open' AND valid_until < $1 AND NOT EXISTS (
       SELECT 1 FROM attempts WHERE attempts.merchant_id = checkouts.merchant_id
         AND attempts.checkout_id = checkouts.id AND attempts.state IN ('charging', 'unknown'))
     ORDER BY valid_until LIMIT ${AT_ONCE}`,
    now,
  )
  return rows.map(fromRow)
}
