/** Challenges: what an authenticator is asked to sign, once, for one purpose, in one session. Only the hash is stored. */
import { CHALLENGE_MS } from '#payment/person-session.ts'
import type { Instant } from '#contract/jst.ts'
import { changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import type { Sql } from '../engine/database.ts'

export interface Challenge {
  readonly hash: string
  readonly purpose: 'sign_in' | 'enrol' | 'confirm'
  /** Null: nobody has signed in yet. */
  readonly sessionHash: string | null
}

export const insertChallenge = async (
  sql: Sql,
  { hash, purpose, sessionHash }: Challenge,
  now: Instant,
): Promise<void> => {
  await sql.rows(
    'INSERT INTO passkey_challenges (hash, purpose, session_hash, expires_at) VALUES ($1, $2, $3, $4)',
    hash,
    purpose,
    sessionHash,
    now + CHALLENGE_MS,
  )
}

/** Whether this challenge was asked for, and not answered yet. It is gone afterwards: of two answers at once one alone counts. */
export const takeChallenge = async (
  sql: Sql,
  { hash, purpose, sessionHash }: Challenge,
  now: Instant,
): Promise<boolean> => {
  const rows = await sql.rows(
    `DELETE FROM passkey_challenges
     WHERE hash = $1 AND purpose = $2 AND coalesce(session_hash, '') = $3 AND expires_at > $4 RETURNING hash`,
    hash,
    purpose,
    sessionHash ?? '',
    now,
  )
  return rows.length > 0
}

const OLD_CHALLENGES: BatchedChange = {
  table: 'passkey_challenges',
  key: ['hash'],
  where: 'expires_at <= $1',
  order: 'expires_at',
  change: 'DELETE',
}

/** True when there may be more. */
export const deleteOldChallenges = (sql: Sql, now: Instant): Promise<boolean> =>
  changeNextBatch(sql, OLD_CHALLENGES, [now])
