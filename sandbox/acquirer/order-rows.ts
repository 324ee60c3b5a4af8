/** Order rows: orders and refunds of the acquirer as types, and how they are read from its database. */
import type { SQLOutputValue } from 'node:sqlite'
import { BRANDS, type Brand } from '../cards/cards.ts'
import { DECLINE_REASONS, type DeclineReason } from '../cards/scenarios.ts'

/** Charge as it is stored: the card by brand, last four digits and keyed fingerprint, never by number. */
export interface ChargeDetails {
  readonly orderId: string
  readonly amountYen: number
  readonly card: { readonly brand: Brand; readonly lastFour: string; readonly fingerprint: string }
}

export type ChargeOutcome =
  | { readonly status: 'pending'; readonly dueAt: number }
  | { readonly status: 'charged'; readonly transactionId: string; readonly approvedAt: number }
  | { readonly status: 'declined'; readonly reason: DeclineReason; readonly declinedAt: number }

interface OrderKey {
  readonly sequence: number
  readonly orderId: string
}

export type Order = OrderKey &
  ({ readonly status: 'void' } | ({ readonly details: ChargeDetails; readonly refundedYen: number } & ChargeOutcome))

/** Final refusals: a refund id that was refused for one of these stays refused. */
const REFUND_REFUSALS = ['order_not_charged', 'refund_exceeds_charge'] as const
export type RefundRefusal = (typeof REFUND_REFUSALS)[number]

export interface Refund {
  readonly orderId: string
  readonly refundId: string
  readonly amountYen: number
  readonly refundedAt: number
}

export const SCHEMA = `
  create table if not exists orders (
    sequence integer primary key autoincrement,
    order_id text not null unique,
    status text not null check (status in ('pending', 'charged', 'declined', 'void')),
    amount_yen integer,
    brand text,
    last_four text,
    fingerprint text,
    due_at integer,
    transaction_id text unique,
    approved_at integer,
    reason text,
    declined_at integer
  ) strict;
  create index if not exists orders_due on orders (due_at) where status = 'pending';
  create table if not exists queued_charges (
    position integer primary key autoincrement,
    order_id text not null,
    amount_yen integer not null,
    brand text not null,
    last_four text not null,
    fingerprint text not null,
    due_at integer not null
  ) strict;
  create table if not exists refunds (
    position integer primary key autoincrement,
    order_id text not null references orders (order_id),
    refund_id text not null,
    amount_yen integer not null,
    refunded_at integer not null,
    unique (order_id, refund_id)
  ) strict;
  create table if not exists refused_refunds (
    order_id text not null references orders (order_id),
    refund_id text not null,
    reason text not null,
    primary key (order_id, refund_id)
  ) strict;
`

type Row = Record<string, SQLOutputValue>

export const textColumn = (row: Row, column: string): string => {
  const value = row[column]
  if (typeof value !== 'string') throw new Error(`column ${column} holds no text`)
  return value
}

export const integerColumn = (row: Row, column: string): number => {
  const value = row[column]
  if (typeof value !== 'number') throw new Error(`column ${column} holds no number`)
  return value
}

export const enumColumn = <Value extends string>(row: Row, column: string, values: readonly Value[]): Value => {
  const text = textColumn(row, column)
  const found = values.find((known) => known === text)
  if (found === undefined) throw new Error(`column ${column} holds an unknown word`)
  return found
}

const ORDER_STATUSES = ['pending', 'charged', 'declined', 'void'] as const

export const readChargeDetails = (row: Row): ChargeDetails => ({
  orderId: textColumn(row, 'order_id'),
  amountYen: integerColumn(row, 'amount_yen'),
  card: {
    brand: enumColumn(row, 'brand', BRANDS),
    lastFour: textColumn(row, 'last_four'),
    fingerprint: textColumn(row, 'fingerprint'),
  },
})

const outcomeReaders: Record<ChargeOutcome['status'], (row: Row) => ChargeOutcome> = {
  pending: (row) => ({ status: 'pending', dueAt: integerColumn(row, 'due_at') }),
  charged: (row) => ({
    status: 'charged',
    transactionId: textColumn(row, 'transaction_id'),
    approvedAt: integerColumn(row, 'approved_at'),
  }),
  declined: (row) => ({
    status: 'declined',
    reason: enumColumn(row, 'reason', DECLINE_REASONS),
    declinedAt: integerColumn(row, 'declined_at'),
  }),
}

export const readOrder = (row: Row): Order => {
  const key = { sequence: integerColumn(row, 'sequence'), orderId: textColumn(row, 'order_id') }
  const status = enumColumn(row, 'status', ORDER_STATUSES)
  if (status === 'void') return { ...key, status }
  const refundedYen = integerColumn(row, 'refunded_yen')
  return { ...key, details: readChargeDetails(row), refundedYen, ...outcomeReaders[status](row) }
}

export const readRefund = (row: Row): Refund => ({
  orderId: textColumn(row, 'order_id'),
  refundId: textColumn(row, 'refund_id'),
  amountYen: integerColumn(row, 'amount_yen'),
  refundedAt: integerColumn(row, 'refunded_at'),
})

export const readRefundRefusal = (row: Row): RefundRefusal => enumColumn(row, 'reason', REFUND_REFUSALS)
