/** Lists of events and of webhook deliveries, the newest first. */
import { isEventType, type EventType } from '#contract/merchant/events.ts'
import type { Instant } from '#contract/jst.ts'
import { isDeliveryState, type DeliveryState } from '#contract/merchant/webhooks.ts'
import type { KeyScope } from '../merchant/keys.ts'
import { integer, integerOrNull, oneOf, text, textOrNull } from '../engine/columns.ts'
import type { Row, Sql } from '../engine/database.ts'
import { EVENT_COLUMNS, eventFromRow, type StoredEvent } from './events.ts'
import { conditions, pageOf, type ListPage, type PageRequest, type Place } from '../engine/list-page.ts'
import type { EndpointRef } from '../merchant/webhook-endpoints.ts'
import { padToFixedSizes } from '../engine/write.ts'

const EVENT_ID = /^evt_[a-z2-7]{32}$/

/** Null for an event of another merchant or mode, and for a ping. */
export const findEvent = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  eventId: string,
): Promise<StoredEvent | null> => {
  if (!EVENT_ID.test(eventId)) return null
  const [row] = await sql.rows(
    `SELECT ${EVENT_COLUMNS} FROM events WHERE merchant_id = $1 AND id = $2 AND mode = $3 AND sequence > 0`,
    merchantId,
    eventId,
    mode,
  )
  return row === undefined ? null : eventFromRow(row)
}

/** The merchant of an event, for the operator. An event id is a hash, unique over all merchants. */
export const findEventOwner = async (sql: Sql, eventId: string): Promise<string | null> => {
  const [row] = await sql.rows(
    'SELECT merchants.id AS id FROM merchants JOIN events ON events.merchant_id = merchants.id AND events.id = $1',
    eventId,
  )
  return row === undefined ? null : text(row, 'id')
}

/**
 * Where a pull continues after an event. `gap`: events after it may have been deleted too. An unknown event and one of another
 * merchant or mode look like one that was deleted long ago.
 */
export interface PullPlace {
  /** Undefined: from the oldest stored event. */
  readonly newerThan: Instant | undefined
  readonly gap: boolean
}

/** Undefined for a text that is no event id, for a ping, and for an event that is not listed yet. */
export const findPullPlace = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  eventId: string,
): Promise<PullPlace | undefined> => {
  if (!EVENT_ID.test(eventId)) return undefined
  const [row] = await sql.rows(
    `SELECT sequence, fanned_out_at FROM events WHERE merchant_id = $1 AND id = $2 AND mode = $3
     UNION ALL SELECT NULL, listed_at FROM forgotten_events WHERE merchant_id = $1 AND event_id = $2 AND mode = $3`,
    merchantId,
    eventId,
    mode,
  )
  if (row === undefined) return { newerThan: undefined, gap: true }
  // Not by its old place: after a clock was set back, newer events may be listed before it.
  if (row['sequence'] === null) return { newerThan: undefined, gap: false }
  const newerThan = integer(row, 'sequence') === 0 ? null : integerOrNull(row, 'fanned_out_at')
  return newerThan === null || newerThan < 0 ? undefined : { newerThan, gap: false }
}

/** By the time at which an event was listed. Both ends are included, `newerThan` is not. */
export interface EventFilters {
  readonly createdFrom?: Instant | undefined
  readonly createdTo?: Instant | undefined
  readonly newerThan?: Instant | undefined
}

/**
 * In the order of fan-out, not of creation: an event whose transaction took longer is committed after later ones, and a reader
 * who has read those would never see it. Pings are in no list.
 */
export const listEvents = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { createdFrom, createdTo, newerThan }: EventFilters,
  { after, limit }: PageRequest,
): Promise<ListPage<StoredEvent>> => {
  const { values, add } = conditions(merchantId, mode)
  const bound = (sign: '>=' | '>' | '<=' | '<', at: Instant | undefined): string[] =>
    at === undefined ? [] : [`fanned_out_at ${sign} ${add(at)}`]
  const wanted = [
    // Below zero: set aside, because it cannot be read.
    'merchant_id = $1 AND mode = $2 AND sequence > 0 AND fanned_out_at IS NOT NULL AND fanned_out_at >= 0',
    ...bound('>=', createdFrom),
    ...bound('>', newerThan),
    ...bound('<=', createdTo),
    ...bound('<', after?.[0]),
  ]
  const rows = await sql.rows(
    `SELECT ${EVENT_COLUMNS}, fanned_out_at FROM events WHERE ${wanted.join(' AND ')} ORDER BY fanned_out_at DESC LIMIT ${add(limit + 1)}`,
    ...values,
  )
  const page = pageOf(rows, limit, {
    read: (row) => ({ event: eventFromRow(row), at: integer(row, 'fanned_out_at') }),
    placeOf: ({ at, event: { id } }) => [at, id],
  })
  return { items: page.items.map(({ event }) => event), after: page.after }
}

