/** Due checkouts: those with an inquiry that is due, and open ones past their deadline. */
import { IN_FLIGHT } from '#payment/attempt.ts'
import { DUE_AHEAD_MAX_MS } from '#payment/doubt.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Row, Sql } from '../engine/database.ts'
import { integer, text, wordList } from '../engine/columns.ts'
import { dueByMerchant } from '../engine/due-by-merchant.ts'

const fromRow = (row: Row): CheckoutRef => ({
  merchantId: text(row, 'merchant_id'),
  checkoutId: text(row, 'checkout_id'),
})

/** Of charges and of refunds: due, and due so far ahead that the clock must have been set back. */
const INQUIRIES = ['attempts', 'refunds'].flatMap((table) =>
  [
    { name: `${table}_due`, isDue: 'due_at <= $1' },
    { name: `${table}_ahead`, isDue: 'due_at > $3' },
  ].map(({ name, isDue }) => ({
    name,
    table,
    waits: 'due_at IS NOT NULL',
    isDue,
    order: ['due_at', 'checkout_id'] as const,
  })),
)

const INQUIRIES_DUE = dueByMerchant(INQUIRIES, ['checkout_id'], '$2')

/** Checkouts with a charge or a refund whose inquiry is due. */
export const findInquiriesDue = async (sql: Sql, now: number, limit: number): Promise<CheckoutRef[]> =>
  (await sql.rows(INQUIRIES_DUE, now, limit, now + DUE_AHEAD_MAX_MS)).map(fromRow)

/**
 * Past its deadline, not held after a restore, and without a payment in flight that was claimed in time. A subquery and no join:
 * of a join PostgreSQL, while it has no statistics, reads all that is in flight again for each checkout.
 */
const IS_EXPIRED = `status = 'open' AND valid_until < $1 AND held_since IS NULL AND (
  SELECT 1 FROM attempts WHERE attempts.merchant_id = checkouts.merchant_id AND attempts.mode = checkouts.mode
    AND attempts.checkout_id = checkouts.id AND attempts.state IN (${wordList(IN_FLIGHT)}) LIMIT 1) IS NULL`

/** Open checkouts past their deadline without a payment in flight. By the time alone: at midnight thousands of links end at once. */
export const findPastDeadline = async (sql: Sql, now: number, limit: number): Promise<CheckoutRef[]> => {
  const rows = await sql.rows(
    `SELECT merchant_id, id AS checkout_id FROM checkouts WHERE ${IS_EXPIRED} ORDER BY valid_until LIMIT $2`,
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
     ORDER BY valid_until LIMIT $2`,
    now,
    limit,
    merchantId,
    mode,
  )
  return rows.map(fromRow)
}

/** Counted up to a number. */
export const countPastDeadline = async (sql: Sql, now: number, most: number): Promise<number> => {
  const [row = {}] = await sql.rows(
    `SELECT COUNT(*) AS total FROM (SELECT 1 AS one FROM checkouts WHERE ${IS_EXPIRED} LIMIT $2) AS each_one`,
    now,
    most,
  )
  return integer(row, 'total')
}
