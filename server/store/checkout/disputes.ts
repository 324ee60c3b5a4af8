/** Disputes: their rows are read, inserted and updated here. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { isMerchantMode } from '#contract/access.ts'
import type { Instant } from '#contract/jst.ts'
import { isDisputeStatus, type Dispute } from '#payment/dispute.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Row, Sql, SqlValue, Write } from '../engine/database.ts'
import { integer, integerOrNull, json, oneOf, text, textOrNull } from '../engine/columns.ts'
import { insertRecords } from '../engine/write.ts'

const storedMovements = Compile(
  Type.Array(
    Type.Object({
      kind: Type.Enum(['chargeback', 'chargeback_reversal']),
      movementId: Type.String(),
      amountYen: Type.Integer(),
      movedAt: Type.Integer(),
    }),
  ),
)

const COLUMNS = `merchant_id, checkout_id, dispute_id, mode, order_code, status, amount_yen, reason, respond_by, opened_at,
  asked_at, movements`

const fromRow = (row: Row): Dispute => ({
  merchantId: text(row, 'merchant_id'),
  checkoutId: text(row, 'checkout_id'),
  disputeId: text(row, 'dispute_id'),
  mode: oneOf(row, 'mode', isMerchantMode),
  orderCode: text(row, 'order_code'),
  status: oneOf(row, 'status', isDisputeStatus),
  amountYen: integer(row, 'amount_yen'),
  reason: textOrNull(row, 'reason'),
  respondBy: integerOrNull(row, 'respond_by'),
  openedAt: integer(row, 'opened_at'),
  askedAt: integer(row, 'asked_at'),
  movements: json(row, 'movements', storedMovements),
})

const byOpening = (one: Dispute, other: Dispute): number => {
  if (one.openedAt !== other.openedAt) return one.openedAt - other.openedAt
  return one.disputeId < other.disputeId ? -1 : 1
}

export const disputesOfCheckout = async (sql: Sql, { merchantId, checkoutId }: CheckoutRef): Promise<Dispute[]> => {
  const rows = await sql.rows(
    `SELECT ${COLUMNS} FROM disputes WHERE merchant_id = $1 AND checkout_id = $2`,
    merchantId,
    checkoutId,
  )
  return rows.map(fromRow).toSorted(byOpening)
}

/** When the oldest of all merchants was opened, since then, that is not over; null: all are. */
export const oldestDisputeNotOver = async (sql: Sql, since: Instant): Promise<Instant | null> => {
  const [row] = await sql.rows(
    `SELECT opened_at FROM disputes WHERE status IN ('inquiry', 'open') AND opened_at >= $1 ORDER BY opened_at LIMIT 1`,
    since,
  )
  return row === undefined ? null : integer(row, 'opened_at')
}

const recordOf = (dispute: Dispute): Record<string, SqlValue> => ({
  merchant_id: dispute.merchantId,
  checkout_id: dispute.checkoutId,
  dispute_id: dispute.disputeId,
  mode: dispute.mode,
  order_code: dispute.orderCode,
  status: dispute.status,
  amount_yen: dispute.amountYen,
  reason: dispute.reason,
  respond_by: dispute.respondBy,
  opened_at: dispute.openedAt,
  asked_at: dispute.askedAt,
  movements: JSON.stringify(
    dispute.movements.map(({ kind, movementId, amountYen, movedAt }) => ({ kind, movementId, amountYen, movedAt })),
  ),
})

/** Stores new disputes and what has changed in known ones. */
export const disputesWrite = (disputes: readonly Dispute[]): Write[] =>
  insertRecords(
    'disputes',
    disputes.map(recordOf),
    `ON CONFLICT (merchant_id, checkout_id, dispute_id) DO UPDATE SET status = excluded.status,
       amount_yen = excluded.amount_yen, reason = excluded.reason, respond_by = excluded.respond_by,
       opened_at = excluded.opened_at, asked_at = excluded.asked_at, movements = excluded.movements`,
  )
