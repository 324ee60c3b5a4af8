import type { Movement } from '#payment/movement.ts'
import { text, type Sql } from './database.ts'

/** Every charge and every refund, of all merchants, that is under way or in doubt, whether an inquiry is due or not. */
export const findMoving = async (sql: Sql): Promise<Movement[]> => {
  const charges = await sql.rows('SELECT order_code FROM attempts WHERE due_at IS NOT NULL ORDER BY due_at')
  const refunds = await sql.rows('SELECT order_code, refund_id FROM refunds WHERE due_at IS NOT NULL ORDER BY due_at')
  return [
    ...charges.map((row): Movement => ({ kind: 'charge', orderCode: text(row, 'order_code') })),
    ...refunds.map((row): Movement => ({
      kind: 'refund',
      orderCode: text(row, 'order_code'),
      refundId: text(row, 'refund_id'),
    })),
  ]
}
