/** Mails: stored in the transaction that they report, listed, sent again on an operator's order, and emptied after a time. */
import { isMailState, type MailState, type NotificationFacts } from '#contract/mail-facts.ts'
import type { Instant } from '#contract/jst.ts'
import type { NewEndpointMail } from '#payment/endpoint-mail.ts'
import { isMailKind, type MailKind, type NewMail } from '#payment/mail.ts'
import { CONFIRMATION } from '#payment/mail-permission.ts'
import type { CheckoutRef } from '#payment/references.ts'
import { changeBatch, type Batch } from '../engine/change-in-batches.ts'
import type { Row, Sql, SqlValue, Write } from '../engine/database.ts'
import { integer, integerOrNull, oneOf, text, textOrNull } from '../engine/columns.ts'
import { padToFixedSizes, insertRows } from '../engine/write.ts'

const COLUMNS = [
  'merchant_id',
  'id',
  'checkout_id',
  'kind',
  'locale',
  'recipient',
  'facts',
  'state',
  'tries',
  'next_try_at',
  'created_at',
]

/** Tells a shop of a payment. Its id is that of the event: however often it is written, it is there once. */
export interface NewNotification {
  readonly merchantId: string
  readonly id: string
  readonly recipient: string
  /** Null: the shop has chosen no language. */
  readonly locale: string | null
  readonly facts: NotificationFacts
  readonly dueAt: Instant
}

interface NewRow {
  readonly merchantId: string
  readonly id: string
  readonly checkoutId: string | null
  readonly kind: string
  readonly locale: string | null
  readonly recipient: string
  readonly facts: object
}

const newRow = (
  { merchantId, id, checkoutId, kind, locale, recipient, facts }: NewRow,
  now: Instant,
  dueAt = now,
): SqlValue[] => [merchantId, id, checkoutId, kind, locale, recipient, JSON.stringify(facts), 'waiting', 0, dueAt, now]

/** Whose address is not known any more is not written to. */
const rowsOf = (mails: readonly NewMail[], now: Instant): SqlValue[][] =>
  mails.flatMap(({ merchantId, checkoutId, kind, about, receipt, facts }) => {
    const { email: recipient, locale } = receipt
    if (recipient === null) return []
    const id = `${checkoutId}.${kind}${about === undefined ? '' : `.${about}`}`
    return [newRow({ merchantId, id, checkoutId, kind, locale, recipient, facts }, now)]
  })

export const mailsWrite = (mails: readonly NewMail[], now: Instant): Write[] =>
  insertRows('mails', COLUMNS, rowsOf(mails, now))

export const endpointMailWrite = ({ about, ...mail }: NewEndpointMail, now: Instant): Write[] =>
  insertRows('mails', COLUMNS, [newRow({ ...mail, id: `${about}.${mail.kind}`, checkoutId: null }, now)])

export const notificationsWrite = (mails: readonly NewNotification[], now: Instant): Write[] =>
  insertRows(
    'mails',
    COLUMNS,
    padToFixedSizes(mails).map(({ id, dueAt, ...mail }) => {
      const { kind } = mail.facts
      return newRow({ ...mail, id: `${id}.${kind}`, checkoutId: null, kind }, now, dueAt)
    }),
    'ON CONFLICT (merchant_id, id) DO NOTHING',
  )

/** Asks an address to confirm. Its id tells nothing of the address. */
export interface NewConfirmation {
  readonly merchantId: string
  readonly id: string
  readonly recipient: string
  /** Null: its reader has chosen no language. */
  readonly locale: string | null
}

export const confirmationWrite = ({ id, ...mail }: NewConfirmation, now: Instant): Write[] =>
  insertRows('mails', COLUMNS, [
    newRow({ ...mail, id: `${id}.${CONFIRMATION}`, checkoutId: null, kind: CONFIRMATION, facts: {} }, now),
  ])

/** A mail as it stands: never to whom. */
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

/** One that is there already is not written a second time, and answered as it stands. */
export const insertMailOnce = async (sql: Sql, mail: NewMail, now: Instant): Promise<StoredMail> => {
  const columns = 'kind, state, created_at'
  const end = `ON CONFLICT (merchant_id, id) DO UPDATE SET tries = mails.tries RETURNING ${columns}`
  const [write] = insertRows('mails', COLUMNS, rowsOf([mail], now), end)
  const [row] = write === undefined ? [] : await sql.rows(write.text, ...write.values)
  if (row === undefined) throw new Error('a mail was neither written nor found')
  return storedFromRow(row)
}

/** What its merchant and its operator may know of a mail: never to whom. */
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
  /** After 30 days there is no recipient any more. */
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

/** The id begins with that of its checkout or endpoint, so that no two merchants share one. */
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

/** As many as a registration has sent at once: what is older than these is no news. */
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

/** Tried at once, and for another 72 hours. False where it was taken up, or emptied, in the meantime. The number of tries goes on: it fences claims. */
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

const OLD_MAILS: Batch = {
  table: 'mails',
  key: ['merchant_id', 'id'],
  where: 'recipient IS NOT NULL AND created_at <= $1',
  order: 'created_at',
  change: `SET recipient = NULL, facts = NULL, answer = NULL, next_try_at = NULL,
    state = CASE WHEN state IN ('waiting', 'sending') THEN 'given_up' ELSE state END`,
}

/** Recipient, content and the server's words of mails from before this time; what nobody has sent is given up. True when there may be more of them. */
export const emptyOldMails = (sql: Sql, before: Instant): Promise<boolean> => changeBatch(sql, OLD_MAILS, [before])
