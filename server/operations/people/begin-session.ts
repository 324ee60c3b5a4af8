/** Begins a session of a person, and ends those that are too many. */
import type { Instant } from '#contract/jst.ts'
import { isSessionOver } from '#payment/person-session.ts'
import type { Random } from '#payment/ports.ts'
import type { Sql } from '../../store/engine/database.ts'
import { hashToken } from '../../store/people/people.ts'
import { deleteSession, insertSession, sessionsOf, type NewSession } from '../../store/people/sessions.ts'

/** Of one person, in as many browsers. */
const SESSIONS_MAX = 20

/** Returns what the cookie holds, which is not stored. */
export const beginSession = async (
  sql: Sql,
  random: Random,
  session: Omit<NewSession, 'hash'>,
  now: Instant,
): Promise<string> => {
  const token = random.id()
  const before = await sessionsOf(sql, session.personId)
  const kept = before.filter((each) => !isSessionOver(each, now)).slice(0, SESSIONS_MAX - 1)
  for (const each of before) if (!kept.includes(each)) await deleteSession(sql, each.hash)
  await insertSession(sql, { ...session, hash: hashToken(token) }, now)
  return token
}
