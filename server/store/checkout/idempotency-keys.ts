/** Idempotency keys: for 24 hours the same key creates the same checkout, or the same reusable link. */
import { DAY_MS } from '#contract/jst.ts'
import { changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import type { KeyScope } from '../merchant/keys.ts'
import { Conflict, type Sql, type Write } from '../engine/database.ts'
import { integer, text } from '../engine/columns.ts'
import { insertRecords } from '../engine/write.ts'

/** Hashes of the key and the body as they were sent. */
export interface IdempotentRequest {
  readonly keyHash: string
  readonly bodyHash: string
}

const LIFETIME_MS = DAY_MS

/** Stored in the transaction of what is created, whose id stands in `checkout_id`: the primary key refuses a second creation under the same key. */
export const idempotencyKeyWrite = (
  { merchantId, mode }: KeyScope,
  { keyHash, bodyHash }: IdempotentRequest,
  id: string,
  now: number,
): Write[] =>
  insertRecords('idempotency_keys', [
    { merchant_id: merchantId, mode, key_hash: keyHash, body_hash: bodyHash, checkout_id: id, created_at: now },
  ])

export const isKeyConflict = (error: unknown): boolean =>
  error instanceof Conflict && error.constraint === 'idempotency_keys_pkey'

/** Null where the key is free. A key of more than 24 hours ago is deleted and then free. */
export const findEarlierRequest = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  keyHash: string,
  now: number,
): Promise<{ readonly bodyHash: string; readonly id: string } | null> => {
  const [row] = await sql.rows(
    'SELECT body_hash, checkout_id, created_at FROM idempotency_keys WHERE merchant_id = $1 AND mode = $2 AND key_hash = $3',
    merchantId,
    mode,
    keyHash,
  )
  if (row === undefined) return null
  if (integer(row, 'created_at') > now - LIFETIME_MS)
    return { bodyHash: text(row, 'body_hash'), id: text(row, 'checkout_id') }
  // The condition on the time keeps a new key that another call has stored meanwhile.
  await sql.rows(
    'DELETE FROM idempotency_keys WHERE merchant_id = $1 AND mode = $2 AND key_hash = $3 AND created_at <= $4',
    merchantId,
    mode,
    keyHash,
    now - LIFETIME_MS,
  )
  return null
}

const OLD_KEYS: BatchedChange = {
  table: 'idempotency_keys',
  key: ['merchant_id', 'mode', 'key_hash'],
  where: 'created_at <= $1',
  order: 'created_at',
  change: 'DELETE',
}

/** Deletes keys of more than 24 hours ago. True when there may be more. */
export const forgetOldKeys = (sql: Sql, now: number): Promise<boolean> =>
  changeNextBatch(sql, OLD_KEYS, [now - LIFETIME_MS])
