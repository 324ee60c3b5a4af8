/** Clearing endpoints: what waits at a disabled one is dropped, what was sent to a removed one is deleted, in batches. */
import type { Instant } from '#contract/jst.ts'
import { changeBatch, type Batch } from '../engine/change-in-batches.ts'
import type { Database, Sql } from '../engine/database.ts'
import { integer, integerOrNull, text } from '../engine/columns.ts'
import type { EndpointRef } from '../merchant/webhook-endpoints.ts'

const OF_ENDPOINT = 'merchant_id = $1 AND endpoint_id = $2'
const DELIVERY = ['merchant_id', 'endpoint_id', 'event_id']

const PENDING: Batch = {
  table: 'deliveries',
  key: DELIVERY,
  where: `${OF_ENDPOINT} AND due_at IS NOT NULL`,
  order: 'due_at',
  change: `SET state = 'dropped', due_at = NULL, claim = claim + 1, ended_at = $4`,
}

/**
 * Nothing is tried at a disabled endpoint any more: what waits, and what is under way. The next batch of it; true when there
 * may be more, which the worker drops (`clearEndpoints`) and nobody takes up meanwhile. Under the lock of the endpoint.
 */
export const dropPending = (sql: Sql, { merchantId, endpointId }: EndpointRef, now: Instant): Promise<boolean> =>
  changeBatch(sql, PENDING, [merchantId, endpointId], [now])

const SENT: readonly Batch[] = [
  {
    table: 'delivery_tries',
    key: [...DELIVERY, 'claim'],
    where: OF_ENDPOINT,
    order: 'event_id, claim',
    change: 'DELETE',
  },
  { table: 'deliveries', key: DELIVERY, where: OF_ENDPOINT, order: 'event_id', change: 'DELETE' },
]

/** A batch of what was sent to a removed endpoint; with the last of it the endpoint. */
const clearRemoved = async (sql: Sql, { merchantId, endpointId }: EndpointRef): Promise<void> => {
  for (const batch of SENT) if (await changeBatch(sql, batch, [merchantId, endpointId])) return
  await sql.rows('DELETE FROM webhook_endpoints WHERE merchant_id = $1 AND id = $2', merchantId, endpointId)
}

/** From the commit on nobody sees it and nothing is tried there. What was sent to it goes with it, or soon after. */
export const removeEndpoint = async (
  sql: Sql,
  { merchantId, endpointId }: EndpointRef,
  now: Instant,
): Promise<void> => {
  await sql.rows(
    `UPDATE webhook_endpoints SET removed_at = $3, disabled_at = COALESCE(disabled_at, $3),
       disabled_why = COALESCE(disabled_why, 'merchant') WHERE merchant_id = $1 AND id = $2`,
    merchantId,
    endpointId,
    now,
  )
  await sql.rows(`DELETE FROM endpoint_notices WHERE ${OF_ENDPOINT}`, merchantId, endpointId)
  await clearRemoved(sql, { merchantId, endpointId })
}

const TO_CLEAR = `SELECT merchant_id, id FROM webhook_endpoints WHERE disabled_at IS NOT NULL AND (removed_at IS NOT NULL
  OR EXISTS (SELECT 1 FROM deliveries WHERE deliveries.merchant_id = webhook_endpoints.merchant_id
    AND deliveries.endpoint_id = webhook_endpoints.id AND deliveries.due_at IS NOT NULL)) LIMIT 1`

/** With what it is, behind the lock: it may have been enabled since it was found. */
const LOCK = `UPDATE webhook_endpoints SET generation = generation WHERE merchant_id = $1 AND id = $2
  RETURNING disabled_at, removed_at`

/** The next batch at any endpoint that was disabled or removed. True when there may be more. */
export const clearEndpoints = async (database: Database): Promise<boolean> => {
  const [found] = await database.rows(TO_CLEAR)
  if (found === undefined) return false
  const ref = { merchantId: text(found, 'merchant_id'), endpointId: text(found, 'id') }
  await database.transact(async (sql) => {
    const [endpoint] = await sql.rows(LOCK, ref.merchantId, ref.endpointId)
    if (endpoint === undefined) return
    if (integerOrNull(endpoint, 'removed_at') !== null) await clearRemoved(sql, ref)
    else if (integerOrNull(endpoint, 'disabled_at') !== null)
      await dropPending(sql, ref, integer(endpoint, 'disabled_at'))
  })
  return true
}
