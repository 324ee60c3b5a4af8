/** Mails to people: links and notices. A mail that has ended has no row. The token of a link is made when it is sent. */
import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Instant } from '#contract/jst.ts'
import { isConsoleLocale, type ConsoleLocale } from '#contract/console/locale.ts'
import { MAIL_AHEAD_MAX_MS, MAIL_LEASE_MS, nextMailTry } from '#payment/mail-retries.ts'
import { integer, json, oneOf, text } from '../engine/columns.ts'
import { changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import type { Row, Sql, Write } from '../engine/database.ts'
import { insertRecords } from '../engine/write.ts'

const SignInFacts = Type.Object({ kind: Type.Literal('sign_in') })
const InvitationFacts = Type.Object({
  kind: Type.Literal('invitation'),
  /** The name of the shop; null: the whole installation. */
  shop: Type.Union([Type.String(), Type.Null()]),
})
const RecoveryFacts = Type.Object({
  kind: Type.Literal('recovery'),
  /** Whose access was recovered. */
  name: Type.String(),
  email: Type.String(),
  at: Type.Integer(),
})
const PersonMailFacts = Type.Union([SignInFacts, InvitationFacts, RecoveryFacts])
export type PersonMailFacts = Static<typeof PersonMailFacts>
const factsShape = Compile(PersonMailFacts)

export interface NewPersonMail {
  /** The hash of its link, or random. */
  readonly id: string
  readonly recipient: string
  readonly locale: ConsoleLocale
  readonly facts: PersonMailFacts
  /** From then on it tells nothing that is still true. */
  readonly endsAt: Instant
  /** Null: never, because nobody has this address. It is written all the same, so that asking costs the same. */
  readonly sendAt: Instant | null
}

export const personMailsWrite = (mails: readonly NewPersonMail[], now: Instant): Write[] =>
  insertRecords(
    'person_mails',
    mails.map(({ id, recipient, locale, facts, endsAt, sendAt }) => ({
      id,
      kind: facts.kind,
      locale,
      recipient,
      facts: JSON.stringify(facts),
      tries: 0,
      next_try_at: sendAt,
      created_at: now,
      ends_at: endsAt,
    })),
  )

export interface DuePersonMail {
  /** Of no merchant: the queue of the worker counts all of them as one. */
  readonly merchantId: ''
  readonly mailId: string
}

export const findPersonMailsDue = async (sql: Sql, now: Instant, limit: number): Promise<DuePersonMail[]> => {
  const rows = await sql.rows(
    `SELECT id FROM person_mails WHERE next_try_at IS NOT NULL AND next_try_at <= $1 ORDER BY next_try_at LIMIT $2`,
    now,
    limit,
  )
  return rows.map((row) => ({ merchantId: '', mailId: text(row, 'id') }))
}

/** A mail that only this worker may send until its lease ends. */
export interface ClaimedPersonMail extends Omit<NewPersonMail, 'sendAt'> {
  readonly tries: number
  readonly createdAt: Instant
}

const claimedFromRow = (row: Row): ClaimedPersonMail => ({
  id: text(row, 'id'),
  recipient: text(row, 'recipient'),
  locale: oneOf(row, 'locale', isConsoleLocale),
  facts: json(row, 'facts', factsShape),
  endsAt: integer(row, 'ends_at'),
  tries: integer(row, 'tries'),
  createdAt: integer(row, 'created_at'),
})

/** Null where another worker has claimed it, or it has ended. */
export const claimPersonMail = async (sql: Sql, id: string, now: Instant): Promise<ClaimedPersonMail | null> => {
  const [row] = await sql.rows(
    `UPDATE person_mails SET tries = tries + 1, next_try_at = $3
     WHERE id = $1 AND next_try_at IS NOT NULL AND next_try_at <= $2
     RETURNING id, recipient, locale, facts, tries, created_at, ends_at`,
    id,
    now,
    now + MAIL_LEASE_MS,
  )
  return row === undefined ? null : claimedFromRow(row)
}

/** Sent, refused, or of no use any more. */
export const deletePersonMail = async (sql: Sql, { id, tries }: ClaimedPersonMail): Promise<void> => {
  await sql.rows('DELETE FROM person_mails WHERE id = $1 AND tries = $2', id, tries)
}

/** What it tells is not true any more. */
export const forgetPersonMail = async (sql: Sql, id: string): Promise<void> => {
  await sql.rows('DELETE FROM person_mails WHERE id = $1', id)
}

/** Tries it again later; false: it would be too late by then, and it is deleted. */
export const postponePersonMail = async (sql: Sql, mail: ClaimedPersonMail, now: Instant): Promise<boolean> => {
  const next = nextMailTry({ ...mail, share: 0 }, now)
  if (next === null || next >= mail.endsAt) {
    await deletePersonMail(sql, mail)
    return false
  }
  await sql.rows('UPDATE person_mails SET next_try_at = $3 WHERE id = $1 AND tries = $2', mail.id, mail.tries, next)
  return true
}

const OLD_MAILS: BatchedChange = {
  table: 'person_mails',
  key: ['id'],
  where: 'ends_at <= $1',
  order: 'ends_at',
  change: 'DELETE',
}

/** True when there may be more. */
export const deleteOldPersonMails = (sql: Sql, now: Instant): Promise<boolean> => changeNextBatch(sql, OLD_MAILS, [now])

const LATE_WAITS: BatchedChange = {
  table: 'person_mails',
  key: ['id'],
  where: 'next_try_at > $1',
  order: 'next_try_at',
  change: 'SET next_try_at = $3',
}

/** After a clock was set back, mails would wait for years: this makes them due now. */
export const endLatePersonMailWaits = (sql: Sql, now: Instant): Promise<boolean> =>
  changeNextBatch(sql, LATE_WAITS, [now + MAIL_AHEAD_MAX_MS], [now])
