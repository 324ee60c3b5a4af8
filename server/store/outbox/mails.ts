/** Mails: stored in the transaction that they report, listed, sent again on an operator's order, and emptied after a time. */
import { isMailState, type MailState, type NotificationFacts } from '#contract/mail-facts.ts'
import type { Instant } from '#contract/jst.ts'
import type { NewEndpointMail } from '#payment/endpoint-mail.ts'
import { isMailKind, type MailKind, type NewMail } from '#payment/mail.ts'
import { CONFIRMATION } from '#payment/mail-permission.ts'
import type { CheckoutRef } from '#payment/references.ts'
import { changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import type { Row, Sql, SqlValue, Write } from '../engine/database.ts'
import { integer, integerOrNull, oneOf, text, textOrNull } from '../engine/columns.ts'
import { padToFixedSizes, insertRecords } from '../engine/write.ts'

/** What every new mail has. */
interface NewMailTo {
  readonly merchantId: string
  readonly id: string
  readonly recipient: string
  /** Null: its reader has chosen no language. */
  readonly locale: string | null
}

/** A mail that tells a shop of a payment. Its id is that of the event, so it is stored once however often it is written. */
export interface NewNotification extends NewMailTo {
  readonly facts: NotificationFacts
  readonly dueAt: Instant
}

interface NewRow extends NewMailTo {
  readonly checkoutId: string | null
  readonly kind: string
  readonly facts: object
}

const newRecord = (mail: NewRow, now: Instant, dueAt = now): Record<string, SqlValue> => ({
  merchant_id: mail.merchantId,
  id: mail.id,
  checkout_id: mail.checkoutId,
  kind: mail.kind,
  locale: mail.locale,
  recipient: mail.recipient,
  facts: JSON.stringify(mail.facts),
  state: 'waiting',
  tries: 0,
  next_try_at: dueAt,
  created_at: now,
})

/** No mail where the address of the shopper has been erased. */
const recordsOf = (mails: readonly NewMail[], now: Instant): Record<string, SqlValue>[] =>
  mails.flatMap(({ merchantId, checkoutId, kind, about, receipt, facts }) => {
    const { email: recipient, locale } = receipt
    if (recipient === null) return []
    const id = `${checkoutId}.${kind}${about === undefined ? '' : `.${about}`}`
    return [newRecord({ merchantId, id, checkoutId, kind, locale, recipient, facts }, now)]
  })

export const mailsWrite = (mails: readonly NewMail[], now: Instant): Write[] =>
  insertRecords('mails', recordsOf(mails, now))

export const endpointMailWrite = ({ about, ...mail }: NewEndpointMail, now: Instant): Write[] =>
  insertRecords('mails', [newRecord({ ...mail, id: `${about}.${mail.kind}`, checkoutId: null }, now)])

export const notificationsWrite = (mails: readonly NewNotification[], now: Instant): Write[] =>
  insertRecords(
    'mails',
    padToFixedSizes(mails).map(({ id, dueAt, ...mail }) => {
      const { kind } = mail.facts
      return newRecord({ ...mail, id: `${id}.${kind}`, checkoutId: null, kind }, now, dueAt)
    }),
    'ON CONFLICT (merchant_id, id) DO NOTHING',
  )

/** A mail that asks an address to confirm. Its id does not contain the address. */
export const confirmationWrite = ({ id, ...mail }: NewMailTo, now: Instant): Write[] =>
  insertRecords('mails', [
    newRecord({ ...mail, id: `${id}.${CONFIRMATION}`, checkoutId: null, kind: CONFIRMATION, facts: {} }, now),
  ])

/** A stored mail without its recipient. */
export interface StoredMail {
  readonly kind: MailKind
  readonly state: MailState
  readonly createdAt: Instant
}

const storedFromRow = (row: Row): StoredMail => ({
  kind: oneOf(row, 'kind', isMailKind),
  state: oneOf(row, 'state', isMailState),
  createdAt: integer(row, 'created_at'),
})

/** Stores a mail unless it exists already, and returns the stored one. */
export const insertMailOnce = async (sql: Sql, mail: NewMail, now: Instant): Promise<StoredMail> => {
  const columns = 'kind, state, created_at'
  const end = `ON CONFLICT (merchant_id, id) DO UPDATE SET tries = mails.tries RETURNING ${columns}`
  const [write] = insertRecords('mails', recordsOf([mail], now), end)
  const [row] = write === undefined ? [] : await sql.rows(write.text, ...write.values)
  if (row === undefined) throw new Error('a mail was neither written nor found')
  return storedFromRow(row)
}

/** What merchant and operator may read of a mail: never its recipient. */
export interface ListedMail extends StoredMail {
  readonly tries: number
  readonly endedAt: Instant | null
  readonly nextTryAt: Instant | null
  readonly answer: string | null
}

export const mailsOfCheckout = async (sql: Sql, { merchantId, checkoutId }: CheckoutRef): Promise<ListedMail[]> => {
  const rows = await sql.rows(
    `SELECT kind, state, tries, created_at, ended_at, next_try_at, answer FROM mails
     WHERE merchant_id = $1 AND checkout_id = $2 ORDER BY created_at, id`,
    merchantId,
    checkoutId,
  )
  return rows.map((row) => ({
    ...storedFromRow(row),
    tries: integer(row, 'tries'),
    endedAt: integerOrNull(row, 'ended_at'),
    nextTryAt: integerOrNull(row, 'next_try_at'),
    answer: textOrNull(row, 'answer'),
  }))
}

export interface MailRef {
  readonly merchantId: string
  readonly mailId: string
}

/** A mail that an operator names. */
export interface NamedMail extends MailRef {
  /** Null: it is about an endpoint. */
  readonly checkoutId: string | null
  readonly kind: string
  readonly state: MailState
  /** After 30 days the recipient has been deleted. */
  readonly isEmptied: boolean
}

const NAMED = `SELECT mails.merchant_id AS merchant_id, mails.id AS id, checkout_id, kind, state, recipient FROM merchants
  JOIN mails ON mails.merchant_id = merchants.id`

const namedFromRow = (row: Row): NamedMail => ({
  merchantId: text(row, 'merchant_id'),
  mailId: text(row, 'id'),
  checkoutId: textOrNull(row, 'checkout_id'),
  kind: text(row, 'kind'),
  state: oneOf(row, 'state', isMailState),
  isEmptied: textOrNull(row, 'recipient') === null,
})

/** A mail id begins with the id of its checkout or endpoint, so it is unique over all merchants. */
export const findMail = async (sql: Sql, mailId: string): Promise<NamedMail | null> => {
  const [row] = await sql.rows(`${NAMED} AND mails.id = $1`, mailId)
  return row === undefined ? null : namedFromRow(row)
}

/** Mails of a merchant that were refused or given up since a time. */
export const failedMails = async (sql: Sql, merchantId: string, since: Instant): Promise<NamedMail[]> => {
  const rows = await sql.rows(
    `${NAMED} WHERE mails.merchant_id = $1 AND mails.state IN ('refused', 'given_up') AND mails.ended_at >= $2
     AND mails.recipient IS NOT NULL ORDER BY mails.ended_at, mails.id`,
    merchantId,
    since,
  )
  return rows.map(namedFromRow)
}

/** A new registration sends so many held mails at most; older ones are out of date. */
const HELD_MAX = 20

/** Mails to this address that were refused since a time for this reason, the newest first. */
export const refusedMailsTo = async (
  sql: Sql,
  { merchantId, address }: { readonly merchantId: string; readonly address: string },
  reason: string,
  since: Instant,
): Promise<NamedMail[]> => {
  const rows = await sql.rows(
    `${NAMED} WHERE mails.merchant_id = $1 AND lower(mails.recipient) = $2 AND mails.state = 'refused'
     AND mails.answer = $3 AND mails.ended_at > $4 ORDER BY mails.ended_at DESC LIMIT $5`,
    merchantId,
    address,
    reason,
    since,
    HELD_MAX,
  )
  return rows.map(namedFromRow)
}

/** Due now, and retried for another 72 hours. False where another worker has claimed it or it was emptied. `tries` is not reset: it fences claims. */
export const retryMail = async (sql: Sql, { merchantId, mailId, state }: NamedMail, now: Instant): Promise<boolean> => {
  const rows = await sql.rows(
    `UPDATE mails SET state = 'waiting', next_try_at = $4, asked_again_at = $4, ended_at = NULL
     WHERE merchant_id = $1 AND id = $2 AND state = $3 AND recipient IS NOT NULL RETURNING id`,
    merchantId,
    mailId,
    state,
    now,
  )
  return rows.length > 0
}

const OLD_MAILS: BatchedChange = {
  table: 'mails',
  key: ['merchant_id', 'id'],
  where: 'recipient IS NOT NULL AND created_at <= $1',
  order: 'created_at',
  change: `SET recipient = NULL, facts = NULL, answer = NULL, next_try_at = NULL,
    state = CASE WHEN state IN ('waiting', 'sending') THEN 'given_up' ELSE state END`,
}

/** Deletes recipient, content and server answer of mails from before this time; unsent ones are given up. True when there may be more. */
export const emptyOldMails = (sql: Sql, before: Instant): Promise<boolean> => changeNextBatch(sql, OLD_MAILS, [before])
