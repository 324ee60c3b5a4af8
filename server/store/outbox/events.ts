/** Events: each is stored in the transaction of the change that it reports. */
import { Compile } from 'typebox/compile'
import { EventData, isEventType, type EventType } from '#contract/merchant/events.ts'
import type { Instant } from '#contract/jst.ts'
import { isMerchantMode, type MerchantMode } from '#contract/access.ts'
import { eventData, type CheckoutEvent, type CheckoutWhole } from '#payment/events.ts'
import { hashedId } from '../../ids.ts'
import { BATCH_ROWS, changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import type { Row, Sql, SqlValue, Write } from '../engine/database.ts'
import { integer, json, oneOf, text } from '../engine/columns.ts'
import { padToFixedSizes, insertRecords, valueRows } from '../engine/write.ts'

export interface StoredEvent {
  readonly merchantId: string
  readonly id: string
  readonly mode: MerchantMode
  readonly type: EventType
  readonly sequence: number
  readonly data: EventData
  readonly createdAt: Instant
}

const storedData = Compile(EventData)

export const EVENT_COLUMNS = 'merchant_id, id, mode, type, sequence, data, created_at'

export const eventFromRow = (row: Row): StoredEvent => ({
  merchantId: text(row, 'merchant_id'),
  id: text(row, 'id'),
  mode: oneOf(row, 'mode', isMerchantMode),
  type: oneOf(row, 'type', isEventType),
  sequence: integer(row, 'sequence'),
  data: json(row, 'data', storedData),
  createdAt: integer(row, 'created_at'),
})

/** Reads several events, in any order. */
export const readEvents = async (
  sql: Sql,
  refs: readonly Pick<StoredEvent, 'merchantId' | 'id'>[],
): Promise<StoredEvent[]> => {
  const named = padToFixedSizes(refs.map(({ merchantId, id }) => [merchantId, id]))
  if (named.length === 0) return []
  const rows = await sql.rows(
    `SELECT ${EVENT_COLUMNS} FROM (VALUES ${valueRows(named)}) AS named CROSS JOIN events
     WHERE merchant_id = named.column1 AND id = named.column2`,
    ...named.flat(),
  )
  return rows.map(eventFromRow)
}

/** Without dots: the signature joins id, time and body by dots. */
const eventId = (unique: string): string => `evt_${unique}`

/** The checkout of some events, under its lock. */
export interface EventContext {
  readonly stands: CheckoutWhole
  /** How many events the checkout has already. */
  readonly count: number
  readonly origin: string
  readonly now: Instant
}

const recordOf = (
  event: CheckoutEvent,
  place: number,
  { stands, count, origin, now }: EventContext,
): Record<string, SqlValue> => {
  const { merchantId, id: checkoutId, mode } = stands.checkout
  const sequence = count + place + 1
  return {
    // The id includes the time: a database restored from a backup may use a sequence number again.
    merchant_id: merchantId,
    id: eventId(hashedId(merchantId, checkoutId, String(sequence), String(now))),
    mode,
    type: event.type,
    checkout_id: checkoutId,
    sequence,
    data: JSON.stringify(eventData(stands, event, origin)),
    created_at: now,
    fanned_out_at: null,
  }
}

/** Adds events to a checkout. The caller also stores the new number of events. */
export const eventsWrite = (events: readonly CheckoutEvent[], context: EventContext): Write[] =>
  insertRecords(
    'events',
    events.map((event, place) => recordOf(event, place, context)),
  )

/** Events from before $1 that were fanned out. */
const OLD_EVENTS: BatchedChange = {
  table: 'events',
  key: ['merchant_id', 'id'],
  where: 'fanned_out_at IS NOT NULL AND created_at < $1',
  order: 'created_at',
  change: 'DELETE',
}
const OLDEST = `FROM events WHERE ${OLD_EVENTS.where} ORDER BY ${OLD_EVENTS.order} LIMIT $2`

/** Sorted: without an order, two workers could end in a deadlock. */
const NOTE_NEWEST = `INSERT INTO forgotten_events (merchant_id, mode, event_id, listed_at)
  SELECT merchant_id, mode, id, fanned_out_at FROM (
    SELECT merchant_id, mode, id, fanned_out_at,
      row_number() OVER (PARTITION BY merchant_id, mode ORDER BY fanned_out_at DESC) AS place
    FROM (SELECT merchant_id, mode, id, sequence, fanned_out_at ${OLDEST}) AS forgotten WHERE sequence > 0 AND fanned_out_at >= 0
  ) AS ranked WHERE place = 1 ORDER BY merchant_id, mode
  ON CONFLICT (merchant_id, mode) DO UPDATE SET event_id = excluded.event_id, listed_at = excluded.listed_at
  WHERE excluded.listed_at > forgotten_events.listed_at`

/**
 * Deletes events from before this time that were fanned out. True when there may be more. The newest deleted one of each
 * merchant and mode is noted: whoever has pulled up to that one has missed none.
 */
export const forgetOldEvents = async (sql: Sql, before: Instant): Promise<boolean> => {
  if ((await sql.rows(`SELECT id ${OLDEST}`, before, 1)).length === 0) return false
  await sql.rows(NOTE_NEWEST, before, BATCH_ROWS)
  return changeNextBatch(sql, OLD_EVENTS, [before])
}

/** A ping reports nothing, and only the endpoint that it was requested for gets it. */
export const pingWrite = (
  { merchantId, mode }: Pick<StoredEvent, 'merchantId' | 'mode'>,
  unique: string,
  now: Instant,
): { readonly event: Pick<StoredEvent, 'merchantId' | 'id' | 'sequence' | 'createdAt'>; readonly write: Write[] } => {
  const id = eventId(unique)
  const event = { merchantId, id, sequence: 0, createdAt: now }
  return {
    event,
    write: insertRecords('events', [
      {
        merchant_id: merchantId,
        id,
        mode,
        type: 'webhook.ping',
        checkout_id: id,
        sequence: 0,
        data: '{}',
        created_at: now,
        fanned_out_at: now,
      },
    ]),
  }
}