export interface ListedTry {
  readonly at: Instant
  readonly tookMs: number
  readonly status: number | null
  readonly problem: string | null
  readonly answer: string
}

export interface ListedDelivery {
  readonly eventId: string
  readonly type: EventType
  readonly state: DeliveryState
  readonly createdAt: Instant
  readonly dueAt: Instant | null
  readonly tries: readonly ListedTry[]
}

const tryFromRow = (row: Row): ListedTry => ({
  at: integer(row, 'at'),
  tookMs: integer(row, 'took_ms'),
  status: integerOrNull(row, 'status'),
  problem: textOrNull(row, 'problem'),
  answer: text(row, 'answer'),
})

/** The tries of these deliveries, the newest first. */
const triesOf = async (
  sql: Sql,
  { merchantId, endpointId }: EndpointRef,
  eventIds: readonly string[],
): Promise<Map<string, ListedTry[]>> => {
  if (eventIds.length === 0) return new Map()
  const named = padToFixedSizes(eventIds)
  const marks = named.map((_id, place) => `$${place + 3}`).join(', ')
  const rows = await sql.rows(
    `SELECT event_id, at, took_ms, status, problem, answer FROM delivery_tries
     WHERE merchant_id = $1 AND endpoint_id = $2 AND event_id IN (${marks}) ORDER BY claim DESC`,
    merchantId,
    endpointId,
    ...named,
  )
  const byEvent = Map.groupBy(rows, (row) => text(row, 'event_id'))
  return new Map([...byEvent].map(([eventId, tries]) => [eventId, tries.map(tryFromRow)]))
}

const FROM_THE_NEWEST: Place = [Number.MAX_SAFE_INTEGER, '']

export const listDeliveries = async (
  sql: Sql,
  endpoint: EndpointRef,
  { after, limit }: PageRequest,
): Promise<ListPage<ListedDelivery>> => {
  const { values, add } = conditions(endpoint.merchantId, endpoint.endpointId)
  // Always a bound: without one PostgreSQL, as long as it has no statistics, reads all deliveries of the endpoint and sorts them.
  const [at, lastEvent = ''] = after ?? FROM_THE_NEWEST
  const older = `AND (deliveries.created_at, deliveries.event_id) < (${add(at)}, ${add(lastEvent)})`
  const rows = await sql.rows(
    `SELECT deliveries.event_id, deliveries.state, deliveries.created_at, deliveries.due_at, events.type FROM deliveries
     JOIN events ON events.merchant_id = deliveries.merchant_id AND events.id = deliveries.event_id
     WHERE deliveries.merchant_id = $1 AND deliveries.endpoint_id = $2 ${older}
     ORDER BY deliveries.created_at DESC, deliveries.event_id DESC LIMIT ${add(limit + 1)}`,
    ...values,
  )
  const tries = await triesOf(
    sql,
    endpoint,
    rows.map((row) => text(row, 'event_id')),
  )
  const listed = rows.map((row): ListedDelivery => {
    const eventId = text(row, 'event_id')
    return {
      eventId,
      type: oneOf(row, 'type', isEventType),
      state: oneOf(row, 'state', isDeliveryState),
      createdAt: integer(row, 'created_at'),
      dueAt: integerOrNull(row, 'due_at'),
      tries: tries.get(eventId) ?? [],
    }
  })
  return pageOf(listed, limit, {
    read: (delivery) => delivery,
    placeOf: ({ createdAt, eventId }) => [createdAt, eventId],
    lengthOf: (delivery) => delivery.tries.reduce((sum, { answer }) => sum + answer.length, 0),
  })
}
