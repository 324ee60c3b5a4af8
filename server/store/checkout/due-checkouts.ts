/** Due checkouts: those with an inquiry that is due, and open ones past their deadline. */
import { IN_FLIGHT } from '#payment/attempt.ts'
import { DUE_AHEAD_MAX_MS } from '#payment/doubt.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Row, Sql } from '../engine/database.ts'
import { integer, text, wordList } from '../engine/columns.ts'

const fromRow = (row: Row): CheckoutRef => ({
  merchantId: text(row, 'merchant_id'),
  checkoutId: text(row, 'checkout_id'),
})

/**
 * Checkouts with a charge or a refund whose inquiry is due. Each merchant's longest waiting one comes first, so that a merchant
 * with a thousand doubts does not delay the others.
 */
export const findInquiriesDue = async (sql: Sql, now: number, limit: number): Promise<CheckoutRef[]> => {
  const rows = await sql.rows(
    `SELECT merchant_id, checkout_id FROM (
       SELECT merchant_id, checkout_id, min(due_at) AS due_at,
         row_number() OVER (PARTITION BY merchant_id ORDER BY min(due_at), checkout_id) AS place
       FROM (
         SELECT merchant_id, checkout_id, due_at FROM attempts WHERE due_at IS NOT NULL AND (due_at <= $1 OR due_at > $3)
         UNION ALL
         SELECT merchant_id, checkout_id, due_at FROM refunds WHERE due_at IS NOT NULL AND (due_at <= $1 OR due_at > $3)
       ) AS each_due GROUP BY merchant_id, checkout_id
     ) AS due ORDER BY place, due_at, merchant_id, checkout_id LIMIT $2`,
    now,
    limit,
    now + DUE_AHEAD_MAX_MS,
  )
  return rows.map(fromRow)
}

/**
 * Past its deadline, not held after a restore, and without a payment in flight that was claimed in time. `due_at IS NOT NULL` makes PostgreSQL use the small
 * index `attempts_due`; without it, it would read all attempts.
 */
const IS_EXPIRED = `status = 'open' AND valid_until < $1 AND held_since IS NULL AND NOT EXISTS (
  SELECT 1 FROM attempts WHERE attempts.merchant_id = checkouts.merchant_id AND attempts.checkout_id = checkouts.id
    AND attempts.due_at IS NOT NULL AND attempts.state IN (${wordList(IN_FLIGHT)}))`

/** Open checkouts past their deadline without a payment in flight. */
export const findPastDeadline = async (sql: Sql, now: number, limit: number): Promise<CheckoutRef[]> => {
  const rows = await sql.rows(
    `SELECT merchant_id, id AS checkout_id FROM checkouts WHERE ${IS_EXPIRED} ORDER BY valid_until, id LIMIT $2`,
    now,
    limit,
  )
  return rows.map(fromRow)
}

/** The same of one merchant. */
export const findPastDeadlineOf = async (
  sql: Sql,
  { merchantId, mode }: { readonly merchantId: string; readonly mode: string },
  now: number,
  limit: number,
): Promise<CheckoutRef[]> => {
  const rows = await sql.rows(
    `SELECT merchant_id, id AS checkout_id FROM checkouts WHERE merchant_id = $3 AND mode = $4 AND ${IS_EXPIRED}
     ORDER BY valid_until, id LIMIT $2`,
    now,
    limit,
    merchantId,
    mode,
  )
  return rows.map(fromRow)
}

export const countPastDeadline = async (sql: Sql, now: number): Promise<number> => {
  const [row = {}] = await sql.rows(`SELECT COUNT(*) AS total FROM checkouts WHERE ${IS_EXPIRED}`, now)
  return integer(row, 'total')
}
