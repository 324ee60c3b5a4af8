/** Mails in the database: stored with what they tell of, claimed by one worker at a time, emptied after 30 days. */
import { Compile } from 'typebox/compile'
import { isMailState, MailFacts, type MailState } from '#contract/mail-facts.ts'
import type { Instant } from '#contract/jst.ts'
import { isMailKind, type MailKind, type NewMail } from '#payment/mail.ts'
import { MAIL_CONTENT_KEPT_MS, MAIL_LEASE_MS, nextMailTry } from '#payment/mail-tries.ts'
import type { CheckoutRef } from '#payment/references.ts'
import {
  integer,
  integerOrNull,
  json,
  oneOf,
  text,
  textOrNull,
  type Row,
  type Sql,
  type SqlValue,
  type Write,
} from './database.ts'
import { insertRows } from './write.ts'

const factsShape = Compile(MailFacts)

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

const rowOf = ({ merchantId, checkoutId, kind, about, receipt, facts }: NewMail, now: Instant): SqlValue[] => [
  merchantId,
  `${checkoutId}.${kind}${about === undefined ? '' : `.${about}`}`,
  checkoutId,
  kind,
  receipt.locale,
  receipt.email,
  JSON.stringify(facts),
  'waiting',
  0,
  now,
  now,
]

const rowsOf = (mails: readonly NewMail[], now: Instant): SqlValue[][] => mails.map((mail) => rowOf(mail, now))

export const mailsWrite = (mails: readonly NewMail[], now: Instant): Write[] =>
  insertRows('mails', COLUMNS, rowsOf(mails, now))

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

export interface MailRef {
  readonly merchantId: string
  readonly mailId: string
}

/** A mail that this worker alone may send until its lease ends. */
export interface ClaimedMail extends MailRef, CheckoutRef {
  readonly kind: MailKind
  readonly locale: string
  readonly recipient: string
  readonly facts: MailFacts
  /** This one included: it tells this claim from the next, should the lease end before the mail is sent. */
  readonly tries: number
  /** When it was written, or when an operator had it tried again: its lifetime begins then. */
  readonly createdAt: Instant
}

const claimedFromRow = (row: Row): ClaimedMail => ({
  merchantId: text(row, 'merchant_id'),
  mailId: text(row, 'id'),
  checkoutId: text(row, 'checkout_id'),
  kind: oneOf(row, 'kind', isMailKind),
  locale: text(row, 'locale'),
  recipient: text(row, 'recipient'),
  facts: json(row, 'facts', factsShape),
  tries: integer(row, 'tries'),
  createdAt: integerOrNull(row, 'asked_again_at') ?? integer(row, 'created_at'),
})

/** Of every merchant first the mail that has waited longest, so that a merchant with a thousand mails keeps no other off. */
export const findMailsDue = async (sql: Sql, now: Instant, limit: number): Promise<MailRef[]> => {
  const rows = await sql.rows(
    `SELECT merchant_id, id FROM (
       SELECT merchant_id, id, next_try_at,
         row_number() OVER (PARTITION BY merchant_id ORDER BY next_try_at, id) AS place
       FROM mails WHERE next_try_at IS NOT NULL AND next_try_at <= $1
     ) AS due ORDER BY place, next_try_at, merchant_id, id LIMIT $2`,
    now,
    limit,
  )
  return rows.map((row) => ({ merchantId: text(row, 'merchant_id'), mailId: text(row, 'id') }))
}

/** Null where another worker has it, or it has ended. One statement: of two workers one gets the row. */
export const claimMail = async (
  sql: Sql,
  { merchantId, mailId }: MailRef,
  now: Instant,
): Promise<ClaimedMail | null> => {
  const [row] = await sql.rows(
    `UPDATE mails SET state = 'sending', tries = tries + 1, next_try_at = $4
     WHERE merchant_id = $1 AND id = $2 AND next_try_at IS NOT NULL AND next_try_at <= $3 AND recipient IS NOT NULL
     RETURNING *`,
    merchantId,
    mailId,
    now,
    now + MAIL_LEASE_MS,
  )
  return row === undefined ? null : claimedFromRow(row)
}

/** How a try ended. `later`: no connection, or the mail server asks to try again. */
export type MailOutcome =
  | { readonly outcome: 'sent'; readonly answer: string }
  | { readonly outcome: 'later'; readonly answer: string }
  | { readonly outcome: 'refused'; readonly answer: string }

export type EndedMail = 'sent' | 'refused' | 'given_up'

/** A share of the jitter that is a mail's own and never changes: nothing random is needed, and a test can foretell it. */
const shareOf = (id: string): number => Buffer.from(id).reduce((sum, byte) => (sum * 31 + byte) % 997, 7) / 997

/** A try as it is to be written down. */
export interface RecordedTry {
  readonly state: 'waiting' | EndedMail
  readonly nextTryAt: Instant | null
  readonly answer: string
}

export const tryOf = (mail: ClaimedMail, { outcome, answer }: MailOutcome, now: Instant): RecordedTry => {
  if (outcome !== 'later') return { state: outcome, nextTryAt: null, answer }
  const nextTryAt = nextMailTry({ ...mail, share: shareOf(mail.mailId) }, now)
  return { state: nextTryAt === null ? 'given_up' : 'waiting', nextTryAt, answer }
}

/**
 * Writes down how a try ended. False, and nothing is changed, where the lease had ended before the mail server answered:
 * the mail then belongs to another claim.
 */
export const recordTry = async (
  sql: Sql,
  { merchantId, mailId, tries }: ClaimedMail,
  { state, nextTryAt, answer }: RecordedTry,
  now: Instant,
): Promise<boolean> => {
  const rows = await sql.rows(
    `UPDATE mails SET state = $4, next_try_at = $5, answer = $6, ended_at = $7
     WHERE merchant_id = $1 AND id = $2 AND state = 'sending' AND tries = $3 RETURNING id`,
    merchantId,
    mailId,
    tries,
    state,
    nextTryAt,
    answer,
    nextTryAt === null ? now : null,
  )
  return rows.length > 0
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

const EMPTIED_AT_ONCE = 1000

/** Recipient, content and the server's words of mails of more than 30 days ago; what nobody has sent is given up. True when there may be more of them. */
export const emptyOldMails = async (sql: Sql, now: Instant): Promise<boolean> => {
  const emptied = await sql.rows(
    `UPDATE mails SET recipient = NULL, facts = NULL, answer = NULL, next_try_at = NULL,
       state = CASE WHEN state IN ('waiting', 'sending') THEN 'given_up' ELSE state END
     WHERE (merchant_id, id) IN (
       SELECT merchant_id, id FROM mails WHERE recipient IS NOT NULL AND created_at <= $1 ORDER BY created_at LIMIT $2
     ) RETURNING id`,
    now - MAIL_CONTENT_KEPT_MS,
    EMPTIED_AT_ONCE,
  )
  return emptied.length === EMPTIED_AT_ONCE
}
