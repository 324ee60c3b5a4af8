/** Recovery: a link signs in a person who has passkeys. All sessions of the person end, and the owners are told. */
import type { Instant } from '#contract/jst.ts'
import { MAIL_LIFETIME_MS } from '#payment/mail-retries.ts'
import type { Sql } from '../../store/engine/database.ts'
import { ownersOfShopsOf } from '../../store/people/memberships.ts'
import { listOperators, type Person } from '../../store/people/people.ts'
import { personMailsWrite } from '../../store/people/person-mails.ts'
import { deleteSessionsOf } from '../../store/people/sessions.ts'
import { noteAtShopsOf, type PeopleDependencies } from './change-people.ts'

/** Also the person: whose mailbox it is reads there that somebody has used it. */
const toldOf = async (sql: Sql, person: Person): Promise<Person[]> => {
  const others = [...(await ownersOfShopsOf(sql, person.id)), ...(person.isOperator ? await listOperators(sql) : [])]
  return [...new Map([person, ...others].map((each) => [each.id, each])).values()]
}

export const recover = async (
  sql: Sql,
  { random }: PeopleDependencies,
  person: Person,
  now: Instant,
): Promise<void> => {
  await deleteSessionsOf(sql, person.id)
  const { name, email } = person
  const mails = (await toldOf(sql, person)).map((each) => ({
    id: random.id(),
    recipient: each.email,
    locale: each.locale,
    facts: { kind: 'recovery', name, email, at: now } as const,
    endsAt: now + MAIL_LIFETIME_MS,
    isSent: true,
  }))
  await sql.writeAll(personMailsWrite(mails, now))
  await noteAtShopsOf(sql, random, person, { by: person, action: 'person_recovered', subject: email, at: now })
}
