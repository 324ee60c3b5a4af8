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

/** Every charge and refund of all merchants that is under way or in doubt. */
export const findMoneyInFlight = async (sql: Sql): Promise<LedgerMovement[]> => {
  const charges = await sql.rows('SELECT order_code FROM attempts WHERE due_at IS NOT NULL ORDER BY due_at')
  const refunds = await sql.rows('SELECT order_code, refund_id FROM refunds WHERE due_at IS NOT NULL ORDER BY due_at')
  return [...charges.map(chargeFromRow), ...refunds.map(refundFromRow)]
}

/**
 * Reads payments and ledger once and merges both in the order of the ledger's key. A lookup for each payment would cost more.
 * Without ORDER BY, SQLite would build a temporary table; without `|| ''` it would read the attempts along an index, row by row.
 */
const UNBOOKED = `SELECT merchant_id || '' AS merchant_id, 'charge ' || order_code AS entry FROM attempts WHERE state = 'charged'
  UNION ALL
  SELECT merchant_id || '' AS merchant_id, 'refund ' || order_code || ' ' || refund_id AS entry FROM refunds
    WHERE state = 'refunded'
  EXCEPT
  SELECT merchant_id, entry FROM ledger_lines
  ORDER BY merchant_id, entry`

/** Every charged attempt and every refund without an entry in the ledger, of its own or any other merchant. There should be none. */
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
