/** Deliveries in the database: which event goes to which endpoint, who tries it now, and what came of each try. */
import type { Instant } from '#contract/jst.ts'
import { DELIVERY_LEASE_MS, DUE_AHEAD_MAX_MS, type AfterTry, type WebhookAnswer } from '#payment/delivery.ts'
import { changeBatch, type Batch } from '../engine/change-in-batches.ts'
import type { Database, Row, Sql, Write } from '../engine/database.ts'
import { integer, text } from '../engine/columns.ts'
import { eventFromRow, type StoredEvent } from './events.ts'
import { endpointFromRow, type EndpointRef, type WebhookEndpoint } from '../merchant/webhook-endpoints.ts'
import { insertRows } from '../engine/write.ts'

const COLUMNS = ['merchant_id', 'endpoint_id', 'event_id', 'sequence', 'state', 'step', 'claim', 'due_at', 'created_at']

/** Asked for once more: from the first try on, whatever became of it before, and whoever may be at it now. */
export const FROM_THE_FIRST_TRY = `ON CONFLICT (merchant_id, endpoint_id, event_id)
  DO UPDATE SET state = 'pending', step = 0, claim = deliveries.claim + 1, due_at = excluded.due_at, ended_at = NULL`

export interface DeliveryRef extends EndpointRef {
  readonly eventId: string
}

/** One event for one endpoint. */
export interface NewDelivery {
  readonly endpointId: string
  readonly event: Pick<StoredEvent, 'merchantId' | 'id' | 'sequence' | 'createdAt'>
}

/** To be tried from now on, the oldest event first: `again` also where it was made before. */
export const deliveriesWrite = (made: readonly NewDelivery[], now: Instant, asked: 'once' | 'again'): Write[] =>
  insertRows(
    'deliveries',
    COLUMNS,
    made.map(({ endpointId, event: { merchantId, id, sequence, createdAt } }) => [
      merchantId,
      endpointId,
      id,
      sequence,
      'pending',
      0,
      0,
      Math.min(createdAt, now),
      now,
    ]),
    asked === 'once' ? 'ON CONFLICT (merchant_id, endpoint_id, event_id) DO NOTHING' : FROM_THE_FIRST_TRY,
  )

/** An endpoint with something that is due. */
export interface DueEndpoint extends EndpointRef {
  readonly isFailing: boolean
}

const NEXT_DUE = `SELECT event_id FROM deliveries WHERE deliveries.merchant_id = webhook_endpoints.merchant_id
  AND deliveries.endpoint_id = webhook_endpoints.id AND deliveries.due_at <= $1
  ORDER BY deliveries.due_at, deliveries.sequence, deliveries.event_id LIMIT 1`

/** Costs one look into an index for each endpoint, however many deliveries wait: a backlog of one hides no other. */
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

const DROP = `UPDATE deliveries SET state = 'dropped', due_at = NULL, ended_at = $4
  WHERE merchant_id = $1 AND endpoint_id = $2 AND event_id = $3`

const NEXT_OF_ENDPOINT = `SELECT event_id FROM deliveries WHERE merchant_id = $1 AND endpoint_id = $2 AND due_at <= $3
  ORDER BY due_at, sequence, event_id LIMIT 1`

const CLAIM = `UPDATE deliveries SET claim = claim + 1, due_at = $4
  WHERE merchant_id = $1 AND endpoint_id = $2 AND due_at <= $3 AND event_id = $5 RETURNING event_id, step, claim`

/**
 * The next delivery that is due at an endpoint, under a lease: a worker that dies leaves it to another one. It is read when
 * the lease is stored: an event that this release cannot read would else be the next one for ever, and hold up all others.
 */
