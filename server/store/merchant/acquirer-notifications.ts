/** Acquirer notifications: what an acquirer has told about payments, refunds and reports, kept until it is needed. */
import { isMerchantMode } from '#contract/access.ts'
import type { Instant } from '#contract/jst.ts'
import { isMovedYen } from '#payment/acquirer-limits.ts'
import type { KeyScope } from './keys.ts'
import {
  integer,
  integerOrNull,
  oneOf,
  prefixedColumns,
  readEach,
  text,
  textOrNull,
  UnreadableRow,
  wordList,
  type OnUnreadable,
} from '../engine/columns.ts'
import type { Database, Row, Sql } from '../engine/database.ts'
import { insertRecords } from '../engine/write.ts'
import { countUnreadableNotifications, insertSetAside, type NewSetAside } from './set-aside.ts'

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
    const known = first === undefined ? 0 : await countUnreadableNotifications(sql, first.merchantId, SET_ASIDE_MAX)
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

interface DisputeQuery {
  /** When the first notification of a dispute says that it was: from then, before then. */
  readonly openedIn: { readonly from: Instant; readonly to: Instant }
  /** The dispute that the page begins behind. */
  readonly after: { readonly openedAt: Instant; readonly disputeId: string } | null
  readonly limit: number
}

/** All that was told of the disputes of a page, dispute by dispute in the order of their opening. */
export const disputeNotifications = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { openedIn, after, limit }: DisputeQuery,
): Promise<(AcquirerNotification & { readonly openedAt: Instant })[]> => {
  const rows = await sql.rows(
    `SELECT ${prefixedColumns(COLUMNS, 'told', '')}, opened.opened_at FROM (
       SELECT dispute_id, MIN(occurred_at) AS opened_at FROM acquirer_notifications AS first
       WHERE merchant_id = $1 AND mode = $2 AND dispute_id IS NOT NULL AND occurred_at >= $3 AND occurred_at < $4
         AND NOT EXISTS (SELECT 1 FROM acquirer_notifications AS earlier
           WHERE earlier.merchant_id = $1 AND earlier.mode = $2 AND earlier.dispute_id = first.dispute_id
             AND earlier.occurred_at < $3)
       GROUP BY dispute_id
       HAVING MIN(occurred_at) > $5 OR (MIN(occurred_at) = $5 AND dispute_id > $6)
       ORDER BY opened_at, dispute_id LIMIT $7) AS opened
     JOIN acquirer_notifications AS told
       ON told.merchant_id = $1 AND told.mode = $2 AND told.dispute_id = opened.dispute_id
     ORDER BY opened.opened_at, opened.dispute_id, told.occurred_at, told.id`,
    merchantId,
    mode,
    openedIn.from,
    openedIn.to,
    after?.openedAt ?? -1,
    after?.disputeId ?? '',
    limit,
  )
  // One that cannot be read was set aside when it came: it must not keep the other disputes of its account from being read.
  return readEach(
    rows,
    (row) => ({ ...fromRow(row), openedAt: integer(row, 'opened_at') }),
    () => undefined,
  )
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

/** Those of these events about which something is to be done, the oldest first, of all merchants. */
export const findUnhandledNotifications = async (
  sql: Sql,
  events: readonly string[],
  limit: number,
  onUnreadable?: OnUnreadable,
): Promise<AcquirerNotification[]> => {
  const rows = await sql.rows(
    `SELECT ${COLUMNS} FROM acquirer_notifications WHERE handled_at IS NULL AND event IN (${wordList(events)})
     ORDER BY received_at, merchant_id, id LIMIT $1`,
    limit,
  )
  return readEach(rows, fromRow, onUnreadable)
}

export const markHandled = async (
  sql: Sql,
  { merchantId, mode, id }: Pick<AcquirerNotification, 'merchantId' | 'mode' | 'id'>,
  now: Instant,
): Promise<void> => {
  await sql.rows(
    'UPDATE acquirer_notifications SET handled_at = $4 WHERE merchant_id = $1 AND mode = $2 AND id = $3 AND handled_at IS NULL',
    merchantId,
    mode,
    id,
    now,
  )
}
