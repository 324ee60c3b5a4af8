/** Events in the database, written in the transaction of what they tell of. */
import { Compile } from 'typebox/compile'
import { EventData, isEventType, type EventType } from '#contract/merchant/events.ts'
import type { Instant } from '#contract/jst.ts'
import { isMerchantMode, type MerchantMode } from '#contract/access.ts'
import { eventData, type CheckoutEvent, type CheckoutWhole } from '#payment/events.ts'
import { hashedId } from '../../ids.ts'
import { BATCH_ROWS, changeBatch, type Batch } from '../engine/change-in-batches.ts'
import type { Row, Sql, SqlValue, Write } from '../engine/database.ts'
import { integer, json, oneOf, text } from '../engine/columns.ts'
import { padToFixedSizes, insertRows, valueRows } from '../engine/write.ts'

export interface StoredEvent {
  readonly merchantId: string
  readonly id: string
  readonly mode: MerchantMode
  readonly type: EventType
  readonly sequence: number
  readonly data: EventData
  readonly createdAt: Instant
}

const COLUMNS = ['merchant_id', 'id', 'mode', 'type', 'checkout_id', 'sequence', 'data', 'created_at', 'fanned_out_at']

const storedData = Compile(EventData)

export const eventFromRow = (row: Row): StoredEvent => ({
  merchantId: text(row, 'merchant_id'),
  id: text(row, 'id'),
  mode: oneOf(row, 'mode', isMerchantMode),
  type: oneOf(row, 'type', isEventType),
  sequence: integer(row, 'sequence'),
  data: json(row, 'data', storedData),
  createdAt: integer(row, 'created_at'),
})

/** Several at once, in no order. */
export const readEvents = async (
  sql: Sql,
  refs: readonly Pick<StoredEvent, 'merchantId' | 'id'>[],
): Promise<StoredEvent[]> => {
  const named = padToFixedSizes(refs.map(({ merchantId, id }) => [merchantId, id]))
  if (named.length === 0) return []
  const rows = await sql.rows(
    `SELECT events.* FROM (VALUES ${valueRows(named)}) AS named CROSS JOIN events
     WHERE merchant_id = named.column1 AND id = named.column2`,
    ...named.flat(),
  )
  return rows.map(eventFromRow)
}

/** No dots: the receiver's library signs id, time and body with dots between them. */
const eventId = (unique: string): string => `evt_${unique}`

/** What the events of one transition are about, under the lock of their checkout. */
export interface EventContext {
  readonly stands: CheckoutWhole
  /** How many events this checkout has already. */
  readonly count: number
  readonly origin: string
  readonly now: Instant
}

const rowOf = (event: CheckoutEvent, place: number, { stands, count, origin, now }: EventContext): SqlValue[] => {
  const { merchantId, id: checkoutId, mode } = stands.checkout
  const sequence = count + place + 1
  return [
    merchantId,
    // With the time: a database that was put back to a backup may tell of something else under the same sequence.
    eventId(hashedId(merchantId, checkoutId, String(sequence), String(now))),
    mode,
    event.type,
    checkoutId,
    sequence,
    JSON.stringify(eventData(stands, event, origin)),
    now,
    null,
  ]
}

/** The events of a checkout behind those that it has. Whoever writes them also stores how many there are now. */
export const eventsWrite = (events: readonly CheckoutEvent[], context: EventContext): Write[] =>
  insertRows(
    'events',
    COLUMNS,
    events.map((event, place) => rowOf(event, place, context)),
  )

/** The next ones that are forgotten: from before $1, told, or wanted by nobody. */
const OLD_EVENTS: Batch = {
  table: 'events',
  key: ['merchant_id', 'id'],
  where: 'fanned_out_at IS NOT NULL AND created_at < $1',
  order: 'created_at',
  change: 'DELETE',
}
const OLDEST = `FROM events WHERE ${OLD_EVENTS.where} ORDER BY ${OLD_EVENTS.order} LIMIT $2`

/** In one order: two workers would else wait for each other. */
const NOTE_NEWEST = `INSERT INTO forgotten_events (merchant_id, mode, event_id, listed_at)
  SELECT merchant_id, mode, id, fanned_out_at FROM (
    SELECT merchant_id, mode, id, fanned_out_at,
      row_number() OVER (PARTITION BY merchant_id, mode ORDER BY fanned_out_at DESC) AS place
    FROM (SELECT merchant_id, mode, id, sequence, fanned_out_at ${OLDEST}) AS forgotten WHERE sequence > 0
  ) AS ranked WHERE place = 1 ORDER BY merchant_id, mode
  ON CONFLICT (merchant_id, mode) DO UPDATE SET event_id = excluded.event_id, listed_at = excluded.listed_at
  WHERE excluded.listed_at > forgotten_events.listed_at`

/**
 * Events from before this time that were told, or that nobody wanted. True when there may be more of them. The newest of
 * each merchant and mode is noted before it goes: whoever has pulled up to it has missed none.
 */
export const forgetOldEvents = async (sql: Sql, before: Instant): Promise<boolean> => {
  if ((await sql.rows(`SELECT id ${OLDEST}`, before, 1)).length === 0) return false
  await sql.rows(NOTE_NEWEST, before, BATCH_ROWS)
  return changeBatch(sql, OLD_EVENTS, [before])
}

/** A ping is about nothing but itself, and only the endpoint that it was asked for is told. */
export const pingWrite = (
  { merchantId, mode }: Pick<StoredEvent, 'merchantId' | 'mode'>,
  unique: string,
  now: Instant,
): { readonly event: Pick<StoredEvent, 'merchantId' | 'id' | 'sequence' | 'createdAt'>; readonly write: Write[] } => {
  const id = eventId(unique)
  const event = { merchantId, id, sequence: 0, createdAt: now }
  return {
    event,
    write: insertRows('events', COLUMNS, [[merchantId, id, mode, 'webhook.ping', id, 0, '{}', now, now]]),
  }
}
