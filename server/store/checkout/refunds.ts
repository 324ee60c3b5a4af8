/** Refunds in the database. */
import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { MerchantMode } from '#contract/access.ts'
import type { Refund, RefundState } from '#payment/refund.ts'
import type { CheckoutRef } from '#payment/references.ts'
import { storedTaxes } from './checkouts.ts'
import type { Row, Sql, SqlValue, Write } from '../engine/database.ts'
import { integer, json, jsonOrNull, text } from '../engine/columns.ts'
import { insertRows, jsonText } from '../engine/write.ts'

/** The whole state as JSON text; the columns `state` and `due_at` repeat what searches need of it. */
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

/** With `refundFromRow` it holds the schema and the union equal: a state that only one of them knows does not compile. */
const asStored = (state: RefundState): Static<typeof StoredState> => state

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
    'SELECT * FROM refunds WHERE merchant_id = $1 AND checkout_id = $2',
    merchantId,
    checkoutId,
  )
  // Not by the database: a merchant's ids are free text, and PostgreSQL sorts text by the locale it was created with.
  return rows.map(refundFromRow).toSorted(byRequest)
}

const WRITTEN_COLUMNS = [
  'merchant_id',
  'checkout_id',
  'refund_id',
  'order_code',
  'amount_yen',
  'taxes',
  'requested_at',
  'state',
  'details',
  'due_at',
  'mode',
]

const rowOf = (refund: Refund, mode: MerchantMode): SqlValue[] => [
  refund.merchantId,
  refund.checkoutId,
  refund.refundId,
  refund.orderCode,
  refund.amountYen,
  jsonText(refund.taxes),
  refund.requestedAt,
  refund.state.name,
  JSON.stringify(asStored(refund.state)),
  dueAt(refund.state),
  mode,
]

/** Stores refunds as they are now: new ones, and the next states of those that stand. */
export const refundsWrite = (refunds: readonly Refund[], mode: MerchantMode): Write[] =>
  insertRows(
    'refunds',
    WRITTEN_COLUMNS,
    refunds.map((refund) => rowOf(refund, mode)),
    `ON CONFLICT (merchant_id, checkout_id, refund_id)
       DO UPDATE SET state = excluded.state, details = excluded.details, due_at = excluded.due_at`,
  )
