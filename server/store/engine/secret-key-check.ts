/** Secret key check: the database stores a digest of its secret key, and which endpoints have secrets of an earlier key. */
import type { Instant } from '#contract/jst.ts'
import type { Database, Sql } from './database.ts'
import { integer, text, textOrNull } from './columns.ts'
import { secretKeyDigest, secretKeyId } from '../../config/secret-key-id.ts'

const knownDigest = async (sql: Sql): Promise<string | null> => {
  const [known] = await sql.rows('SELECT digest FROM secret_key_check')
  return known === undefined ? null : text(known, 'digest')
}

/** False while no key belongs to this database. */
export const hasSecretKey = async (sql: Sql): Promise<boolean> => (await knownDigest(sql)) !== null

/** The place of the key of this database among these keys; null: none of them. 0 where the database has no key yet. */
export const placeOfSecretKey = async (sql: Sql, keys: readonly string[]): Promise<number | null> => {
  const known = await knownDigest(sql)
  if (known === null) return 0
  const place = keys.findIndex((key) => secretKeyDigest(key) === known)
  return place === -1 ? null : place
}

/**
 * Makes the first of these keys the key of this database: true where it had none, or one of these. Signing secrets that were
 * derived from the key before stay as they are, because merchants use them.
 */
export const adoptSecretKeys = (database: Database, keys: readonly string[]): Promise<boolean> =>
  database.transact(async (sql) => {
    // Two servers that start together, with the same keys or with others, decide one after the other.
    await sql.lockNames('secret key')
    const [current = ''] = keys
    const place = await placeOfSecretKey(sql, keys)
    if (place === null) return false
    if (!(await hasSecretKey(sql)))
      await sql.rows('INSERT INTO secret_key_check (digest) VALUES ($1)', secretKeyDigest(current))
    if (place === 0) return true
    await sql.rows('UPDATE secret_key_check SET digest = $1', secretKeyDigest(current))
    await sql.rows(
      `UPDATE webhook_endpoints SET secret_key_id = COALESCE(secret_key_id, $1),
         previous_key_id = CASE WHEN previous_until IS NULL THEN previous_key_id ELSE COALESCE(previous_key_id, $1) END`,
      secretKeyId(keys[place] ?? ''),
    )
    return true
  })

/**
 * For a lost key: the next start may use any other, from which all signing secrets are then derived. Accounts at acquirers open
 * no more, so no check of them holds: their live keys end until they are set again. Files of pages would be served by no server.
 */
export const forgetSecretKey = (database: Database): Promise<void> =>
  database.transact(async (sql) => {
    await sql.rows('DELETE FROM secret_key_check')
    await sql.rows('UPDATE webhook_endpoints SET secret_key_id = NULL, previous_key_id = NULL, previous_until = NULL')
    await sql.rows('UPDATE acquirer_accounts SET checked_at = NULL')
    await sql.rows('DELETE FROM page_assets')
  })

/** How many endpoints of a merchant use secrets of one key. */
export interface SecretUse {
  readonly merchant: string
  /** Null: the current one. */
  readonly keyId: string | null
  readonly endpoints: number
}

/** For a day after a roll the previous secret also signs, so its key is still in use. `currentKeyId` null: the key is lost. */
export const secretUses = async (sql: Sql, now: Instant, currentKeyId: string | null): Promise<SecretUse[]> => {
  const rows = await sql.rows(
    `SELECT label, key_id, COUNT(*) AS endpoints FROM (
       SELECT merchants.label, COALESCE(NULLIF(secret_key_id, $2),
         CASE WHEN previous_until > $1 THEN NULLIF(previous_key_id, $2) END) AS key_id
       FROM webhook_endpoints JOIN merchants ON merchants.id = webhook_endpoints.merchant_id
     ) AS uses GROUP BY label, key_id ORDER BY label`,
    now,
    currentKeyId ?? '',
  )
  return rows.map((row) => ({
    merchant: text(row, 'label'),
    keyId: textOrNull(row, 'key_id'),
    endpoints: integer(row, 'endpoints'),
  }))
}
