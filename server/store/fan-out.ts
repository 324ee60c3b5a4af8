/** Fan-out in the database: which endpoints are told of an event, decided after the event was committed. */
import type { CheckoutEventType } from '#contract/events.ts'
import type { Instant } from '#contract/jst.ts'
import { isMerchantMode } from '#contract/merchant.ts'
import type { KeyScope } from './checkout-list.ts'
import { integer, oneOf, text, type Database, type Sql } from './database.ts'
import { deliveriesWrite, FROM_THE_FIRST_TRY, type NewDelivery } from './deliveries.ts'
import { endpointsOf, type WebhookEndpoint } from './webhook-endpoints.ts'
import { filledUp } from './write.ts'

/** With the most endpoints that a merchant may have, all their deliveries are one statement that SQLite still takes. */
export const FANNED_OUT_AT_ONCE = 64

const wants = ({ disabled, types }: WebhookEndpoint, type: string): boolean =>
  disabled === null && (types === null || types.some((each) => each === type))

/**
 * The endpoints that are told of events of this type. Held: one that is disabled or removed before the deliveries are stored
 * would keep them waiting for the day it is enabled again, or refuse them together with those of all others.
 */
export const endpointsTold = async (sql: Sql, scope: KeyScope, type: string): Promise<WebhookEndpoint[]> =>
  (await endpointsOf(sql, scope, sql.holding)).filter((endpoint) => wants(endpoint, type))

/**
 * Makes a delivery of each event for each endpoint that wants it, and notes that it was done, in one transaction: a crash
 * loses none and doubles none. Any number of workers may do it at once. Answers how many events there were.
 */
export const fanOut = (database: Database, now: Instant): Promise<number> =>
  database.transact(async (sql) => {
    const rows = await sql.rows(
      `SELECT merchant_id, id, mode, type, sequence, created_at FROM events WHERE fanned_out_at IS NULL ORDER BY created_at, id
       LIMIT $1 ${sql.passingOverHeld}`,
      FANNED_OUT_AT_ONCE,
    )
    const events = rows.map((row) => ({
      merchantId: text(row, 'merchant_id'),
      id: text(row, 'id'),
      mode: oneOf(row, 'mode', isMerchantMode),
      type: text(row, 'type'),
      sequence: integer(row, 'sequence'),
      createdAt: integer(row, 'created_at'),
    }))
    if (events.length === 0) return 0
    const endpoints = new Map<string, WebhookEndpoint[]>()
    const made: NewDelivery[] = []
    for (const event of events) {
      const { merchantId, mode, type } = event
      const scope = `${merchantId} ${mode}`
      const known = endpoints.get(scope) ?? (await endpointsOf(sql, { merchantId, mode }, sql.holding))
      endpoints.set(scope, known)
      for (const endpoint of known) if (wants(endpoint, type)) made.push({ endpointId: endpoint.id, event })
    }
    const named = filledUp(events)
    const pairs = named.map((_event, place) => `($${2 * place + 2}, $${2 * place + 3})`).join(', ')
    await sql.writeAll([
      ...deliveriesWrite(filledUp(made), now, 'once'),
      {
        text: `UPDATE events SET fanned_out_at = $1 WHERE (merchant_id, id) IN (${pairs})`,
        values: [now, ...named.flatMap(({ merchantId, id }) => [merchantId, id])],
      },
    ])
    return events.length
  })

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
