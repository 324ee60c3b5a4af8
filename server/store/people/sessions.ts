/** Sessions of people in the console. Only the hash of a session is stored; an ended one has no row. */
import { SESSION_MS, type LastPasskey } from '#payment/person-session.ts'
import type { Instant } from '#contract/jst.ts'
import { integer, integerOrNull, prefixedColumns, text, textOrNull } from '../engine/columns.ts'
import { changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import type { Row, Sql } from '../engine/database.ts'
import { PERSON_COLUMNS, personFromRow, type Person } from './people.ts'

export interface PersonSession {
  readonly hash: string
  readonly personId: string
  readonly createdAt: Instant
  /** Up to a minute old. */
  readonly lastUsedAt: Instant
  /** The passkey that was asked for last; null: the session began by a link, or the passkey has been removed. */
  readonly passkey: (LastPasskey & { readonly id: string }) | null
  /** It began by a link although the person had passkeys. */
  readonly isRecovery: boolean
  /** Such as "Chrome, Android". */
  readonly browser: string
}

const ID_LENGTH = 16

/** The id of a session for its owner: the beginning of its hash. It gives no access. */
export const sessionIdOf = ({ hash }: Pick<PersonSession, 'hash'>): string => hash.slice(0, ID_LENGTH)

const COLUMNS = `${prefixedColumns(
  'hash, person_id, created_at, last_used_at, passkey_at, is_recovery, browser',
  'person_sessions',
  'session_',
)}, passkeys.id AS passkey_id, passkeys.confirms_from AS confirms_from`
const TABLES = 'person_sessions LEFT JOIN passkeys ON passkeys.id = person_sessions.passkey_id'

const fromRow = (row: Row): PersonSession => {
  const passkeyId = textOrNull(row, 'passkey_id')
  const at = integerOrNull(row, 'session_passkey_at')
  return {
    hash: text(row, 'session_hash'),
    personId: text(row, 'session_person_id'),
    createdAt: integer(row, 'session_created_at'),
    lastUsedAt: integer(row, 'session_last_used_at'),
    passkey:
      passkeyId === null || at === null ? null : { id: passkeyId, at, confirmsFrom: integer(row, 'confirms_from') },
    isRecovery: integer(row, 'session_is_recovery') === 1,
    browser: text(row, 'session_browser'),
  }
}

/** The caller checks whether it is over. */
export const findSession = async (
  sql: Sql,
  hash: string,
): Promise<{ readonly person: Person; readonly session: PersonSession } | null> => {
  const [row] = await sql.rows(
    `SELECT ${PERSON_COLUMNS}, ${COLUMNS} FROM ${TABLES} JOIN people ON people.id = person_sessions.person_id
     WHERE person_sessions.hash = $1`,
    hash,
  )
  return row === undefined ? null : { person: personFromRow(row), session: fromRow(row) }
}

/** The newest first. */
export const sessionsOf = async (sql: Sql, personId: string): Promise<PersonSession[]> => {
  const rows = await sql.rows(
    `SELECT ${COLUMNS} FROM ${TABLES} WHERE person_sessions.person_id = $1
     ORDER BY person_sessions.created_at DESC, person_sessions.hash`,
    personId,
  )
  return rows.map(fromRow)
}

export interface NewSession extends Pick<PersonSession, 'hash' | 'personId' | 'isRecovery' | 'browser'> {
  readonly passkeyId: string | null
}

export const insertSession = async (sql: Sql, session: NewSession, now: Instant): Promise<void> => {
  await sql.rows(
    `INSERT INTO person_sessions (hash, person_id, created_at, last_used_at, passkey_at, passkey_id, is_recovery, browser)
     VALUES ($1, $2, $3, $3, $4, $5, $6, $7)`,
    session.hash,
    session.personId,
    now,
    session.passkeyId === null ? null : now,
    session.passkeyId,
    session.isRecovery ? 1 : 0,
    session.browser,
  )
}

export const saveSessionUse = async (sql: Sql, hash: string, now: Instant): Promise<void> => {
  await sql.rows('UPDATE person_sessions SET last_used_at = $2 WHERE hash = $1', hash, now)
}

/** A passkey was asked for in this session. */
export const saveSessionPasskey = async (sql: Sql, hash: string, passkeyId: string, now: Instant): Promise<void> => {
  await sql.rows('UPDATE person_sessions SET passkey_at = $2, passkey_id = $3 WHERE hash = $1', hash, now, passkeyId)
}

/** Whether there was one: of two calls at once one alone ends it. */
export const deleteSession = async (sql: Sql, hash: string): Promise<boolean> =>
  (await sql.rows('DELETE FROM person_sessions WHERE hash = $1 RETURNING hash', hash)).length > 0

export const deleteSessionsOf = async (sql: Sql, personId: string): Promise<void> => {
  await sql.rows('DELETE FROM person_sessions WHERE person_id = $1', personId)
}

/** Those that were last confirmed with a passkey, but for one. */
export const deleteSessionsOfPasskey = async (
  sql: Sql,
  { personId, passkeyId, except }: Readonly<Record<'personId' | 'passkeyId' | 'except', string>>,
): Promise<void> => {
  await sql.rows(
    'DELETE FROM person_sessions WHERE person_id = $1 AND passkey_id = $2 AND hash <> $3',
    personId,
    passkeyId,
    except,
  )
}

const OLD_SESSIONS: BatchedChange = {
  table: 'person_sessions',
  key: ['hash'],
  where: 'created_at <= $1',
  order: 'created_at',
  change: 'DELETE',
}

/** Deletes sessions that are over however much they were used. True when there may be more. */
export const deleteOldSessions = (sql: Sql, now: Instant): Promise<boolean> =>
  changeNextBatch(sql, OLD_SESSIONS, [now - SESSION_MS])
