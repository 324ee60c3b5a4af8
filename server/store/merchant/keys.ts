/** API keys: only their hash is stored, so a copy of the database gives no access. */
import { createHash } from 'node:crypto'
import { isKeyAccess, type KeyAccess, isMerchantMode, type MerchantMode } from '#contract/access.ts'
import type { Instant } from '#contract/jst.ts'
import type { AccountRef } from '#payment/references.ts'
import { integer, integerOrNull, oneOf, prefixedColumns, text, textOrNull } from '../engine/columns.ts'
import type { Row, Sql } from '../engine/database.ts'

export interface ApiKey {
  readonly hash: string
  readonly merchantId: string
  readonly mode: MerchantMode
  readonly access: KeyAccess
  readonly name: string | null
  /** The last characters of the key; null for a key of an earlier release. */
  readonly hint: string | null
  readonly createdAt: Instant
  /** Up to a minute old. */
  readonly lastUsedAt: Instant | null
  readonly expiresAt: Instant | null
  readonly revokedAt: Instant | null
}

/** The records that a key may read and change: those of its merchant, in its mode. */
export type KeyScope = AccountRef

export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')

const HINT_LENGTH = 4
const ID_LENGTH = 16
const ID = /^[0-9a-f]{16}$/

/** The id of a key for the operator: the beginning of its hash. It gives no access. */
export const keyIdOf = ({ hash }: Pick<ApiKey, 'hash'>): string => hash.slice(0, ID_LENGTH)

export const isKeyId = (word: string): boolean => ID.test(word)

/** With a prefix, because they are joined to the columns of a merchant. */
export const KEY_COLUMNS = prefixedColumns(
  'hash, merchant_id, mode, access, name, hint, created_at, last_used_at, expires_at, revoked_at',
  'api_keys',
  'key_',
)

export const keyFromRow = (row: Row): ApiKey => ({
  hash: text(row, 'key_hash'),
  merchantId: text(row, 'key_merchant_id'),
  mode: oneOf(row, 'key_mode', isMerchantMode),
  access: oneOf(row, 'key_access', isKeyAccess),
  name: textOrNull(row, 'key_name'),
  hint: textOrNull(row, 'key_hint'),
  createdAt: integer(row, 'key_created_at'),
  lastUsedAt: integerOrNull(row, 'key_last_used_at'),
  expiresAt: integerOrNull(row, 'key_expires_at'),
  revokedAt: integerOrNull(row, 'key_revoked_at'),
})

export interface NewKey extends Pick<ApiKey, 'merchantId' | 'mode' | 'access' | 'name' | 'expiresAt'> {
  /** The key itself, which is not stored. */
  readonly key: string
}

/** Stores a new key; an existing one stays as it is. */
export const insertKey = async (sql: Sql, { key, ...facts }: NewKey, now: Instant): Promise<void> => {
  await sql.rows(
    `INSERT INTO api_keys (hash, merchant_id, mode, access, name, hint, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (hash) DO NOTHING`,
    hashKey(key),
    facts.merchantId,
    facts.mode,
    facts.access,
    facts.name,
    key.slice(-HINT_LENGTH),
    now,
    facts.expiresAt,
  )
}

/** The key with this id. If two keys share it (one in 2^64), neither is found. */
export const findKey = async (sql: Sql, id: string): Promise<ApiKey | null> => {
  // A range, so that the index of the hash is used: 'g' follows the last hexadecimal digit.
  const rows = await sql.rows(`SELECT ${KEY_COLUMNS} FROM api_keys WHERE hash >= $1 AND hash < $2`, id, `${id}g`)
  const [row] = rows
  return row === undefined || rows.length > 1 ? null : keyFromRow(row)
}

/** All keys of a merchant, the oldest first. */
export const keysOfMerchant = async (sql: Sql, merchantId: string): Promise<ApiKey[]> => {
  const rows = await sql.rows(
    `SELECT ${KEY_COLUMNS} FROM api_keys WHERE merchant_id = $1 ORDER BY created_at, hash`,
    merchantId,
  )
  return rows.map(keyFromRow)
}

export const saveLastUse = async (sql: Sql, hash: string, now: Instant): Promise<void> => {
  await sql.rows('UPDATE api_keys SET last_used_at = $1 WHERE hash = $2', now, hash)
}

/** A key that was revoked before keeps that time. */
export const saveRevocation = async (sql: Sql, hash: string, now: Instant): Promise<void> => {
  await sql.rows('UPDATE api_keys SET revoked_at = $1 WHERE hash = $2 AND revoked_at IS NULL', now, hash)
}

export const saveExpiry = async (sql: Sql, hash: string, expiresAt: Instant): Promise<void> => {
  await sql.rows('UPDATE api_keys SET expires_at = $1 WHERE hash = $2', expiresAt, hash)
}
