/** Passkeys of people: public keys and nothing secret. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Instant } from '#contract/jst.ts'
import { integer, integerOrNull, json, text } from '../engine/columns.ts'
import type { Row, Sql } from '../engine/database.ts'

export interface Passkey {
  /** The credential id, in base64url. */
  readonly id: string
  readonly personId: string
  /** COSE, in base64url. */
  readonly publicKey: string
  readonly transports: readonly string[]
  readonly name: string
  readonly createdAt: Instant
  readonly lastUsedAt: Instant | null
  /** From then on it confirms what moves money or gives access. */
  readonly confirmsFrom: Instant
}

const transportsShape = Compile(Type.Array(Type.String()))
const COLUMNS = 'id, person_id, public_key, transports, name, created_at, last_used_at, confirms_from'

const fromRow = (row: Row): Passkey => ({
  id: text(row, 'id'),
  personId: text(row, 'person_id'),
  publicKey: text(row, 'public_key'),
  transports: json(row, 'transports', transportsShape),
  name: text(row, 'name'),
  createdAt: integer(row, 'created_at'),
  lastUsedAt: integerOrNull(row, 'last_used_at'),
  confirmsFrom: integer(row, 'confirms_from'),
})

export const findPasskey = async (sql: Sql, id: string): Promise<Passkey | null> => {
  const [row] = await sql.rows(`SELECT ${COLUMNS} FROM passkeys WHERE id = $1`, id)
  return row === undefined ? null : fromRow(row)
}

/** The oldest first. */
export const passkeysOf = async (sql: Sql, personId: string): Promise<Passkey[]> => {
  const rows = await sql.rows(`SELECT ${COLUMNS} FROM passkeys WHERE person_id = $1 ORDER BY created_at, id`, personId)
  return rows.map(fromRow)
}

/** Of all people of a shop. */
export const passkeysOfMembers = async (sql: Sql, merchantId: string): Promise<Passkey[]> => {
  const columns = COLUMNS.split(', ').map((column) => `passkeys.${column} AS ${column}`)
  const rows = await sql.rows(
    `SELECT ${columns.join(', ')} FROM memberships JOIN passkeys ON passkeys.person_id = memberships.person_id
     WHERE memberships.merchant_id = $1 ORDER BY passkeys.created_at, passkeys.id`,
    merchantId,
  )
  return rows.map(fromRow)
}

/** `counter`: as the authenticator tells it. */
export const insertPasskey = async (sql: Sql, passkey: Passkey, counter: number): Promise<void> => {
  await sql.rows(
    `INSERT INTO passkeys (id, person_id, public_key, counter, transports, name, created_at, confirms_from)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    passkey.id,
    passkey.personId,
    passkey.publicKey,
    counter,
    JSON.stringify(passkey.transports),
    passkey.name,
    passkey.createdAt,
    passkey.confirmsFrom,
  )
}

export const savePasskeyUse = async (sql: Sql, id: string, counter: number, now: Instant): Promise<void> => {
  await sql.rows('UPDATE passkeys SET counter = $2, last_used_at = $3 WHERE id = $1', id, counter, now)
}

export const saveConfirmsFrom = async (sql: Sql, id: string, confirmsFrom: Instant): Promise<void> => {
  await sql.rows('UPDATE passkeys SET confirms_from = $2 WHERE id = $1', id, confirmsFrom)
}

export const deletePasskey = async (sql: Sql, id: string): Promise<void> => {
  await sql.rows('DELETE FROM passkeys WHERE id = $1', id)
}
