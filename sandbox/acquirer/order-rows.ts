import type { SQLOutputValue } from 'node:sqlite'
import type { Brand } from '../cards/cards.ts'
import { type DeclineReason, declineReasons } from '../cards/scenarios.ts'

/** What a charge was asked for; the card by brand, last four and keyed fingerprint, never by number. */
export type Terms = {
  orderId: string
  amountYen: number
  card: { brand: Brand; lastFour: string; fingerprint: string }
}

export type Outcome =
  | { status: 'pending'; dueAt: number }
  | { status: 'charged'; transactionId: string; approvedAt: number }
  | { status: 'declined'; reason: DeclineReason; declinedAt: number }

export type Order = { sequence: number; orderId: string } & (
  | { status: 'pending'; terms: Terms; dueAt: number }
  | { status: 'charged'; terms: Terms; transactionId: string; approvedAt: number; refundedYen: number }
  | { status: 'declined'; terms: Terms; reason: DeclineReason; declinedAt: number }
  | { status: 'void' }
)

/** Why a refund is refused for ever under its id. */
const refundRefusals = ['order_not_charged', 'refund_exceeds_charge'] as const
export type RefundRefusal = (typeof refundRefusals)[number]

export type Refund = { orderId: string; refundId: string; amountYen: number; refundedAt: number }

export const schema = `
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

const text = (row: Row, column: string): string => {
  const value = row[column]
  if (typeof value !== 'string') throw new Error(`column ${column} holds no text`)
  return value
}

export const whole = (row: Row, column: string): number => {
  const value = row[column]
  if (typeof value !== 'number') throw new Error(`column ${column} holds no number`)
  return value
}

const oneOf = <Word extends string>(row: Row, column: string, words: readonly Word[]): Word => {
  const value = text(row, column)
  const word = words.find((known) => known === value)
  if (word === undefined) throw new Error(`column ${column} holds an unknown word`)
  return word
}

const brands: readonly Brand[] = ['visa', 'master', 'jcb', 'amex', 'diners', 'discover', 'unknown']
const statuses = ['pending', 'charged', 'declined', 'void'] as const

export const readTerms = (row: Row): Terms => ({
  orderId: text(row, 'order_id'),
  amountYen: whole(row, 'amount_yen'),
  card: {
    brand: oneOf(row, 'brand', brands),
    lastFour: text(row, 'last_four'),
    fingerprint: text(row, 'fingerprint'),
  },
})

type Place = { sequence: number; orderId: string }

const readByStatus: Record<Order['status'], (row: Row, place: Place) => Order> = {
  pending: (row, place) => ({ ...place, status: 'pending', terms: readTerms(row), dueAt: whole(row, 'due_at') }),
  charged: (row, place) => ({
    ...place,
    status: 'charged',
    terms: readTerms(row),
    transactionId: text(row, 'transaction_id'),
    approvedAt: whole(row, 'approved_at'),
    refundedYen: whole(row, 'refunded_yen'),
  }),
  declined: (row, place) => ({
    ...place,
    status: 'declined',
    terms: readTerms(row),
    reason: oneOf(row, 'reason', declineReasons),
    declinedAt: whole(row, 'declined_at'),
  }),
  void: (_row, place) => ({ ...place, status: 'void' }),
}

export const readOrder = (row: Row): Order =>
  readByStatus[oneOf(row, 'status', statuses)](row, {
    sequence: whole(row, 'sequence'),
    orderId: text(row, 'order_id'),
  })

export const readRefund = (row: Row): Refund => ({
  orderId: text(row, 'order_id'),
  refundId: text(row, 'refund_id'),
  amountYen: whole(row, 'amount_yen'),
  refundedAt: whole(row, 'refunded_at'),
})

export const readRefundRefusal = (row: Row): RefundRefusal => oneOf(row, 'reason', refundRefusals)
