/** Money in flight: charges and refunds under way, in doubt, or missing in the ledger. */
import { isMerchantMode } from '#contract/access.ts'
import { DAY_MS } from '#contract/jst.ts'
import { parseLedgerEntryName, type LedgerMovement } from '#payment/ledger-movement.ts'
import type { Period } from '#payment/ports.ts'
import { oneOf, text } from '../engine/columns.ts'
import type { Row, Sql } from '../engine/database.ts'
import type { KeyScope } from '../merchant/keys.ts'
import { entriesOf } from './ledger.ts'

/** A charge or a refund, with the merchant and the mode that it belongs to. */
export interface MoneyInFlight extends KeyScope {
  readonly movement: LedgerMovement
}

const scopeFromRow = (row: Row): KeyScope => ({
  merchantId: text(row, 'merchant_id'),
  mode: oneOf(row, 'mode', isMerchantMode),
})
const chargeFromRow = (row: Row): MoneyInFlight => ({
  ...scopeFromRow(row),
  movement: { kind: 'charge', orderCode: text(row, 'order_code') },
})
const refundFromRow = (row: Row): MoneyInFlight => ({
  ...scopeFromRow(row),
  movement: { kind: 'refund', orderCode: text(row, 'order_code'), refundId: text(row, 'refund_id') },
})

/** Every charge and refund of all merchants that is under way or in doubt. */
export const findMoneyInFlight = async (sql: Sql): Promise<MoneyInFlight[]> => {
  const charges = await sql.rows(
    'SELECT merchant_id, mode, order_code FROM attempts WHERE due_at IS NOT NULL ORDER BY due_at',
  )
  const refunds = await sql.rows(
    'SELECT merchant_id, mode, order_code, refund_id FROM refunds WHERE due_at IS NOT NULL ORDER BY due_at',
  )
  return [...charges.map(chargeFromRow), ...refunds.map(refundFromRow)]
}

const isUnbooked = (name: string): string =>
  `NOT EXISTS (SELECT 1 FROM ledger_lines WHERE ledger_lines.merchant_id = $1 AND ledger_lines.entry = ${name})`

const CHARGE = `'charge ' || attempts.order_code`
const REFUND = `'refund ' || refunds.order_code || ' ' || refunds.refund_id`
const UNBOOKED = [
  `SELECT ${CHARGE} AS entry FROM attempts WHERE merchant_id = $1 AND mode = $2 AND started_at >= $3 AND started_at < $4
     AND state = 'charged' AND ${isUnbooked(CHARGE)}`,
  `SELECT ${REFUND} AS entry FROM refunds WHERE merchant_id = $1 AND mode = $2 AND requested_at >= $3 AND requested_at < $4
     AND state = 'refunded' AND ${isUnbooked(REFUND)}`,
]

/** A charge or a refund that was in doubt is booked at most this long after it was asked for. */
const BOOKED_WITHIN_MS = 7 * DAY_MS

/** Charged attempts and refunds of a period without an entry in the ledger, of its own or any other merchant. There should be none. */
export const findMissingInLedger = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { from, to }: Period,
): Promise<LedgerMovement[]> => {
  const missing: LedgerMovement[] = []
  for (const statement of UNBOOKED)
    for (const row of await sql.rows(statement, merchantId, mode, from - BOOKED_WITHIN_MS, to)) {
      const name = text(row, 'entry')
      const movement = parseLedgerEntryName(name)
      if (movement === null) throw new Error(`a charge or a refund has a name that no ledger entry can have: ${name}`)
      if ((await entriesOf(sql, movement)).length === 0) missing.push(movement)
    }
  return missing
}
