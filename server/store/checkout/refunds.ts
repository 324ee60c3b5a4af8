/** Refunds: their rows are read, inserted and updated here. */
import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { MerchantMode } from '#contract/access.ts'
import type { Refund, RefundState } from '#payment/refund.ts'
import type { CheckoutRef } from '#payment/references.ts'
import { storedTaxes } from './checkouts.ts'
import type { Row, Sql, SqlValue, Write } from '../engine/database.ts'
import { integer, json, jsonOrNull, text } from '../engine/columns.ts'
import { insertRecords, jsonText } from '../engine/write.ts'

/** The whole state as JSON. The columns `state` and `due_at` repeat the parts that queries need. */
const StoredState = Type.Union([
  Type.Object({ name: Type.Literal('requested'), leaseUntil: Type.Integer() }),
  Type.Object({
    name: Type.Literal('unknown'),
    why: Type.String(),
    since: Type.Integer(),
    inquiries: Type.Integer(),
    nextInquiryAt: Type.Integer(),
  }),
  Type.Object({ name: Type.Literal('refunded'), refundedAt: Type.Integer() }),
  Type.Object({ name: Type.Literal('refused'), reason: Type.String() }),
])

const storedState = Compile(StoredState)

const dueAt = (state: RefundState): number | null => {
  if (state.name === 'requested') return state.leaseUntil
  return state.name === 'unknown' ? state.nextInquiryAt : null
}

/** With `refundFromRow` it keeps schema and union equal: a state that only one of them has does not compile. */
const asStored = (state: RefundState): Static<typeof StoredState> => state

export const REFUND_COLUMNS =
  'merchant_id, checkout_id, refund_id, order_code, amount_yen, taxes, requested_at, details'

export const refundFromRow = (row: Row): Refund => ({
  merchantId: text(row, 'merchant_id'),
  checkoutId: text(row, 'checkout_id'),
  refundId: text(row, 'refund_id'),
  orderCode: text(row, 'order_code'),
  amountYen: integer(row, 'amount_yen'),
  taxes: jsonOrNull(row, 'taxes', storedTaxes),
  requestedAt: integer(row, 'requested_at'),
  state: json(row, 'details', storedState),
})

const byRequest = (one: Refund, other: Refund): number => {
  if (one.requestedAt !== other.requestedAt) return one.requestedAt - other.requestedAt
  return one.refundId < other.refundId ? -1 : 1
}

export const refundsOfCheckout = async (sql: Sql, { merchantId, checkoutId }: CheckoutRef): Promise<Refund[]> => {
  const rows = await sql.rows(
    `SELECT ${REFUND_COLUMNS} FROM refunds WHERE merchant_id = $1 AND checkout_id = $2`,
    merchantId,
    checkoutId,
  )
  // Not sorted by the database: refund ids are free text, and PostgreSQL sorts text by its locale.
  return rows.map(refundFromRow).toSorted(byRequest)
}

const recordOf = (refund: Refund, mode: MerchantMode): Record<string, SqlValue> => ({
  merchant_id: refund.merchantId,
  checkout_id: refund.checkoutId,
  refund_id: refund.refundId,
  order_code: refund.orderCode,
  amount_yen: refund.amountYen,
  taxes: jsonText(refund.taxes),
  requested_at: refund.requestedAt,
  state: refund.state.name,
  details: JSON.stringify(asStored(refund.state)),
  due_at: dueAt(refund.state),
  mode,
})

/** Stores new refunds and the next states of existing ones. */
export const refundsWrite = (refunds: readonly Refund[], mode: MerchantMode): Write[] =>
  insertRecords(
    'refunds',
    refunds.map((refund) => recordOf(refund, mode)),
    `ON CONFLICT (merchant_id, checkout_id, refund_id)
       DO UPDATE SET state = excluded.state, details = excluded.details, due_at = excluded.due_at`,
  )
