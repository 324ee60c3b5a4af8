/** Idempotency keys in the database: which creation a caller may repeat for 24 hours. */
import { DAY_MS } from '#contract/jst.ts'
import { changeBatch, type Batch } from '../engine/change-in-batches.ts'
import type { KeyScope } from '../merchant/keys.ts'
import { Conflict, type Sql, type Write } from '../engine/database.ts'
import { integer, text } from '../engine/columns.ts'
import { insertRows } from '../engine/write.ts'

/** Key and body as they were sent, hashed. */
export interface IdempotentRequest {
  readonly keyHash: string
  readonly bodyHash: string
}

const LIFETIME_MS = DAY_MS

const COLUMNS = ['merchant_id', 'mode', 'key_hash', 'body_hash', 'checkout_id', 'created_at']

/** Stored with the checkout or not at all: a second creation under the same key is refused by the primary key. */
export const idempotencyKeyWrite = (
  { merchantId, mode }: KeyScope,
  { keyHash, bodyHash }: IdempotentRequest,
  checkoutId: string,
  now: number,
): Write[] => insertRows('idempotency_keys', COLUMNS, [[merchantId, mode, keyHash, bodyHash, checkoutId, now]])

export const isKeyConflict = (error: unknown): boolean =>
  error instanceof Conflict && error.constraint === 'idempotency_keys_pkey'

export interface EarlierRequest {
  readonly bodyHash: string
  readonly checkoutId: string
}

/** Null where the key is free. One that is more than 24 hours old is made so. */
export const findEarlierRequest = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  keyHash: string,
  now: number,
): Promise<EarlierRequest | null> => {
  const [row] = await sql.rows(
    'SELECT body_hash, checkout_id, created_at FROM idempotency_keys WHERE merchant_id = $1 AND mode = $2 AND key_hash = $3',
    merchantId,
    mode,
    keyHash,
  )
  if (row === undefined) return null
  if (integer(row, 'created_at') > now - LIFETIME_MS)
    return { bodyHash: text(row, 'body_hash'), checkoutId: text(row, 'checkout_id') }
  // With its time: another call may have put a new one in its place.
  await sql.rows(
    'DELETE FROM idempotency_keys WHERE merchant_id = $1 AND mode = $2 AND key_hash = $3 AND created_at <= $4',
    merchantId,
    mode,
    keyHash,
    now - LIFETIME_MS,
  )
  return null
}

const OLD_KEYS: Batch = {
  table: 'idempotency_keys',
  key: ['merchant_id', 'mode', 'key_hash'],
  where: 'created_at <= $1',
  order: 'created_at',
  change: 'DELETE',
}

/** Keys of more than 24 hours ago. True when there may be more of them. */
export const forgetOldKeys = (sql: Sql, now: number): Promise<boolean> =>
  changeBatch(sql, OLD_KEYS, [now - LIFETIME_MS])
