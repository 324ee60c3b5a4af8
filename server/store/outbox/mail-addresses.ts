/** Registered mail addresses in the database: who may get mails that an API key can cause, and who was asked. */
import { createHash } from 'node:crypto'
import type { Instant } from '#contract/jst.ts'
import { comparableAddress } from '#payment/erasure.ts'
import { CONFIRMATION_LIFETIME_MS, UNCONFIRMED_KEPT_MS } from '#payment/mail-permission.ts'
import { changeBatch, type Batch } from '../engine/change-in-batches.ts'
import type { Row, Sql } from '../engine/database.ts'
import { integer, integerOrNull, oneOf, text, textOrNull } from '../engine/columns.ts'
import { padToFixedSizes, valueRows } from '../engine/write.ts'

export interface MailAddressRef {
  readonly merchantId: string
  /** As somebody wrote it. */
  readonly address: string
}

/** `operator`: by the command line. `confirmed`: by the link that was mailed to it. */
export type RegisteredBy = 'operator' | 'confirmed'

const isRegisteredBy = (word: string): word is RegisteredBy => word === 'operator' || word === 'confirmed'

/** An address as its operator reads it; not registered: it was asked, or removed. */
export interface ListedMailAddress {
  readonly address: string
  readonly registered: { readonly by: RegisteredBy; readonly at: Instant } | null
  readonly askedAt: Instant | null
}

const fromRow = (row: Row): ListedMailAddress => ({
  address: text(row, 'address'),
  registered:
    textOrNull(row, 'registered_by') === null
      ? null
      : { by: oneOf(row, 'registered_by', isRegisteredBy), at: integer(row, 'registered_at') },
  askedAt: integerOrNull(row, 'asked_at'),
})

export const isRegistered = async (sql: Sql, { merchantId, address }: MailAddressRef): Promise<boolean> => {
  const rows = await sql.rows(
    'SELECT 1 AS x FROM mail_addresses WHERE merchant_id = $1 AND address = $2 AND registered_by IS NOT NULL',
    merchantId,
    comparableAddress(address),
  )
  return rows.length > 0
}

/** Which of these are registered. */
export const registeredAmong = async (
  sql: Sql,
  refs: readonly MailAddressRef[],
): Promise<(ref: MailAddressRef) => boolean> => {
  const asked = padToFixedSizes(refs.map(({ merchantId, address }) => [merchantId, comparableAddress(address)]))
  const rows =
    asked.length === 0
      ? []
      : await sql.rows(
          `SELECT merchant_id, address FROM (VALUES ${valueRows(asked)}) AS asked CROSS JOIN mail_addresses
           WHERE merchant_id = asked.column1 AND address = asked.column2 AND registered_by IS NOT NULL`,
          ...asked.flat(),
        )
  const nameOf = (merchantId: string, address: string): string => `${merchantId} ${address}`
  const registered = new Set(rows.map((row) => nameOf(text(row, 'merchant_id'), text(row, 'address'))))
  return ({ merchantId, address }) => registered.has(nameOf(merchantId, comparableAddress(address)))
}

/** One that is registered already stays as it is. False where nothing was changed. */
export const registerByOperator = async (
  sql: Sql,
  { merchantId, address }: MailAddressRef,
  now: Instant,
): Promise<boolean> => {
  const rows = await sql.rows(
    `INSERT INTO mail_addresses (merchant_id, address, registered_by, registered_at) VALUES ($1, $2, 'operator', $3)
     ON CONFLICT (merchant_id, address) DO UPDATE SET registered_by = 'operator', registered_at = excluded.registered_at
     WHERE mail_addresses.registered_by IS NULL RETURNING address`,
    merchantId,
    comparableAddress(address),
    now,
  )
  return rows.length > 0
}

/** Its row stays, as one that was asked: a mail that is due must not ask it anew. False where it was not registered. */
export const removeRegistration = async (
  sql: Sql,
  { merchantId, address }: MailAddressRef,
  now: Instant,
): Promise<boolean> => {
  const rows = await sql.rows(
    `UPDATE mail_addresses SET registered_by = NULL, registered_at = NULL, asked_at = $3, token_hash = NULL
     WHERE merchant_id = $1 AND address = $2 AND registered_by IS NOT NULL RETURNING address`,
    merchantId,
    comparableAddress(address),
    now,
  )
  return rows.length > 0
}

