/** Clearing endpoints in batches: deliveries that wait at a disabled endpoint are dropped, those of a removed one are deleted. */
import type { Instant } from '#contract/jst.ts'
import { changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import type { Database, Sql } from '../engine/database.ts'
import { integer, integerOrNull, text } from '../engine/columns.ts'
import type { EndpointRef } from '../merchant/webhook-endpoints.ts'

const OF_ENDPOINT = 'merchant_id = $1 AND endpoint_id = $2'
const DELIVERY = ['merchant_id', 'endpoint_id', 'event_id']

const PENDING: BatchedChange = {
  table: 'deliveries',
  key: DELIVERY,
  where: `${OF_ENDPOINT} AND due_at IS NOT NULL`,
  order: 'due_at',
  change: `SET state = 'dropped', due_at = NULL, claim = claim + 1, ended_at = $4`,
}

/**
 * Drops the next batch of deliveries that wait or are under way at a disabled endpoint. True when there may be more: the worker
 * drops those (`clearEndpoints`), and nobody claims them meanwhile. Call it under the lock of the endpoint.
 */
export const dropPending = (sql: Sql, { merchantId, endpointId }: EndpointRef, now: Instant): Promise<boolean> =>
  changeNextBatch(sql, PENDING, [merchantId, endpointId], [now])

const SENT: readonly BatchedChange[] = [
  {
    table: 'delivery_tries',
    key: [...DELIVERY, 'claim'],
    where: OF_ENDPOINT,
    order: 'event_id, claim',
    change: 'DELETE',
  },
  { table: 'deliveries', key: DELIVERY, where: OF_ENDPOINT, order: 'event_id', change: 'DELETE' },
]

/** Deletes a batch of deliveries and tries of a removed endpoint; after the last one, the endpoint. */
const clearRemoved = async (sql: Sql, { merchantId, endpointId }: EndpointRef): Promise<void> => {
  for (const batch of SENT) if (await changeNextBatch(sql, batch, [merchantId, endpointId])) return
  await sql.rows('DELETE FROM webhook_endpoints WHERE merchant_id = $1 AND id = $2', merchantId, endpointId)
}

/** From the commit on it is invisible and nothing is sent to it. Its deliveries are deleted now or soon after. */
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

/** Read again under the lock: the endpoint may have been enabled since it was found. */
const LOCK = `UPDATE webhook_endpoints SET generation = generation WHERE merchant_id = $1 AND id = $2
  RETURNING disabled_at, removed_at`

/** Clears the next batch of any disabled or removed endpoint. True when there may be more. */
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
