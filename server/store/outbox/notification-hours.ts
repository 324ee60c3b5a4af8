/** Notification hours in the database: how many mails told a shop one by one, and what is still to be summed up. */
import { startOfJstDay, type Instant } from '#contract/jst.ts'
import { isMerchantMode, type MerchantMode } from '#contract/access.ts'
import { isNotificationTopic, type NotificationTopic } from '#contract/notifications.ts'
import { HOURS_KEPT_MS, lastHourOver, notificationHour } from '#payment/notifications.ts'
import { changeBatch, type Batch } from '../engine/change-in-batches.ts'
import type { Row, Sql } from '../engine/database.ts'
import { integer, oneOf, text } from '../engine/columns.ts'
import { padToFixedSizes, valueRows } from '../engine/write.ts'

/** What one shop is told of one topic, in one mode. */
export interface ToldTopic {
  readonly merchantId: string
  readonly mode: MerchantMode
  readonly topic: NotificationTopic
}

export const nameOfTopic = ({ merchantId, mode, topic }: ToldTopic): string => `${merchantId} ${mode} ${topic}`

/** Mails that told a shop one by one. */
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

/** Of this hour and of this day in Japan, by the name of the topic. Of one that is not there none was told. */
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

/** What is added to the count of this hour. */
export interface AddedToHour extends ToldTopic {
  readonly mails: number
  readonly held: number
  readonly heldYen: number
}

/** Each topic once. */
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

/** An hour of which something is to be summed up. */
export interface HeldHour extends ToldTopic {
  readonly hour: Instant
}

/** Of hours that are over. */
export const findHeldHours = async (sql: Sql, now: Instant, limit: number): Promise<HeldHour[]> => {
  const rows = await sql.rows(
    `SELECT merchant_id, mode, topic, hour FROM notification_hours WHERE held > 0 AND hour <= $1
     ORDER BY hour, merchant_id, mode, topic LIMIT $2`,
    lastHourOver(now),
    limit,
  )
  return rows.map((row) => ({ ...topicFromRow(row), hour: integer(row, 'hour') }))
}

export interface HeldSum {
  readonly count: number
  readonly totalYen: number
}

/** What the hour has held, once: it is taken in the transaction that writes the mail. Null where it is taken already. */
export const takeHeld = async (sql: Sql, { merchantId, mode, hour, topic }: HeldHour): Promise<HeldSum | null> => {
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

const OLD_HOURS: Batch = {
  table: 'notification_hours',
  key: ['merchant_id', 'mode', 'hour', 'topic'],
  where: 'hour < $1',
  order: 'hour',
  change: 'DELETE',
}

/** True when there may be more of them. */
export const forgetOldNotificationHours = (sql: Sql, now: Instant): Promise<boolean> =>
  changeBatch(sql, OLD_HOURS, [now - HOURS_KEPT_MS])