export const claimDelivery = async (
  database: Database,
  { merchantId, endpointId }: EndpointRef,
  now: Instant,
): Promise<ClaimedDelivery | null> => {
  const findNext = (sql: Sql, held: string): Promise<Row[]> =>
    sql.rows(`${NEXT_OF_ENDPOINT} ${held}`, merchantId, endpointId, now)
  // Looked at first: each place of an endpoint ends with nothing due, and a transaction takes the lock of SQLite.
  if ((await findNext(database, '')).length === 0) return null
  const found = await database.transact(async (sql) => {
    const [next] = await findNext(sql, sql.skipLocked)
    if (next === undefined) return null
    const eventId = text(next, 'event_id')
    const [claimed] = await sql.rows(CLAIM, merchantId, endpointId, now, now + DELIVERY_LEASE_MS, eventId)
    const [endpoint] = await sql.rows(
      'SELECT * FROM webhook_endpoints WHERE merchant_id = $1 AND id = $2 AND disabled_at IS NULL',
      merchantId,
      endpointId,
    )
    const [event] = await sql.rows('SELECT * FROM events WHERE merchant_id = $1 AND id = $2', merchantId, eventId)
    // Forgotten, and asked for again at the same moment: it would be due for ever.
    if (event === undefined) await sql.rows(DROP, merchantId, endpointId, eventId, now)
    return claimed === undefined || endpoint === undefined || event === undefined ? null : { claimed, endpoint, event }
  })
  if (found === null) return null
  return {
    endpoint: endpointFromRow(found.endpoint),
    event: eventFromRow(found.event),
    step: integer(found.claimed, 'step'),
    claim: integer(found.claimed, 'claim'),
  }
}

export interface Try extends DeliveryRef {
  readonly claim: number
  readonly at: Instant
  readonly tookMs: number
  readonly answer: WebhookAnswer
}

export const tryWrite = ({ merchantId, endpointId, eventId, claim, at, tookMs, answer }: Try): Write[] =>
  insertRows(
    'delivery_tries',
    ['merchant_id', 'endpoint_id', 'event_id', 'claim', 'at', 'took_ms', 'status', 'problem', 'answer'],
    [
      [
        merchantId,
        endpointId,
        eventId,
        claim,
        at,
        tookMs,
        answer.outcome === 'answered' ? answer.status : null,
        answer.outcome === 'answered' ? null : answer.why,
        answer.outcome === 'answered' ? answer.body : '',
      ],
    ],
  )

/** What became of it; false, and nothing is changed, where it was taken up, dropped or asked for anew since. */
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

const LATE_WAITS: Batch = {
  table: 'deliveries',
  key: ['merchant_id', 'endpoint_id', 'event_id'],
  where: `due_at > $1
    AND (merchant_id, endpoint_id) IN (SELECT merchant_id, id FROM webhook_endpoints WHERE disabled_at IS NULL)`,
  order: 'merchant_id, endpoint_id, due_at',
  change: 'SET due_at = $3',
}

/** A clock that was set back leaves deliveries that wait for years, and leases that never end: they are due now. */
export const endLateWaits = (sql: Sql, now: Instant): Promise<boolean> =>
  changeBatch(sql, LATE_WAITS, [now + DUE_AHEAD_MAX_MS], [now])

/** Which deliveries of an endpoint are tried again: one, unless it was delivered or dropped, or all that failed since a time. */
export type Retried = { readonly eventId: string } | { readonly failedSince: Instant }

/** From the first try on and at once, whoever may be at it now. Answers how many. Under the lock of its endpoint. */
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

const OLD_TRIES: Batch = {
  table: 'delivery_tries',
  key: ['merchant_id', 'endpoint_id', 'event_id', 'claim'],
  where: 'at < $1',
  order: 'at',
  change: 'DELETE',
}

/** They ended so long ago that each of their tries was before that. One that is asked for anew at this moment stays. */
const OLD_DELIVERIES: Batch = {
  table: 'deliveries',
  key: ['merchant_id', 'endpoint_id', 'event_id'],
  where: 'ended_at IS NOT NULL AND ended_at < $1',
  order: 'ended_at',
  change: 'DELETE',
  passesOverHeld: true,
}

/** What was sent, and ended, before this time; the events stay. True when there may be more of it. */
export const forgetOldSendings = async (sql: Sql, before: Instant): Promise<boolean> => {
  const areTriesLeft = await changeBatch(sql, OLD_TRIES, [before])
  return (await changeBatch(sql, OLD_DELIVERIES, [before])) || areTriesLeft
}
