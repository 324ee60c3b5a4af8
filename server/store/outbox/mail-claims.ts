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

/** Mails to shoppers are about a checkout, all others are to shops. */
const GROUPS = [
  { name: 'to_shoppers', about: 'checkout', isOfGroup: 'mails.checkout_id IS NOT NULL' },
  { name: 'to_shops', about: 'none', isOfGroup: 'mails.checkout_id IS NULL' },
] as const
type Group = (typeof GROUPS)[number]

const nextDue = (column: 'next_try_at' | 'id', merchantId: string, where: string): string =>
  `(SELECT mails.${column} FROM mails WHERE mails.merchant_id = ${merchantId} AND mails.next_try_at IS NOT NULL
    AND mails.next_try_at <= $1 AND ${where} ORDER BY mails.next_try_at, mails.id LIMIT 1)`

/** From each merchant's longest waiting mail of a group to its next ones: first the first of all merchants, then the second of all. */
const walkOf = ({ name, isOfGroup }: Group): string => {
  const isBehind = `${isOfGroup} AND (mails.next_try_at, mails.id) > (${name}.at, ${name}.id)`
  return `${name} (merchant_id, at, id, place) AS (
    SELECT * FROM (SELECT merchant_id, at, id, 1 FROM (
        SELECT merchant_id, ${nextDue('next_try_at', 'shops.merchant_id', isOfGroup)} AS at,
          ${nextDue('id', 'shops.merchant_id', isOfGroup)} AS id FROM shops
        WHERE merchant_id IS NOT NULL) AS found
      WHERE id IS NOT NULL ORDER BY at, merchant_id LIMIT $2) AS firsts
    UNION ALL
    SELECT merchant_id, ${nextDue('next_try_at', `${name}.merchant_id`, isBehind)},
      ${nextDue('id', `${name}.merchant_id`, isBehind)}, place + 1
    FROM ${name} WHERE id IS NOT NULL AND place < $2)`
}

/**
 * The worker asks each second: one look at an index for each merchant with mails that wait, and one for each mail that is
 * answered. To rank all that wait took a second among 177,000. Both engines end a walk once its LIMIT is reached.
 */
const MAILS_DUE = `WITH RECURSIVE shops (merchant_id) AS (
    SELECT MIN(merchant_id) FROM mails WHERE next_try_at IS NOT NULL
    UNION ALL
    SELECT (SELECT MIN(merchant_id) FROM mails WHERE next_try_at IS NOT NULL AND merchant_id > shops.merchant_id)
    FROM shops WHERE shops.merchant_id IS NOT NULL
  ), ${GROUPS.map(walkOf).join(', ')}
  SELECT merchant_id, id, about FROM (${GROUPS.map(
    ({ name, about }) => `SELECT * FROM (SELECT merchant_id, at, id, place, '${about}' AS about FROM ${name}
      WHERE id IS NOT NULL LIMIT $2) AS some_${name}`,
  ).join(' UNION ALL ')}) AS due ORDER BY place, at, merchant_id, id LIMIT $2`

/**
 * Each merchant's longest waiting mail comes first, so that a merchant with a thousand mails does not delay the others. Mails to
 * shoppers and to others alternate.
 */
export const findMailsDue = async (sql: Sql, now: Instant, limit: number): Promise<DueMail[]> =>
  (await sql.rows(MAILS_DUE, now, limit)).map((row) => ({
    merchantId: text(row, 'merchant_id'),
    mailId: text(row, 'id'),
    isToShopper: text(row, 'about') === 'checkout',
  }))

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
