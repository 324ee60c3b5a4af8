/** Acquirer notifications: what an acquirer has told about payments, refunds and reports, kept until it is needed. */
import { isMerchantMode } from '#contract/access.ts'
import type { Instant } from '#contract/jst.ts'
import { isMovedYen } from '#payment/acquirer-limits.ts'
import type { KeyScope } from './keys.ts'
import {
  integer,
  integerOrNull,
  oneOf,
  readEach,
  text,
  textOrNull,
  UnreadableRow,
  wordList,
} from '../engine/columns.ts'
import type { Database, Row, Sql } from '../engine/database.ts'
import { dueByMerchant } from '../engine/due-by-merchant.ts'
import { insertRecords } from '../engine/write.ts'
import { countSetAsideOf, insertSetAside, type NewSetAside } from './set-aside.ts'

export interface AcquirerNotification extends KeyScope {
  readonly id: string
  readonly event: string
  readonly success: boolean
  /** An order code, or the beginning of one; null: it names no order of ours. */
  readonly orderCode: string | null
  readonly refundId: string | null
  readonly amountYen: number | null
  readonly originalReference: string | null
  readonly pspReference: string
  /** The acquirer's id of the dispute that it is about; null: about none. */
  readonly disputeId: string | null
  readonly respondBy: Instant | null
  readonly reason: string | null
  readonly reportAddress: string | null
  readonly occurredAt: Instant
  readonly receivedAt: Instant
  readonly handledAt: Instant | null
}

const COLUMNS = `merchant_id, mode, id, event, success, order_code, refund_id, amount_yen, original_reference, psp_reference,
  dispute_id, respond_by, reason, report_address, occurred_at, received_at, handled_at`

/** A server of the release before stores whatever was said. */
const amountIn = (row: Row): number | null => {
  const amount = integerOrNull(row, 'amount_yen')
  if (amount !== null && !isMovedYen(amount)) throw new UnreadableRow('column amount_yen holds no amount of yen')
  return amount
}

const fromRow = (row: Row): AcquirerNotification => ({
  merchantId: text(row, 'merchant_id'),
  mode: oneOf(row, 'mode', isMerchantMode),
  id: text(row, 'id'),
  event: text(row, 'event'),
  success: integer(row, 'success') === 1,
  orderCode: textOrNull(row, 'order_code'),
  refundId: textOrNull(row, 'refund_id'),
  amountYen: amountIn(row),
  originalReference: textOrNull(row, 'original_reference'),
  pspReference: text(row, 'psp_reference'),
  disputeId: textOrNull(row, 'dispute_id'),
  respondBy: integerOrNull(row, 'respond_by'),
  reason: textOrNull(row, 'reason'),
  reportAddress: textOrNull(row, 'report_address'),
  occurredAt: integer(row, 'occurred_at'),
  receivedAt: integer(row, 'received_at'),
  handledAt: integerOrNull(row, 'handled_at'),
})

const recordOf = (notification: AcquirerNotification) => ({
  merchant_id: notification.merchantId,
  mode: notification.mode,
  id: notification.id,
  event: notification.event,
  success: notification.success ? 1 : 0,
  order_code: notification.orderCode,
  refund_id: notification.refundId,
  amount_yen: notification.amountYen,
  original_reference: notification.originalReference,
  psp_reference: notification.pspReference,
  dispute_id: notification.disputeId,
  respond_by: notification.respondBy,
  reason: notification.reason,
  report_address: notification.reportAddress,
  occurred_at: notification.occurredAt,
  received_at: notification.receivedAt,
  handled_at: notification.handledAt,
})

/** The most rows of one statement: a statement for each number of rows is kept, and the number of its values is limited. */
const ROWS_AT_ONCE = 50

/** One that is stored already stays as it is. */
export const storeReadable = async (sql: Sql, notifications: readonly AcquirerNotification[]): Promise<void> => {
  // In one order: two requests with the same notifications would otherwise wait for each other.
  const sorted = notifications.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  for (let from = 0; from < sorted.length; from += ROWS_AT_ONCE) {
    const records = sorted.slice(from, from + ROWS_AT_ONCE).map(recordOf)
    await sql.writeAll(
      insertRecords('acquirer_notifications', records, 'ON CONFLICT (merchant_id, mode, id) DO NOTHING'),
    )
  }
}

/** More of one merchant wait for an operator only where its acquirer, or whoever knows its key, sends nothing else. */
const SET_ASIDE_MAX = 1000

/**
 * Stores all of one request or none. Answers which of the unreadable ones are new; null:
 * so many of this merchant are set aside that nothing was stored.
 */
export const storeNotifications = (
  database: Database,
  notifications: readonly AcquirerNotification[],
  unreadable: readonly NewSetAside[] = [],
  now: Instant = 0,
): Promise<readonly NewSetAside[] | null> =>
  database.transact(async (sql) => {
    const [first] = unreadable
    const known =
      first === undefined
        ? 0
        : await countSetAsideOf(sql, { merchantId: first.merchantId, queue: 'notifications' }, SET_ASIDE_MAX)
    if (first !== undefined && known + unreadable.length > SET_ASIDE_MAX) return null
    await storeReadable(sql, notifications)
    const fresh: NewSetAside[] = []
    for (const each of unreadable.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
      if (await insertSetAside(sql, each, now)) fresh.push(each)
    return fresh
  })

/** What was told about a payment, by the acquirer's id of it, of these events: constant words of ours. */
export const notificationsOfPayment = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  originalReference: string,
  events: readonly string[],
): Promise<AcquirerNotification[]> => {
  const rows = await sql.rows(
    `SELECT ${COLUMNS} FROM acquirer_notifications
     WHERE merchant_id = $1 AND mode = $2 AND original_reference = $3 AND event IN (${wordList(events)})
     ORDER BY received_at, id`,
    merchantId,
    mode,
    originalReference,
  )
  return rows.map(fromRow)
}

