/** Rows of the Adyen double: what is stored, and how a row is read back. No card number is ever in one. */
import type { SQLOutputValue } from 'node:sqlite'
import { AT_CAPTURE_KINDS, type AtCapture } from './card-behaviour.ts'

const PAYMENT_STATUSES = ['queued', 'undecided', 'authorised', 'refused', 'error', 'cancelled'] as const
type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

export interface Payment {
  readonly pspReference: string
  readonly merchantAccount: string
  readonly reference: string
  readonly amountYen: number
  /** Adyen's name of the brand: visa, mc, jcb. */
  readonly paymentMethod: string
  readonly lastFour: string
  readonly authCode: string
  readonly status: PaymentStatus
  readonly refusalReason: string
  readonly isManualCapture: boolean
  readonly atCapture: AtCapture
  readonly createdAt: number
  /** When a queued payment is authorised; null for any other. */
  readonly dueAt: number | null
}

const DISPUTE_KINDS = ['dispute', 'chargeback', 'chargeback_reversed', 'second_chargeback'] as const
/** `dispute`: an event that moves no money. */
export type DisputeKind = (typeof DISPUTE_KINDS)[number]
export const isDisputeKind = (kind: ModificationKind): kind is DisputeKind =>
  DISPUTE_KINDS.some((each) => each === kind)

const MODIFICATION_KINDS = ['capture', 'refund', 'cancel', 'technical_cancel', ...DISPUTE_KINDS] as const
export type ModificationKind = (typeof MODIFICATION_KINDS)[number]

const MODIFICATION_STATUSES = ['received', 'done', 'failed'] as const
type ModificationStatus = (typeof MODIFICATION_STATUSES)[number]

export interface Modification {
  readonly pspReference: string
  readonly paymentPspReference: string
  readonly kind: ModificationKind
  /** The reference of the request; empty where none was sent. Of a dispute, the event. */
  readonly reference: string
  readonly amountYen: number
  readonly status: ModificationStatus
  readonly createdAt: number
  /** When a capture that is only received is processed; null for any other. */
  readonly dueAt: number | null
  /** The settlement report it stands in, and the one that reverses it. */
  readonly batch: number | null
  readonly reversedBatch: number | null
}

export interface Account {
  readonly merchantAccount: string
  readonly webhookUrl: string | null
  readonly hmacKey: string | null
  /** Its notifications say so. */
  readonly isLive: boolean
}

/** Notification: one event, as it is sent until an answer 2xx has come. */
export interface StoredNotification {
  readonly sequence: number
  readonly merchantAccount: string
  readonly item: string
  readonly attempts: number
  /** Null where it was accepted. */
  readonly nextAttemptAt: number | null
}

export interface StoredAnswer {
  readonly requestHash: string
  readonly status: number
  readonly body: string
  readonly createdAt: number
  /** Until then its request is under way. */
  readonly readyAt: number
}

export const SCHEMA = `
  create table if not exists clock (id integer primary key check (id = 1), offset_ms integer not null) strict;
  create table if not exists accounts (
    merchant_account text primary key,
    api_key_hash text not null,
    report_key_hash text not null,
    webhook_url text,
    hmac_key text,
    next_result text
  ) strict;
  create table if not exists live_accounts (merchant_account text primary key) strict;
  create index if not exists accounts_by_api_key on accounts (api_key_hash);
  create table if not exists payments (
    psp_reference text primary key,
    merchant_account text not null,
    reference text not null,
    amount_yen integer not null,
    payment_method text not null,
    last_four text not null,
    auth_code text not null,
    status text not null,
    refusal_reason text not null,
    is_manual_capture integer not null,
    at_capture text not null,
    at_capture_ms integer not null,
    created_at integer not null,
    due_at integer
  ) strict;
  create index if not exists payments_by_reference on payments (reference);
  create index if not exists payments_by_due on payments (due_at) where due_at is not null;
  create table if not exists modifications (
    position integer primary key,
    psp_reference text not null,
    payment_psp_reference text not null,
    kind text not null,
    reference text not null,
    amount_yen integer not null,
    status text not null,
    created_at integer not null,
    due_at integer,
    batch integer,
    reversed_batch integer
  ) strict;
  create index if not exists modifications_by_psp_reference on modifications (psp_reference);
  create index if not exists modifications_by_payment on modifications (payment_psp_reference);
  create index if not exists modifications_by_due on modifications (due_at) where due_at is not null;
  create table if not exists batches (
    merchant_account text not null,
    number integer not null,
    closed_at integer not null,
    primary key (merchant_account, number)
  ) strict;
  create table if not exists answers (
    merchant_account text not null,
    idempotency_key text not null,
    request_hash text not null,
    status integer not null,
    body text not null,
    created_at integer not null,
    ready_at integer not null,
    primary key (merchant_account, idempotency_key)
  ) strict;
  create table if not exists notifications (
    sequence integer primary key autoincrement,
    merchant_account text not null,
    psp_reference text not null,
    item text not null,
    attempts integer not null,
    next_attempt_at integer
  ) strict;
  create index if not exists notifications_by_account on notifications (merchant_account, sequence);
  create index if not exists notifications_by_due on notifications (next_attempt_at) where next_attempt_at is not null;
`

