/** Fan-out in the database: which endpoints are told of an event, decided after the event was committed. */
import type { CheckoutEventType } from '#contract/events.ts'
import type { Instant } from '#contract/jst.ts'
import { isMerchantMode } from '#contract/merchant.ts'
import type { KeyScope } from './checkout-list.ts'
import { integer, oneOf, text, type Database, type Sql, type SqlValue } from './database.ts'
import { deliveriesWrite, FROM_THE_FIRST_TRY, type NewDelivery } from './deliveries.ts'
import { endpointsOf, type WebhookEndpoint } from './webhook-endpoints.ts'

export const FANNED_OUT_AT_ONCE = 100

const wants = ({ disabled, types }: WebhookEndpoint, type: string): boolean =>
  disabled === null && (types === null || types.some((each) => each === type))

/** The endpoints that are told of events of this type. */
export const endpointsTold = async (sql: Sql, scope: KeyScope, type: string): Promise<WebhookEndpoint[]> =>
  (await endpointsOf(sql, scope)).filter((endpoint) => wants(endpoint, type))

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
      const known = endpoints.get(scope) ?? (await endpointsOf(sql, { merchantId, mode }))
      endpoints.set(scope, known)
      for (const endpoint of known) if (wants(endpoint, type)) made.push({ endpointId: endpoint.id, event })
    }
    const done: SqlValue[] = [now, ...events.flatMap(({ merchantId, id }) => [merchantId, id])]
    const pairs = events.map((_event, place) => `($${2 * place + 2}, $${2 * place + 3})`).join(', ')
    await sql.writeAll([
      ...deliveriesWrite(made, now, 'once'),
      { text: `UPDATE events SET fanned_out_at = $1 WHERE (merchant_id, id) IN (${pairs})`, values: done },
    ])
    return events.length
  })

/** Every event of a key's mode from this time on, once more to one endpoint. Answers how many. */
export const replay = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { id, types }: Pick<WebhookEndpoint, 'id' | 'types'>,
  since: Instant,
  now: Instant,
): Promise<number> => {
  const known: readonly CheckoutEventType[] = types ?? []
  const chosen = known.map((_type, place) => `$${place + 6}`).join(', ')
  const ofType = known.length === 0 ? '' : `AND type IN (${chosen})`
  const rows = await sql.rows(
    `INSERT INTO deliveries (merchant_id, endpoint_id, event_id, sequence, state, step, claim, due_at, created_at)
     SELECT merchant_id, $3, id, sequence, 'pending', 0, 0, CASE WHEN created_at < $5 THEN created_at ELSE $5 END, $5
     FROM events
     WHERE merchant_id = $1 AND mode = $2 AND created_at >= $4 AND sequence > 0 ${ofType}
     ${FROM_THE_FIRST_TRY} RETURNING event_id`,
    merchantId,
    mode,
    id,
    since,
    now,
    ...known,
  )
  return rows.length
}