/** Whether any has ever arrived for this merchant and mode. */
export const hasNotifications = async (sql: Sql, { merchantId, mode }: KeyScope): Promise<boolean> => {
  const rows = await sql.rows(
    'SELECT id FROM acquirer_notifications WHERE merchant_id = $1 AND mode = $2 LIMIT 1',
    merchantId,
    mode,
  )
  return rows.length > 0
}

/** Years of daily reports. */
const REPORTS_MAX = 1000

/** Reports that were told of from this moment on, the oldest first. */
export const reportNotifications = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  from: Instant,
): Promise<AcquirerNotification[]> => {
  const rows = await sql.rows(
    `SELECT ${COLUMNS} FROM acquirer_notifications
     WHERE merchant_id = $1 AND mode = $2 AND event = 'REPORT_AVAILABLE' AND occurred_at >= $3
     ORDER BY occurred_at, id LIMIT ${REPORTS_MAX}`,
    merchantId,
    mode,
    from,
  )
  return rows.map(fromRow)
}

/** Ids of disputes behind one, in their order, each with the time of the first notification of it. */
export const disputeIds = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  after: string,
  limit: number,
): Promise<{ readonly disputeId: string; readonly openedAt: Instant }[]> => {
  const first = (column: string, where: string): string =>
    `(SELECT t.${column} FROM acquirer_notifications AS t WHERE t.merchant_id = $1 AND t.mode = $2
      AND t.dispute_id IS NOT NULL AND ${where} ORDER BY t.dispute_id, t.occurred_at LIMIT 1)`
  // From each dispute to the next one: grouped, all notifications of the account were read again for each page.
  const rows = await sql.rows(
    `WITH RECURSIVE walked (dispute_id, place) AS (
       SELECT ${first('dispute_id', 't.dispute_id > $3')}, 1
       UNION ALL
       SELECT ${first('dispute_id', 't.dispute_id > walked.dispute_id')}, place + 1
       FROM walked WHERE dispute_id IS NOT NULL AND place < $4)
     SELECT dispute_id, ${first('occurred_at', 't.dispute_id = walked.dispute_id')} AS opened_at FROM walked
     WHERE dispute_id IS NOT NULL ORDER BY dispute_id`,
    merchantId,
    mode,
    after,
    limit,
  )
  return rows.map((row) => ({ disputeId: text(row, 'dispute_id'), openedAt: integer(row, 'opened_at') }))
}

/** What was told of one dispute, the oldest first, up to a number. */
export const notificationsOfDispute = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  disputeId: string,
  limit: number,
): Promise<AcquirerNotification[]> => {
  const rows = await sql.rows(
    `SELECT ${COLUMNS} FROM acquirer_notifications WHERE merchant_id = $1 AND mode = $2 AND dispute_id = $3
     ORDER BY occurred_at, id LIMIT $4`,
    merchantId,
    mode,
    disputeId,
    limit,
  )
  // One that cannot be read is set aside by itself.
  return readEach(rows, fromRow, () => undefined)
}

/** Of several kinds of reports, all of which Adyen tells of by the same event. */
const REPORTS_BEFORE_MAX = 20

/** The last reports that were told of before this moment, the newest first. */
export const reportNotificationsBefore = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  before: Instant,
): Promise<AcquirerNotification[]> => {
  const rows = await sql.rows(
    `SELECT ${COLUMNS} FROM acquirer_notifications
     WHERE merchant_id = $1 AND mode = $2 AND event = 'REPORT_AVAILABLE' AND occurred_at < $3
     ORDER BY occurred_at DESC, id DESC LIMIT ${REPORTS_BEFORE_MAX}`,
    merchantId,
    mode,
    before,
  )
  return rows.map(fromRow)
}

/** By its key; `mode` as it stands in the row. */
export interface NotificationRef {
  readonly merchantId: string
  readonly mode: string
  readonly id: string
}

const unhandled = (events: readonly string[]): string =>
  dueByMerchant(
    [
      {
        name: 'notifications',
        table: 'acquirer_notifications',
        waits: 'handled_at IS NULL',
        isDue: `event IN (${wordList(events)})`,
        order: ['received_at', 'mode', 'id'],
      },
    ],
    ['mode', 'id'],
    '$1',
  )

/** Those of these events about which something is to be done. */
export const findUnhandledNotifications = async (
  sql: Sql,
  events: readonly string[],
  limit: number,
): Promise<NotificationRef[]> =>
  (await sql.rows(unhandled(events), limit)).map((row) => ({
    merchantId: text(row, 'merchant_id'),
    mode: text(row, 'mode'),
    id: text(row, 'id'),
  }))

/** Null: there is none, or it is handled. */
export const findUnhandledNotification = async (
  sql: Sql,
  { merchantId, mode, id }: NotificationRef,
): Promise<AcquirerNotification | null> => {
  const [row] = await sql.rows(
    `SELECT ${COLUMNS} FROM acquirer_notifications WHERE merchant_id = $1 AND mode = $2 AND id = $3 AND handled_at IS NULL`,
    merchantId,
    mode,
    id,
  )
  return row === undefined ? null : fromRow(row)
}

export const markHandled = async (sql: Sql, { merchantId, mode, id }: NotificationRef, now: Instant): Promise<void> => {
  await sql.rows(
    'UPDATE acquirer_notifications SET handled_at = $4 WHERE merchant_id = $1 AND mode = $2 AND id = $3 AND handled_at IS NULL',
    merchantId,
    mode,
    id,
    now,
  )
}
