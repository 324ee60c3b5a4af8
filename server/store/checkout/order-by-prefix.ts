/** Order by prefix: finds an attempt by an order code, or by the first characters of one. */
import type { OrderRef } from '#payment/references.ts'
import { text } from '../engine/columns.ts'
import type { Sql } from '../engine/database.ts'

const ORDER_CODE_LENGTH = 32

/**
 * The order of a merchant whose code begins so. Null: there is none, or more than one. `z` is the last letter of an order
 * code in every collation.
 */
export const findOrderByPrefix = async (sql: Sql, merchantId: string, prefix: string): Promise<OrderRef | null> => {
  const rows = await sql.rows(
    `SELECT checkout_id, order_code FROM attempts WHERE merchant_id = $1 AND order_code >= $2 AND order_code <= $3 LIMIT 2`,
    merchantId,
    prefix,
    prefix.padEnd(ORDER_CODE_LENGTH, 'z'),
  )
  const [row] = rows
  if (row === undefined || rows.length > 1) return null
  return { merchantId, checkoutId: text(row, 'checkout_id'), orderCode: text(row, 'order_code') }
}
