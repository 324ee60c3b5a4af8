/** Notification hours: how many single mails a shop got in an hour, and how many events wait for the summary mail of that hour. */
import { startOfJstDay, type Instant } from '#contract/jst.ts'
import { isMerchantMode, type MerchantMode } from '#contract/access.ts'
import { isNotificationTopic, type NotificationTopic } from '#contract/notification-settings.ts'
import { HOURS_KEPT_MS, lastHourOver, notificationHour } from '#payment/notification-mails.ts'
import { changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import type { Row, Sql } from '../engine/database.ts'
import { integer, oneOf, readEach, text, type OnUnreadable } from '../engine/columns.ts'
import { padToFixedSizes, valueRows } from '../engine/write.ts'

/** One topic of one shop in one mode. */
export interface ToldTopic {
  readonly merchantId: string
  readonly mode: MerchantMode
  readonly topic: NotificationTopic
}

export const nameOfTopic = ({ merchantId, mode, topic }: ToldTopic): string => `${merchantId} ${mode} ${topic}`

/** Single mails that a shop got. */
export interface MailsTold {
  readonly ofHour: number
  readonly ofDay: number
}

export const NONE_TOLD: MailsTold = { ofHour: 0, ofDay: 0 }

const topicFromRow = (row: Row): ToldTopic => ({
  merchantId: text(row, 'merchant_id'),
  mode: oneOf(row, 'mode', isMerchantMode),
  topic: oneOf(row, 'topic', isNotificationTopic),
})

/** Counts of this hour and this day in Japan, by the name of the topic. A missing topic had no mail. */
export const readMailsTold = async (
  sql: Sql,
  told: readonly Omit<ToldTopic, 'topic'>[],
  now: Instant,
): Promise<ReadonlyMap<string, MailsTold>> => {
  const shops = padToFixedSizes(told.map(({ merchantId, mode }) => [merchantId, mode]))
  const rows = await sql.rows(
    `SELECT DISTINCT merchant_id, mode, topic, hour, mails
     FROM (VALUES ${valueRows(shops, 2)}) AS shops CROSS JOIN notification_hours
     WHERE merchant_id = shops.column1 AND mode = shops.column2 AND hour >= $1`,
    startOfJstDay(now),
    ...shops.flat(),
  )
  const counts = new Map<string, MailsTold>()
  for (const row of rows) {
    const name = nameOfTopic(topicFromRow(row))
    const { ofHour, ofDay } = counts.get(name) ?? NONE_TOLD
    const mails = integer(row, 'mails')
    const isThisHour = integer(row, 'hour') === notificationHour(now)
    counts.set(name, { ofHour: isThisHour ? ofHour + mails : ofHour, ofDay: ofDay + mails })
  }
  return counts
}

/** What is added to the counts of this hour. */
export interface AddedToHour extends ToldTopic {
  readonly mails: number
  readonly held: number
  readonly heldYen: number
}

/** `added` has each topic once. */
export const addToHour = async (sql: Sql, added: readonly AddedToHour[], now: Instant): Promise<void> => {
  const rows = padToFixedSizes(
    added.map(({ merchantId, mode, topic, mails, held, heldYen }) => [merchantId, mode, topic, mails, held, heldYen]),
  )
  await sql.rows(
    `INSERT INTO notification_hours (merchant_id, mode, topic, mails, held, held_yen, hour)
     SELECT DISTINCT column1, column2, column3, CAST(column4 AS BIGINT), CAST(column5 AS BIGINT), CAST(column6 AS BIGINT),
       CAST($1 AS BIGINT)
     FROM (VALUES ${valueRows(rows, 2)}) AS added WHERE column1 IS NOT NULL
     ON CONFLICT (merchant_id, mode, hour, topic) DO UPDATE SET mails = notification_hours.mails + excluded.mails,
       held = notification_hours.held + excluded.held, held_yen = notification_hours.held_yen + excluded.held_yen`,
    notificationHour(now),
    ...rows.flat(),
  )
}

/** An hour with events that wait for a summary mail. */
export interface SummaryHour extends ToldTopic {
  readonly hour: Instant
}

/** Hours that are over and whose summary was not sent yet. */
export const findSummaryHours = async (
  sql: Sql,
  now: Instant,
  limit: number,
  onUnreadable?: OnUnreadable,
): Promise<SummaryHour[]> => {
  const rows = await sql.rows(
    `SELECT merchant_id, mode, topic, hour FROM notification_hours WHERE held > 0 AND hour <= $1
     ORDER BY hour, merchant_id, mode, topic LIMIT $2`,
    lastHourOver(now),
    limit,
  )
  return readEach(rows, (row) => ({ ...topicFromRow(row), hour: integer(row, 'hour') }), onUnreadable)
}

/** Takes the sum of an hour in the transaction that stores the summary mail. Null where another worker has taken it. */
export const takeSummary = async (
  sql: Sql,
  { merchantId, mode, hour, topic }: SummaryHour,
): Promise<{ readonly count: number; readonly totalYen: number } | null> => {
  const key = [merchantId, mode, hour, topic] as const
  const isThisRow = 'merchant_id = $1 AND mode = $2 AND hour = $3 AND topic = $4'
  const [row] = await sql.rows(
    `SELECT held, held_yen FROM notification_hours WHERE ${isThisRow} AND held > 0 ${sql.skipLocked}`,
    ...key,
  )
  if (row === undefined) return null
  await sql.rows(`UPDATE notification_hours SET held = 0, held_yen = 0 WHERE ${isThisRow}`, ...key)
  return { count: integer(row, 'held'), totalYen: integer(row, 'held_yen') }
}

const OLD_HOURS: BatchedChange = {
  table: 'notification_hours',
  key: ['merchant_id', 'mode', 'hour', 'topic'],
  where: 'hour < $1',
  order: 'hour',
  change: 'DELETE',
}

/** Deletes old hours. True when there may be more. */
export const forgetOldNotificationHours = (sql: Sql, now: Instant): Promise<boolean> =>
  changeNextBatch(sql, OLD_HOURS, [now - HOURS_KEPT_MS])
