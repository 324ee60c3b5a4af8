/** Mail claims: finds due mails, gives one worker the lease of a mail, and stores the outcome of each try. */
import { Compile } from 'typebox/compile'
import { EndpointMailFacts, MailFacts, NotificationFacts } from '#contract/mail-facts.ts'
import type { Instant } from '#contract/jst.ts'
import { isEndpointMailKind, type EndpointMailKind } from '#payment/endpoint-mail.ts'
import { isMailKind, type MailKind } from '#payment/mail.ts'
import { CONFIRMATION } from '#payment/mail-permission.ts'
import { isNotificationKind, type NotificationKind } from '#payment/notification-mails.ts'
import { MAIL_AHEAD_MAX_MS, MAIL_LEASE_MS, mailTryAfter, nextMailTry } from '#payment/mail-retries.ts'
import type { CheckoutRef } from '#payment/references.ts'
import { changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import type { Row, Sql } from '../engine/database.ts'
import { integer, integerOrNull, json, oneOf, text, textOrNull } from '../engine/columns.ts'
import type { MailRef } from './mails.ts'

const factsShape = Compile(MailFacts)
const endpointFactsShape = Compile(EndpointMailFacts)
const notificationFactsShape = Compile(NotificationFacts)

/** A due mail. Mails to shoppers and mails to shops have separate limits, so that neither waits for all of the other. */
export interface DueMail extends MailRef {
  readonly isToShopper: boolean
}

interface ClaimedRow extends MailRef {
  readonly recipient: string
  /** Includes this try: it fences this claim against the next one, if the lease ends before the mail is sent. */
  readonly tries: number
  /** The time of its creation, or of an operator's retry: its lifetime begins then. */
  readonly createdAt: Instant
}

export interface ClaimedShopperMail extends ClaimedRow, CheckoutRef {
  readonly to: 'shopper'
  readonly kind: MailKind
  readonly locale: string
  readonly facts: MailFacts
}

/** About a failing webhook endpoint of the shop. */
interface ClaimedEndpointMail extends ClaimedRow {
  readonly to: 'shop'
  readonly about: 'endpoint'
  readonly kind: EndpointMailKind
  readonly locale: string | null
  readonly facts: EndpointMailFacts
}

/** About payments. */
interface ClaimedNotification extends ClaimedRow {
  readonly to: 'shop'
  readonly about: 'payments'
  readonly kind: NotificationKind
  readonly locale: string | null
  readonly facts: NotificationFacts
}

/** Asks an address whether it wants mails that an API key can trigger. */
export interface ClaimedConfirmation extends ClaimedRow {
  readonly to: 'address'
  readonly kind: typeof CONFIRMATION
  readonly locale: string | null
}

/** A mail that only this worker may send until its lease ends. */
export type ClaimedMail = ClaimedShopperMail | ClaimedEndpointMail | ClaimedNotification | ClaimedConfirmation

const claimedFromRow = (row: Row): ClaimedMail => {
  const claimed = {
    merchantId: text(row, 'merchant_id'),
    mailId: text(row, 'id'),
    recipient: text(row, 'recipient'),
    tries: integer(row, 'tries'),
    createdAt: integerOrNull(row, 'asked_again_at') ?? integer(row, 'created_at'),
  }
  const kind = text(row, 'kind')
  if (kind === CONFIRMATION) return { ...claimed, to: 'address', kind, locale: textOrNull(row, 'locale') }
  if (isEndpointMailKind(kind)) {
    const [locale, facts] = [textOrNull(row, 'locale'), json(row, 'facts', endpointFactsShape)]
    return { ...claimed, to: 'shop', about: 'endpoint', kind, locale, facts }
  }
  if (isNotificationKind(kind)) {
    const [locale, facts] = [textOrNull(row, 'locale'), json(row, 'facts', notificationFactsShape)]
    return { ...claimed, to: 'shop', about: 'payments', kind, locale, facts }
  }
  return {
    ...claimed,
    to: 'shopper',
    checkoutId: text(row, 'checkout_id'),
    kind: oneOf(row, 'kind', isMailKind),
    locale: text(row, 'locale'),
    facts: json(row, 'facts', factsShape),
  }
}

/** Shops with a waiting mail, each found by one step in the index of theirs. */
const SHOPS = `shops (id) AS (
  SELECT MIN(merchant_id) FROM mails WHERE next_try_at IS NOT NULL
  UNION ALL
  SELECT (SELECT MIN(merchant_id) FROM mails WHERE next_try_at IS NOT NULL AND merchant_id > shops.id)
  FROM shops WHERE shops.id IS NOT NULL
)`

/** Of each shop, in their order. Caps let far fewer mails to a shop itself wait, so that they never hide those to its shoppers. */
const READ_OF_SHOP = 1000

/**
 * Up to when mails of each shop are read. Read whole, a backlog of 100,000 mails would keep SQLite, and with it every payment, for
 * a third of a second each time. MATERIALIZED: in the join, PostgreSQL would look for the bound once for each mail.
 */
const BOUNDS = `bounds (id, until) AS MATERIALIZED (
  SELECT shops.id, COALESCE((SELECT next_try_at FROM mails WHERE merchant_id = shops.id AND next_try_at <= $1
    ORDER BY next_try_at, id LIMIT 1 OFFSET $3), $1)
  FROM shops WHERE shops.id IS NOT NULL
)`

/**
 * Each merchant's longest waiting mail comes first, so that a merchant with a thousand mails does not delay the others. Mails to
 * shoppers and to others alternate.
 */
export const findMailsDue = async (sql: Sql, now: Instant, limit: number): Promise<DueMail[]> => {
  const rows = await sql.rows(
    `WITH RECURSIVE ${SHOPS}, ${BOUNDS} SELECT merchant_id, id, about FROM (
       SELECT merchant_id, mails.id, next_try_at, CASE WHEN checkout_id IS NULL THEN 'none' ELSE 'checkout' END AS about,
         row_number() OVER (PARTITION BY merchant_id, checkout_id IS NULL ORDER BY next_try_at, mails.id) AS place
       FROM bounds JOIN mails ON merchant_id = bounds.id AND next_try_at <= until
     ) AS due ORDER BY place, next_try_at, merchant_id, id LIMIT $2`,
    now,
    limit,
    Math.max(limit, READ_OF_SHOP),
  )
  return rows.map((row) => ({
    merchantId: text(row, 'merchant_id'),
    mailId: text(row, 'id'),
    isToShopper: text(row, 'about') === 'checkout',
  }))
}

const LATE_MAIL_WAITS: BatchedChange = {
  table: 'mails',
  key: ['merchant_id', 'id'],
  where: 'next_try_at > $1',
  order: 'next_try_at',
  change: 'SET next_try_at = $3',
}

/** After a clock was set back, mails would wait and leases would last for years: this makes them due now. */
export const endLateMailWaits = (sql: Sql, now: Instant): Promise<boolean> =>
  changeNextBatch(sql, LATE_MAIL_WAITS, [now + MAIL_AHEAD_MAX_MS], [now])

/** Null where another worker has claimed it, or it has ended. One statement, so only one of two workers gets the row. */
export const claimMail = async (
  sql: Sql,
  { merchantId, mailId }: MailRef,
  now: Instant,
): Promise<ClaimedMail | null> => {
  const [row] = await sql.rows(
    `UPDATE mails SET state = 'sending', tries = tries + 1, next_try_at = $4
     WHERE merchant_id = $1 AND id = $2 AND next_try_at IS NOT NULL AND next_try_at <= $3 AND recipient IS NOT NULL
     RETURNING merchant_id, id, recipient, tries, asked_again_at, created_at, kind, locale, facts, checkout_id`,
    merchantId,
    mailId,
    now,
    now + MAIL_LEASE_MS,
  )
  return row === undefined ? null : claimedFromRow(row)
}

/** The outcome of a try. `later`: no connection, or the mail server asks for a retry. `waits`: not before a time. */
export type MailOutcome =
  | { readonly outcome: 'waits'; readonly answer: string; readonly until: Instant }
  | { readonly outcome: 'sent'; readonly answer: string }
  | { readonly outcome: 'later'; readonly answer: string }
  | { readonly outcome: 'refused'; readonly answer: string }

export type EndedMail = 'sent' | 'refused' | 'given_up'

/** The jitter of a mail, derived from its id: it never changes, and tests can compute it. */
const shareOf = (id: string): number => Buffer.from(id).reduce((sum, byte) => (sum * 31 + byte) % 997, 7) / 997

/** The outcome of a try as it is stored. */
export interface RecordedTry {
  readonly state: 'waiting' | EndedMail
  readonly nextTryAt: Instant | null
  readonly answer: string
}

export const tryOf = (mail: ClaimedMail, outcome: MailOutcome, now: Instant): RecordedTry => {
  const { answer } = outcome
  if (outcome.outcome === 'sent' || outcome.outcome === 'refused')
    return { state: outcome.outcome, nextTryAt: null, answer }
  const timed = { ...mail, share: shareOf(mail.mailId) }
  const nextTryAt = outcome.outcome === 'waits' ? mailTryAfter(timed, outcome.until, now) : nextMailTry(timed, now)
  return { state: nextTryAt === null ? 'given_up' : 'waiting', nextTryAt, answer }
}

/** Deletes a claimed mail that has become pointless. */
export const dropMail = async (sql: Sql, { merchantId, mailId, tries }: ClaimedMail): Promise<void> => {
  await sql.rows(
    "DELETE FROM mails WHERE merchant_id = $1 AND id = $2 AND state = 'sending' AND tries = $3",
    merchantId,
    mailId,
    tries,
  )
}

/** Stores the outcome of a try. False, and nothing is changed, where the lease has ended and another claim has the mail. */
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
