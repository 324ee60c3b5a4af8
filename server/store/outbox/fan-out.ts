/** Fan-out in the database: which endpoints and shops are told of an event, and its place in the list, decided after it was committed. */
import type { CheckoutEventType } from '#contract/merchant/events.ts'
import type { Instant } from '#contract/jst.ts'
import { isMerchantMode } from '#contract/access.ts'
import type { KeyScope } from '../merchant/keys.ts'
import { integer, oneOf, text } from '../engine/columns.ts'
import type { Database, Sql, Write } from '../engine/database.ts'
import { deliveriesWrite, FROM_THE_FIRST_TRY, type NewDelivery } from './deliveries.ts'
import { notificationsOf, type FannedOutEvent } from './notifications.ts'
import { endpointsOf, type WebhookEndpoint } from '../merchant/webhook-endpoints.ts'
import { padToFixedSizes } from '../engine/write.ts'

/** With the most endpoints that a merchant may have, all their deliveries are one statement that SQLite still takes. */
export const FANNED_OUT_AT_ONCE = 64

const FEED_LOCK = 'list of events'

const wants = ({ disabled, types }: WebhookEndpoint, type: string): boolean =>
  disabled === null && (types === null || types.some((each) => each === type))

/**
 * The endpoints that are told of events of this type. Held: one that is disabled or removed before the deliveries are stored
 * would keep them waiting for the day it is enabled again, or refuse them together with those of all others.
 */
export const endpointsTold = async (sql: Sql, scope: KeyScope, type: string): Promise<WebhookEndpoint[]> =>
  (await endpointsOf(sql, scope, sql.forShare)).filter((endpoint) => wants(endpoint, type))

/** The place in the list of events that the newest one of a key's mode has; 0 where there is none. */
const lastListed = async (sql: Sql, { merchantId, mode }: KeyScope): Promise<number> => {
  const [row] = await sql.rows(
    `SELECT fanned_out_at FROM events WHERE merchant_id = $1 AND mode = $2 AND sequence > 0 AND fanned_out_at IS NOT NULL
     ORDER BY fanned_out_at DESC LIMIT 1`,
    merchantId,
    mode,
  )
  return row === undefined ? 0 : integer(row, 'fanned_out_at')
}

interface FannedOut {
  readonly merchantId: string
  readonly id: string
  readonly at: Instant
}

/** Each has a time of its own. */
const fannedOutWrite = (events: readonly FannedOut[]): Write => {
  const rows = events.map(
    (_event, place) => `($${3 * place + 1}, $${3 * place + 2}, CAST($${3 * place + 3} AS BIGINT))`,
  )
  return {
    text: `UPDATE events SET fanned_out_at = listed.column3 FROM (VALUES ${rows.join(', ')}) AS listed
      WHERE events.merchant_id = listed.column1 AND events.id = listed.column2`,
    values: events.flatMap(({ merchantId, id, at }) => [merchantId, id, at]),
  }
}

/**
 * Makes a delivery of each event for each endpoint that wants it, and a mail to the shop that wants one, and gives the event
 * its place in the list of events, in one transaction: a crash loses none and doubles none. Any number of workers may do it at once. Answers how many there were.
 */
