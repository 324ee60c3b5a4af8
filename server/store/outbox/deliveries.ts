/** Webhook deliveries: one event for one endpoint, its lease, its tries and their outcomes. */
import type { Instant } from '#contract/jst.ts'
import { DELIVERY_LEASE_MS, DUE_AHEAD_MAX_MS, type AfterTry, type WebhookAnswer } from '#payment/webhook-retries.ts'
import { changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import type { Database, Row, Sql, Write } from '../engine/database.ts'
import { integer, text, UnreadableRow } from '../engine/columns.ts'
import { EVENT_COLUMNS, eventFromRow, type StoredEvent } from './events.ts'
import {
  ENDPOINT_COLUMNS,
  endpointFromRow,
  type EndpointRef,
  type WebhookEndpoint,
} from '../merchant/webhook-endpoints.ts'
import { insertRecords } from '../engine/write.ts'

/** Starts a delivery again from the first try, whatever its state, and invalidates a running claim. */
export const FROM_THE_FIRST_TRY = `ON CONFLICT (merchant_id, endpoint_id, event_id)
  DO UPDATE SET state = 'pending', step = 0, claim = deliveries.claim + 1, due_at = excluded.due_at, ended_at = NULL`

/** What is under way already, or has ended, stays as it is. */
export const ONCE = 'ON CONFLICT (merchant_id, endpoint_id, event_id) DO NOTHING'

/** One event for one endpoint. */
export interface NewDelivery {
  readonly endpointId: string
  readonly event: Pick<StoredEvent, 'merchantId' | 'id' | 'sequence' | 'createdAt'>
}

/** Stores deliveries that are due now, the oldest event first. `again`: existing ones start from the first try. */
export const deliveriesWrite = (made: readonly NewDelivery[], now: Instant, asked: 'once' | 'again'): Write[] =>
  insertRecords(
    'deliveries',
    made.map(({ endpointId, event: { merchantId, id, sequence, createdAt } }) => ({
      merchant_id: merchantId,
      endpoint_id: endpointId,
      event_id: id,
      sequence,
      state: 'pending',
      step: 0,
      claim: 0,
      due_at: Math.min(createdAt, now),
      created_at: now,
    })),
    asked === 'once' ? ONCE : FROM_THE_FIRST_TRY,
  )

/** An endpoint with a due delivery. */
export interface DueEndpoint extends EndpointRef {
  readonly isFailing: boolean
}

const NEXT_DUE = `SELECT event_id FROM deliveries WHERE deliveries.merchant_id = webhook_endpoints.merchant_id
  AND deliveries.endpoint_id = webhook_endpoints.id AND deliveries.due_at <= $1
  ORDER BY deliveries.due_at, deliveries.sequence, deliveries.event_id LIMIT 1`

/** One index lookup for each endpoint, however many deliveries wait: the backlog of one endpoint does not hide the others. */
export const findDueEndpoints = async (sql: Sql, now: Instant): Promise<DueEndpoint[]> => {
  const rows = await sql.rows(
    `SELECT merchant_id, id, failing_since, (${NEXT_DUE}) AS next FROM webhook_endpoints WHERE disabled_at IS NULL`,
    now,
  )
  return rows
    .filter((row) => row['next'] !== null)
    .map((row) => ({
      merchantId: text(row, 'merchant_id'),
      endpointId: text(row, 'id'),
      isFailing: row['failing_since'] !== null,
    }))
}

/** A delivery that this process tries now. */
export interface ClaimedDelivery {
  readonly endpoint: WebhookEndpoint
  readonly event: StoredEvent
  readonly step: number
  readonly claim: number
}

/** Of an endpoint that cannot be read its deliveries wait: they are tried again when their leases end. */
interface UnreadableDelivery {
  readonly eventId: string
  readonly what: 'endpoint' | 'event'
  readonly unreadable: UnreadableRow
}

type Parsed<T> = { readonly value: T } | { readonly unreadable: UnreadableRow }

const parsed = <T>(read: () => T): Parsed<T> => {
  try {
    return { value: read() }
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error
    return { unreadable: error }
  }
}

const DROP = `UPDATE deliveries SET state = 'dropped', due_at = NULL, ended_at = $4
  WHERE merchant_id = $1 AND endpoint_id = $2 AND event_id = $3`

const NEXT_OF_ENDPOINT = `SELECT event_id FROM deliveries WHERE merchant_id = $1 AND endpoint_id = $2 AND due_at <= $3
  ORDER BY due_at, sequence, event_id LIMIT 1`

const CLAIM = `UPDATE deliveries SET claim = claim + 1, due_at = $4
  WHERE merchant_id = $1 AND endpoint_id = $2 AND due_at <= $3 AND event_id = $5 RETURNING event_id, step, claim`

/**
 * Claims the next due delivery of an endpoint under a lease: if the worker dies, another one takes it. The event is parsed
 * after the lease is stored. Otherwise an event that this release cannot read would stay the next one and block the others.
 */
export const claimDelivery = async (
  database: Database,
  { merchantId, endpointId }: EndpointRef,
  now: Instant,
): Promise<ClaimedDelivery | UnreadableDelivery | null> => {
  const findNext = (sql: Sql, held: string): Promise<Row[]> =>
    sql.rows(`${NEXT_OF_ENDPOINT} ${held}`, merchantId, endpointId, now)
  // Select first: most calls find nothing due, and a transaction takes the write lock of SQLite.
  if ((await findNext(database, '')).length === 0) return null
  const found = await database.transact(async (sql) => {
    const [next] = await findNext(sql, sql.skipLocked)
    if (next === undefined) return null
    const eventId = text(next, 'event_id')
    const [claimed] = await sql.rows(CLAIM, merchantId, endpointId, now, now + DELIVERY_LEASE_MS, eventId)
    const [endpoint] = await sql.rows(
      `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE merchant_id = $1 AND id = $2 AND disabled_at IS NULL`,
      merchantId,
      endpointId,
    )
    const [event] = await sql.rows(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE merchant_id = $1 AND id = $2`,
      merchantId,
      eventId,
    )
    // The event was deleted while its delivery was retried: without this the delivery would be due for ever.
    if (event === undefined) await sql.rows(DROP, merchantId, endpointId, eventId, now)
    return claimed === undefined || endpoint === undefined || event === undefined ? null : { claimed, endpoint, event }
  })
  if (found === null) return null
  const eventId = text(found.claimed, 'event_id')
  const endpoint = parsed(() => endpointFromRow(found.endpoint))
  if ('unreadable' in endpoint) return { eventId, what: 'endpoint', ...endpoint }
  const rest = parsed(() => ({
    event: eventFromRow(found.event),
    step: integer(found.claimed, 'step'),
    claim: integer(found.claimed, 'claim'),
  }))
  return 'unreadable' in rest ? { eventId, what: 'event', ...rest } : { endpoint: endpoint.value, ...rest.value }
}

export interface Try extends EndpointRef {
  readonly eventId: string
  readonly claim: number
  readonly at: Instant
  readonly tookMs: number
  readonly answer: WebhookAnswer
}

export const tryWrite = ({ merchantId, endpointId, eventId, claim, at, tookMs, answer }: Try): Write[] =>
  insertRecords('delivery_tries', [
    {
      merchant_id: merchantId,
      endpoint_id: endpointId,
      event_id: eventId,
      claim,
      at,
      took_ms: tookMs,
      status: answer.outcome === 'answered' ? answer.status : null,
      problem: answer.outcome === 'answered' ? null : answer.why,
      answer: answer.outcome === 'answered' ? answer.body : '',
    },
  ])

/** Stores the outcome of a try. False, and nothing is changed, where the delivery was claimed, dropped or restarted meanwhile. */
export const endTry = async (
  sql: Sql,
  { merchantId, endpointId, eventId, claim }: Try,
  { state, dueAt }: AfterTry['delivery'],
  now: Instant,
): Promise<boolean> => {
  const ended = await sql.rows(
    `UPDATE deliveries SET state = $5, due_at = $6, ended_at = $7, step = step + 1
     WHERE merchant_id = $1 AND endpoint_id = $2 AND event_id = $3 AND claim = $4 RETURNING claim`,
    merchantId,
    endpointId,
    eventId,
    claim,
    state,
    dueAt,
    dueAt === null ? now : null,
  )
  return ended.length === 1
}

const LATE_WAITS: BatchedChange = {
  table: 'deliveries',
  key: ['merchant_id', 'endpoint_id', 'event_id'],
  where: `due_at > $1
    AND (merchant_id, endpoint_id) IN (SELECT merchant_id, id FROM webhook_endpoints WHERE disabled_at IS NULL)`,
  order: 'merchant_id, endpoint_id, due_at',
  change: 'SET due_at = $3',
}

/** After a clock was set back, deliveries would wait and leases would last for years: this makes them due now. */
export const endLateWaits = (sql: Sql, now: Instant): Promise<boolean> =>
  changeNextBatch(sql, LATE_WAITS, [now + DUE_AHEAD_MAX_MS], [now])

/** Which deliveries of an endpoint to retry: one that is pending or failed, or all that failed since a time. */
export type Retried = { readonly eventId: string } | { readonly failedSince: Instant }

/** Due now, from the first try, and any running claim becomes invalid. Returns how many. Call it under the lock of the endpoint. */
export const retryDeliveries = async (
  sql: Sql,
  { merchantId, endpointId }: EndpointRef,
  which: Retried,
): Promise<number> => {
  const [wanted, value] =
    'eventId' in which
      ? ["event_id = $3 AND state IN ('pending', 'failed')", which.eventId]
      : ["state = 'failed' AND ended_at >= $3", which.failedSince]
  const rows = await sql.rows(
    `UPDATE deliveries SET state = 'pending', step = 0, claim = claim + 1, due_at = created_at, ended_at = NULL
     WHERE merchant_id = $1 AND endpoint_id = $2 AND ${wanted} RETURNING event_id`,
    merchantId,
    endpointId,
    value,
  )
  return rows.length
}

const OLD_TRIES: BatchedChange = {
  table: 'delivery_tries',
  key: ['merchant_id', 'endpoint_id', 'event_id', 'claim'],
  where: 'at < $1',
  order: 'at',
  change: 'DELETE',
}

/** All tries of these are older too. One that is being restarted is locked, and stays. */
const OLD_DELIVERIES: BatchedChange = {
  table: 'deliveries',
  key: ['merchant_id', 'endpoint_id', 'event_id'],
  where: 'ended_at IS NOT NULL AND ended_at < $1',
  order: 'ended_at',
  change: 'DELETE',
  skipsLocked: true,
}

/** Deletes deliveries and tries that ended before this time; events stay. True when there may be more. */
export const forgetOldSendings = async (sql: Sql, before: Instant): Promise<boolean> => {
  const areTriesLeft = await changeNextBatch(sql, OLD_TRIES, [before])
  return (await changeNextBatch(sql, OLD_DELIVERIES, [before])) || areTriesLeft
}
