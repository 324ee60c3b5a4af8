/** Money in flight: charges and refunds under way, in doubt, or missing in the ledger. */
import type { LedgerMovement } from '#payment/ledger-movement.ts'
import { text, type Row, type Sql } from './database.ts'

const chargeFromRow = (row: Row): LedgerMovement => ({ kind: 'charge', orderCode: text(row, 'order_code') })
const refundFromRow = (row: Row): LedgerMovement => ({
  kind: 'refund',
  orderCode: text(row, 'order_code'),
  refundId: text(row, 'refund_id'),
})

/** Every charge and every refund, of all merchants, that is under way or in doubt, whether an inquiry is due or not. */
export const findMoneyInFlight = async (sql: Sql): Promise<LedgerMovement[]> => {
  const charges = await sql.rows('SELECT order_code FROM attempts WHERE due_at IS NOT NULL ORDER BY due_at')
  const refunds = await sql.rows('SELECT order_code, refund_id FROM refunds WHERE due_at IS NOT NULL ORDER BY due_at')
  return [...charges.map(chargeFromRow), ...refunds.map(refundFromRow)]
}

/**
 * No ledger entry has this name: first none of its own merchant's, which the primary key finds at once; then, for the few
 * that are left, nobody's. The second test alone would try every merchant for every payment.
 */
const missingInLedger = (table: 'attempts' | 'refunds', entry: string): string =>
  `NOT EXISTS (SELECT 1 FROM ledger_lines WHERE ledger_lines.merchant_id = ${table}.merchant_id AND entry = ${entry})
   AND NOT EXISTS (SELECT 1 FROM ledger_lines WHERE merchant_id IN (SELECT id FROM merchants) AND entry = ${entry})`

/** Every attempt that is charged and every refund that is refunded without an entry in the ledger. There should be none. */
export const findMissingInLedger = async (sql: Sql): Promise<LedgerMovement[]> => {
  const charges = await sql.rows(
    `SELECT order_code FROM attempts WHERE state = 'charged' AND ${missingInLedger('attempts', "'charge ' || order_code")}
     ORDER BY order_code`,
  )
  const refunds = await sql.rows(
    `SELECT order_code, refund_id FROM refunds
     WHERE state = 'refunded' AND ${missingInLedger('refunds', "'refund ' || order_code || ' ' || refund_id")}
     ORDER BY order_code, refund_id`,
  )
  return [...charges.map(chargeFromRow), ...refunds.map(refundFromRow)]
}
