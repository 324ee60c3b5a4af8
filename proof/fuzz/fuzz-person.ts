/** Person under fuzz: the owner of the shop, who is also the operator, signed in many times. */
import type { Database } from '../../server/store/engine/database.ts'
import type { Instant } from '#contract/jst.ts'
import { openSession, savePersonWithPasskey } from '../harness/test-people.ts'
import type { FuzzSite } from './fuzz-request.ts'

export const signInUnderFuzz = async (
  database: Database,
  merchantId: string,
  { now, sessions: count }: { readonly now: Instant; readonly sessions: number },
): Promise<NonNullable<FuzzSite['console']>> => {
  const facts = { name: 'owner', isOperator: true, member: { merchantId, role: 'owner' } } as const
  const person = await savePersonWithPasskey(database, facts, now)
  const sessions: string[] = []
  for (let each = 0; each < count; each += 1) sessions.push(await openSession(database, person, now))
  return { personId: person.id, sessions }
}
