/** Retried mails: those that an operator names, or that failed since a time, are to be tried again. */
import type { Instant } from '#contract/jst.ts'
import { isMailState, type MailState } from '#contract/mail-facts.ts'
import { oneOf, text, textOrNull, type Row, type Sql } from '../engine/database.ts'
import type { MailRef } from './mail-claims.ts'

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
