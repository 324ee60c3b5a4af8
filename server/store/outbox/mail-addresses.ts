/** Mail addresses: which are registered for mails that an API key can trigger, and which were asked to confirm. */
import { createHash } from 'node:crypto'
import type { Instant } from '#contract/jst.ts'
import { comparableAddress } from '#payment/erasure.ts'
import { CONFIRMATION_LIFETIME_MS, UNCONFIRMED_KEPT_MS } from '#payment/mail-permission.ts'
import { changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import type { Row, Sql, SqlValue } from '../engine/database.ts'
import { integer, integerOrNull, oneOf, text, textOrNull } from '../engine/columns.ts'
import { padToFixedSizes, valueRows } from '../engine/write.ts'

export interface MailAddressRef {
  readonly merchantId: string
  /** As it was entered. */
  readonly address: string
}

/** `operator`: on the command line. `confirmed`: by the link in a mail to this address. */
export type RegisteredBy = 'operator' | 'confirmed'

const isRegisteredBy = (word: string): word is RegisteredBy => word === 'operator' || word === 'confirmed'

/** An address as the operator reads it. Not registered: it was asked to confirm, or removed. */
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

/** Runs a statement about one address, which `$1` and `$2` name. True where it has found or changed its row. */
const affectsRow = async (
  sql: Sql,
  { merchantId, address }: MailAddressRef,
  statement: string,
  ...values: SqlValue[]
): Promise<boolean> => (await sql.rows(statement, merchantId, comparableAddress(address), ...values)).length > 0

export const isRegistered = (sql: Sql, ref: MailAddressRef): Promise<boolean> =>
  affectsRow(
    sql,
    ref,
    'SELECT 1 AS x FROM mail_addresses WHERE merchant_id = $1 AND address = $2 AND registered_by IS NOT NULL',
  )

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

/** False, and nothing is changed, where it is registered already. */
export const registerByOperator = (sql: Sql, ref: MailAddressRef, now: Instant): Promise<boolean> =>
  affectsRow(
    sql,
    ref,
    `INSERT INTO mail_addresses (merchant_id, address, registered_by, registered_at) VALUES ($1, $2, 'operator', $3)
     ON CONFLICT (merchant_id, address) DO UPDATE SET registered_by = 'operator', registered_at = excluded.registered_at
     WHERE mail_addresses.registered_by IS NULL RETURNING address`,
    now,
  )

/** The row stays and counts as asked, so that a due mail does not ask it again. False where it was not registered. */
export const removeRegistration = (sql: Sql, ref: MailAddressRef, now: Instant): Promise<boolean> =>
  affectsRow(
    sql,
    ref,
    `UPDATE mail_addresses SET registered_by = NULL, registered_at = NULL, asked_at = $3, token_hash = NULL
     WHERE merchant_id = $1 AND address = $2 AND registered_by IS NOT NULL RETURNING address`,
    now,
  )

const LISTED_MAX = 1000

/** In the order of the addresses, at most 1,000. */
export const listMailAddresses = async (sql: Sql, merchantId: string): Promise<ListedMailAddress[]> => {
  const rows = await sql.rows(
    `SELECT address, registered_by, registered_at, asked_at FROM mail_addresses WHERE merchant_id = $1
     ORDER BY address LIMIT $2`,
    merchantId,
    LISTED_MAX,
  )
  return rows.map(fromRow)
}

/** Marks an address as asked. False where it was asked before or is registered: then no mail may ask it. */
export const markAsked = (sql: Sql, ref: MailAddressRef, now: Instant): Promise<boolean> =>
  affectsRow(
    sql,
    ref,
    `INSERT INTO mail_addresses (merchant_id, address, asked_at) VALUES ($1, $2, $3)
     ON CONFLICT (merchant_id, address) DO NOTHING RETURNING address`,
    now,
  )

/** Takes the mark back, because the mail is not sent today. */
export const unmarkAsked = async (sql: Sql, { merchantId, address }: MailAddressRef): Promise<void> => {
  await sql.rows(
    'DELETE FROM mail_addresses WHERE merchant_id = $1 AND address = $2 AND registered_by IS NULL',
    merchantId,
    comparableAddress(address),
  )
}

/** Only the hash is stored: who reads the database cannot confirm in place of the mail's reader. */
const hashOf = (token: string): string => createHash('sha256').update(`mail address ${token}`).digest('hex')

/** Stores the token of a link that is mailed now; an earlier token becomes invalid. False where the address is registered. */
export const saveToken = (sql: Sql, ref: MailAddressRef, token: string, now: Instant): Promise<boolean> =>
  affectsRow(
    sql,
    ref,
    `UPDATE mail_addresses SET token_hash = $3, token_ends_at = $4
     WHERE merchant_id = $1 AND address = $2 AND registered_by IS NULL RETURNING address`,
    hashOf(token),
    now + CONFIRMATION_LIFETIME_MS,
  )

/** The address of a valid token; null: the token is unknown or has expired. */
export const findByToken = async (
  sql: Sql,
  merchantId: string,
  token: string,
  now: Instant,
): Promise<ListedMailAddress | null> => {
  const [row] = await sql.rows(
    `SELECT address, registered_by, registered_at, asked_at FROM mail_addresses
     WHERE merchant_id = $1 AND token_hash = $2 AND token_ends_at > $3`,
    merchantId,
    hashOf(token),
    now,
  )
  return row === undefined ? null : fromRow(row)
}

/** Confirms by this token and returns the address; null: the token has expired or was used before. */
export const confirmByToken = async (
  sql: Sql,
  merchantId: string,
  token: string,
  now: Instant,
): Promise<string | null> => {
  const [row] = await sql.rows(
    `UPDATE mail_addresses SET registered_by = 'confirmed', registered_at = $3
     WHERE merchant_id = $1 AND token_hash = $2 AND token_ends_at > $3 AND registered_by IS NULL RETURNING address`,
    merchantId,
    hashOf(token),
    now,
  )
  return row === undefined ? null : text(row, 'address')
}

const UNCONFIRMED: BatchedChange = {
  table: 'mail_addresses',
  key: ['merchant_id', 'address'],
  where: 'registered_by IS NULL AND asked_at < $1',
  order: 'asked_at',
  change: 'DELETE',
}

/** Deletes addresses that have not confirmed in time. True when there may be more. */
export const forgetUnconfirmed = (sql: Sql, now: Instant): Promise<boolean> =>
  changeNextBatch(sql, UNCONFIRMED, [now - UNCONFIRMED_KEPT_MS])