const LISTED_MAX = 1000

/** In the order of the addresses; so many at most. */
export const listMailAddresses = async (sql: Sql, merchantId: string): Promise<ListedMailAddress[]> => {
  const rows = await sql.rows(
    `SELECT address, registered_by, registered_at, asked_at FROM mail_addresses WHERE merchant_id = $1
     ORDER BY address LIMIT $2`,
    merchantId,
    LISTED_MAX,
  )
  return rows.map(fromRow)
}

/** Whether a mail may ask this address: false where one has, or where it is registered. */
export const markAsked = async (sql: Sql, { merchantId, address }: MailAddressRef, now: Instant): Promise<boolean> => {
  const rows = await sql.rows(
    `INSERT INTO mail_addresses (merchant_id, address, asked_at) VALUES ($1, $2, $3)
     ON CONFLICT (merchant_id, address) DO NOTHING RETURNING address`,
    merchantId,
    comparableAddress(address),
    now,
  )
  return rows.length > 0
}

/** As if it had not been asked: the mail that was to ask it is not sent today. */
export const unmarkAsked = async (sql: Sql, { merchantId, address }: MailAddressRef): Promise<void> => {
  await sql.rows(
    'DELETE FROM mail_addresses WHERE merchant_id = $1 AND address = $2 AND registered_by IS NULL',
    merchantId,
    comparableAddress(address),
  )
}

/** What opens a link is known to the reader of the mail alone: whoever reads the database cannot confirm in its place. */
const hashOf = (token: string): string => createHash('sha256').update(`mail address ${token}`).digest('hex')

/** A token for the link of a mail that is sent now: one before it ends. False where the address needs to confirm nothing. */
export const saveToken = async (
  sql: Sql,
  { merchantId, address }: MailAddressRef,
  token: string,
  now: Instant,
): Promise<boolean> => {
  const rows = await sql.rows(
    `UPDATE mail_addresses SET token_hash = $3, token_ends_at = $4
     WHERE merchant_id = $1 AND address = $2 AND registered_by IS NULL RETURNING address`,
    merchantId,
    comparableAddress(address),
    hashOf(token),
    now + CONFIRMATION_LIFETIME_MS,
  )
  return rows.length > 0
}

/** The address of a link that has not ended; null: there is none. */
export const findByToken = async (
  sql: Sql,
  merchantId: string,
  token: string,
  now: Instant,
): Promise<ListedMailAddress | null> => {
  const [row] = await sql.rows(
    `SELECT address, registered_by, registered_at, asked_at FROM mail_addresses
     WHERE token_hash = $1 AND merchant_id = $2 AND token_ends_at > $3`,
    hashOf(token),
    merchantId,
    now,
  )
  return row === undefined ? null : fromRow(row)
}

/** The address that has confirmed by this link just now; null: the link has ended, or was used before. */
export const confirmByToken = async (
  sql: Sql,
  merchantId: string,
  token: string,
  now: Instant,
): Promise<string | null> => {
  const [row] = await sql.rows(
    `UPDATE mail_addresses SET registered_by = 'confirmed', registered_at = $3
     WHERE token_hash = $1 AND merchant_id = $2 AND token_ends_at > $3 AND registered_by IS NULL RETURNING address`,
    hashOf(token),
    merchantId,
    now,
  )
  return row === undefined ? null : text(row, 'address')
}

const UNCONFIRMED: Batch = {
  table: 'mail_addresses',
  key: ['merchant_id', 'address'],
  where: 'registered_by IS NULL AND asked_at < $1',
  order: 'asked_at',
  change: 'DELETE',
}

/** Addresses that have not confirmed. True when there may be more of them. */
export const forgetUnconfirmed = (sql: Sql, now: Instant): Promise<boolean> =>
  changeBatch(sql, UNCONFIRMED, [now - UNCONFIRMED_KEPT_MS])