export const fanOut = async (database: Database, now: Instant): Promise<number> => {
  // Looked at first: the worker asks twice a second, and a transaction takes the lock of SQLite.
  if ((await oldestUnlisted(database)) === null) return 0
  return database.transact(async (sql) => {
    const rows = await sql.rows(
      `SELECT merchant_id, id, mode, type, sequence, created_at FROM events WHERE fanned_out_at IS NULL
       ORDER BY created_at, sequence, id LIMIT $1 ${sql.skipLocked}`,
      FANNED_OUT_AT_ONCE,
    )
    if (rows.length === 0) return 0
    // Until the commit: whoever has read the list must find all that comes later behind what was there.
    await sql.lockNames(FEED_LOCK)
    const scopes = new Map<string, { readonly endpoints: readonly WebhookEndpoint[]; last: Instant }>()
    const made: NewDelivery[] = []
    const done: FannedOut[] = []
    const told: FannedOutEvent[] = []
    for (const row of rows) {
      const event = {
        merchantId: text(row, 'merchant_id'),
        id: text(row, 'id'),
        mode: oneOf(row, 'mode', isMerchantMode),
        sequence: integer(row, 'sequence'),
        createdAt: integer(row, 'created_at'),
      }
      const { merchantId, mode } = event
      const type = text(row, 'type')
      const name = `${merchantId} ${mode}`
      const scope = scopes.get(name) ?? {
        endpoints: await endpointsOf(sql, { merchantId, mode }, sql.forShare),
        last: await lastListed(sql, { merchantId, mode }),
      }
      scopes.set(name, scope)
      scope.last = Math.max(now, scope.last + 1)
      done.push({ merchantId, id: event.id, at: scope.last })
      for (const endpoint of scope.endpoints) if (wants(endpoint, type)) made.push({ endpointId: endpoint.id, event })
      told.push({ ...event, type, hasWebhook: scope.endpoints.some(({ disabled }) => disabled === null) })
    }
    await sql.writeAll([
      ...deliveriesWrite(padToFixedSizes(made), now, 'once'),
      ...(await notificationsOf(sql, told, now)),
      fannedOutWrite(padToFixedSizes(done)),
    ])
    return rows.length
  })
}

/** When the oldest event happened that nobody has fanned out; null: there is none. */
export const oldestUnlisted = async (sql: Sql): Promise<Instant | null> => {
  const [row] = await sql.rows(
    'SELECT created_at FROM events WHERE fanned_out_at IS NULL ORDER BY created_at, sequence, id LIMIT 1',
  )
  return row === undefined ? null : integer(row, 'created_at')
}

/** Behind which event a list goes on, the oldest first. */
export type EventPlace = readonly [createdAt: Instant, id: string]

const OF_SCOPE = 'merchant_id = $1 AND mode = $2 AND sequence > 0 AND (created_at, id) > ($3, $4)'
const REPLAYED_AT_ONCE = 250
/** Behind every event. */
const THE_END: EventPlace = [Number.MAX_SAFE_INTEGER, '']

/**
 * The next events of a key's mode once more to one endpoint, of the types that it takes: how many there were, and behind
 * which one to go on; null: there are no more. Not all in one statement: on SQLite nobody could pay as long as it takes.
 */
export const replayNext = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { id, types }: Pick<WebhookEndpoint, 'id' | 'types'>,
  after: EventPlace,
  now: Instant,
): Promise<{ readonly deliveries: number; readonly next: EventPlace | null }> => {
  const [end] = await sql.rows(
    `SELECT created_at, id FROM events WHERE ${OF_SCOPE} ORDER BY created_at, id LIMIT 1 OFFSET $5`,
    merchantId,
    mode,
    ...after,
    REPLAYED_AT_ONCE - 1,
  )
  const next: EventPlace | null = end === undefined ? null : [integer(end, 'created_at'), text(end, 'id')]
  const known: readonly CheckoutEventType[] = types ?? []
  const chosen = known.map((_type, place) => `$${place + 9}`).join(', ')
  const ofType = known.length === 0 ? '' : `AND type IN (${chosen})`
  const rows = await sql.rows(
    `INSERT INTO deliveries (merchant_id, endpoint_id, event_id, sequence, state, step, claim, due_at, created_at)
     SELECT merchant_id, $7, id, sequence, 'pending', 0, 0, CASE WHEN created_at < $8 THEN created_at ELSE $8 END, $8
     FROM events WHERE ${OF_SCOPE} AND (created_at, id) <= ($5, $6) ${ofType}
     ${FROM_THE_FIRST_TRY} RETURNING event_id`,
    merchantId,
    mode,
    ...after,
    ...(next ?? THE_END),
    id,
    now,
    ...known,
  )
  return { deliveries: rows.length, next }
}
