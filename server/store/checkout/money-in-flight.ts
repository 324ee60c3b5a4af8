/** Money in flight: charges and refunds under way, in doubt, or missing in the ledger. */
import { parseLedgerEntryName, type LedgerMovement } from '#payment/ledger-movement.ts'
import type { Row, Sql } from '../engine/database.ts'
import { text } from '../engine/columns.ts'
import { entriesOf } from './ledger.ts'

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
 * Each side is read once, from its beginning to its end, and the two are merged in the order of the ledger's key. To look for
 * the entry of every payment would cost a walk through the ledger for each. Without an order SQLite would look up one side in
 * a temporary table; by the bare column it would read the attempts along an index, each row with a walk of its own.
 */
const UNBOOKED = `SELECT merchant_id || '' AS merchant_id, 'charge ' || order_code AS entry FROM attempts WHERE state = 'charged'
  UNION ALL
  SELECT merchant_id || '' AS merchant_id, 'refund ' || order_code || ' ' || refund_id AS entry FROM refunds
    WHERE state = 'refunded'
  EXCEPT
  SELECT merchant_id, entry FROM ledger_lines
  ORDER BY merchant_id, entry`

/**
 * Every attempt that is charged and every refund that is refunded without an entry in the ledger: of its own merchant first,
 * and for those that are left, of nobody. There should be none.
 */
export const findMissingInLedger = async (sql: Sql): Promise<LedgerMovement[]> => {
  const missing: LedgerMovement[] = []
  for (const row of await sql.rows(UNBOOKED)) {
    const name = text(row, 'entry')
    const movement = parseLedgerEntryName(name)
    if (movement === null) throw new Error(`a charge or a refund has a name that no ledger entry can have: ${name}`)
    if ((await entriesOf(sql, movement)).length === 0) missing.push(movement)
  }
  return missing
}