export type Row = Record<string, SQLOutputValue>

const textColumn = (row: Row, column: string): string => {
  const value = row[column]
  if (typeof value !== 'string') throw new Error(`column ${column} holds no text`)
  return value
}

const nullableText = (row: Row, column: string): string | null =>
  row[column] === null ? null : textColumn(row, column)

export const integerColumn = (row: Row, column: string): number => {
  const value = row[column]
  if (typeof value !== 'number') throw new Error(`column ${column} holds no number`)
  return value
}

export const nullableInteger = (row: Row, column: string): number | null =>
  row[column] === null ? null : integerColumn(row, column)

const enumColumn = <Value extends string>(row: Row, column: string, values: readonly Value[]): Value => {
  const text = textColumn(row, column)
  const found = values.find((known) => known === text)
  if (found === undefined) throw new Error(`column ${column} holds an unknown word`)
  return found
}

export const readPayment = (row: Row): Payment => ({
  pspReference: textColumn(row, 'psp_reference'),
  merchantAccount: textColumn(row, 'merchant_account'),
  reference: textColumn(row, 'reference'),
  amountYen: integerColumn(row, 'amount_yen'),
  paymentMethod: textColumn(row, 'payment_method'),
  lastFour: textColumn(row, 'last_four'),
  authCode: textColumn(row, 'auth_code'),
  status: enumColumn(row, 'status', PAYMENT_STATUSES),
  refusalReason: textColumn(row, 'refusal_reason'),
  isManualCapture: integerColumn(row, 'is_manual_capture') === 1,
  atCapture: { kind: enumColumn(row, 'at_capture', AT_CAPTURE_KINDS), ms: integerColumn(row, 'at_capture_ms') },
  createdAt: integerColumn(row, 'created_at'),
  dueAt: nullableInteger(row, 'due_at'),
})

export const readModification = (row: Row): Modification => ({
  pspReference: textColumn(row, 'psp_reference'),
  paymentPspReference: textColumn(row, 'payment_psp_reference'),
  kind: enumColumn(row, 'kind', MODIFICATION_KINDS),
  reference: textColumn(row, 'reference'),
  amountYen: integerColumn(row, 'amount_yen'),
  status: enumColumn(row, 'status', MODIFICATION_STATUSES),
  createdAt: integerColumn(row, 'created_at'),
  dueAt: nullableInteger(row, 'due_at'),
  batch: nullableInteger(row, 'batch'),
  reversedBatch: nullableInteger(row, 'reversed_batch'),
})

export const readAccount = (row: Row): Account => ({
  merchantAccount: textColumn(row, 'merchant_account'),
  webhookUrl: nullableText(row, 'webhook_url'),
  hmacKey: nullableText(row, 'hmac_key'),
  isLive: integerColumn(row, 'is_live') === 1,
})

export const readNotification = (row: Row): StoredNotification => ({
  sequence: integerColumn(row, 'sequence'),
  merchantAccount: textColumn(row, 'merchant_account'),
  item: textColumn(row, 'item'),
  attempts: integerColumn(row, 'attempts'),
  nextAttemptAt: nullableInteger(row, 'next_attempt_at'),
})

export const readAnswer = (row: Row): StoredAnswer => ({
  requestHash: textColumn(row, 'request_hash'),
  status: integerColumn(row, 'status'),
  body: textColumn(row, 'body'),
  createdAt: integerColumn(row, 'created_at'),
  readyAt: integerColumn(row, 'ready_at'),
})
