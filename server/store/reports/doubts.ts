/** Doubts: charges and refunds of all merchants whose outcome is unknown. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Instant } from '#contract/jst.ts'
import type { Row, Sql } from '../engine/database.ts'
import { integer, json, text, textOrNull } from '../engine/columns.ts'
import { conditions } from '../engine/list-page.ts'

/** A charge or refund is also in doubt when its lease has ended and no worker has stored that yet. */
export const isDoubtText = (now: string): string => `due_at IS NOT NULL AND (state = 'unknown' OR due_at < ${now})`

export interface ListedDoubt {
  readonly kind: 'charge' | 'refund'
  readonly merchant: string
  readonly checkoutId: string
  readonly orderCode: string
  readonly refundId: string | null
  readonly amountYen: number
  readonly since: Instant
  readonly nextInquiryAt: Instant
  readonly inquiries: number
  readonly why: string
}

const Doubt = Compile(Type.Object({ since: Type.Integer(), inquiries: Type.Integer(), why: Type.String() }))

const NOT_STORED = 'its lease has passed, and nobody has asked yet'
const UNREADABLE = 'its record cannot be read'

/** A row that cannot be read counts from its due time, so that it does not hide all the others. */
export const doubtOf = (row: Row): Pick<ListedDoubt, 'since' | 'inquiries' | 'why'> => {
  const unread = { since: integer(row, 'due_at'), inquiries: 0 }
  if (text(row, 'state') !== 'unknown') return { ...unread, why: NOT_STORED }
  try {
    const { since, inquiries, why } = json(row, 'details', Doubt)
    return { since, inquiries, why }
  } catch {
    return { ...unread, why: UNREADABLE }
  }
}

const fromRow = (row: Row): ListedDoubt => ({
  kind: textOrNull(row, 'refund_id') === null ? 'charge' : 'refund',
  merchant: text(row, 'label'),
  checkoutId: text(row, 'checkout_id'),
  orderCode: text(row, 'order_code'),
  refundId: textOrNull(row, 'refund_id'),
  amountYen: integer(row, 'amount_yen'),
  nextInquiryAt: integer(row, 'due_at'),
  ...doubtOf(row),
})

const doubtsIn = async (
  sql: Sql,
  table: 'attempts' | 'refunds',
  now: Instant,
  most: number | null,
): Promise<ListedDoubt[]> => {
  const refundId = table === 'refunds' ? 'refund_id' : 'NULL AS refund_id'
  const { values, add } = conditions(now)
  const limit = most === null ? '' : `ORDER BY due_at LIMIT ${add(most)}`
  const rows = await sql.rows(
    `SELECT label, checkout_id, order_code, ${refundId}, amount_yen, state, details, due_at
     FROM ${table} JOIN merchants ON merchants.id = ${table}.merchant_id WHERE ${isDoubtText('$1')} ${limit}`,
    ...values,
  )
  return rows.map(fromRow)
}

/** The oldest first. `most`: of charges and of refunds no more than this are read, those that are asked about next. */
export const listDoubts = async (sql: Sql, now: Instant, most: number | null = null): Promise<ListedDoubt[]> =>
  [...(await doubtsIn(sql, 'attempts', now, most)), ...(await doubtsIn(sql, 'refunds', now, most))].toSorted(
    (one, other) => one.since - other.since,
  )
