/** Challenges that were answered, so that none is answered twice. Only the hash is stored. */
import { CHALLENGE_MS } from '#payment/person-session.ts'
import { MINUTE_MS, type Instant } from '#contract/jst.ts'
import { changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import type { Sql } from '../engine/database.ts'
import { hashToken } from './people.ts'

/** Longer than it can be answered, by the clock of every server. */
const KEPT_MS = CHALLENGE_MS + MINUTE_MS

/** False: it was answered before. Of two answers at once one alone counts. */
export const endChallenge = async (sql: Sql, challenge: string, now: Instant): Promise<boolean> => {
  const rows = await sql.rows(
    // Servers up to 1.51 would take a row of another purpose and session for a question that is still open: none has these.
    `INSERT INTO passkey_challenges (hash, purpose, session_hash, expires_at) VALUES ($1, 'sign_in', 'answered', $2)
     ON CONFLICT (hash) DO NOTHING RETURNING hash`,
    hashToken(challenge),
    now + KEPT_MS,
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
