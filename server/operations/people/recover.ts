/** Recovery: a link signs in a person who has passkeys. All sessions of the person end, passkeys of an earlier recovery that still wait are removed, and the owners are told. */
import type { Instant } from '#contract/jst.ts'
import { isYetToCome } from '#payment/clock.ts'
import { MAIL_LIFETIME_MS } from '#payment/mail-retries.ts'
import type { Random } from '#payment/ports.ts'
import type { Sql } from '../../store/engine/database.ts'
import { ownersOfShopsOf } from '../../store/people/memberships.ts'
import { deletePasskey, passkeysOf, type Passkey } from '../../store/people/passkeys.ts'
import { hasRecovered, listOperators, saveRecovered, type Person } from '../../store/people/people.ts'
import { personMailsWrite } from '../../store/people/person-mails.ts'
import { deleteSessionsOf, deleteSessionsOfPasskey } from '../../store/people/sessions.ts'
import { noteAtShopsOf, type PeopleDependencies } from './change-people.ts'
import type { SignedInPerson } from './passkeys.ts'

/** Also the person: whose mailbox it is reads there that somebody has used it. */
const toldOf = async (sql: Sql, person: Person): Promise<Person[]> => {
  const others = [...(await ownersOfShopsOf(sql, person.id)), ...(person.isOperator ? await listOperators(sql) : [])]
  return [...new Map([person, ...others].map((each) => [each.id, each])).values()]
}

const removeAll = async (
  sql: Sql,
  random: Random,
  { person, passkeys }: { readonly person: Person; readonly passkeys: readonly Passkey[] },
  now: Instant,
): Promise<void> => {
  for (const { id, name: details } of passkeys) {
    await deletePasskey(sql, id)
    const noted = { by: person, action: 'passkey_removed', subject: person.email, details, at: now } as const
    await noteAtShopsOf(sql, random, person, noted)
  }
}

/**
 * Otherwise one recovery after another would fill the places of the person. Where all wait, because a clock was set back, they
 * stay: without any, the next passkey would confirm at once.
 */
const removeWaiting = async (sql: Sql, random: Random, person: Person, now: Instant): Promise<void> => {
  const known = await passkeysOf(sql, person.id)
  const waiting = known.filter(({ confirmsFrom }) => isYetToCome(confirmsFrom, now))
  if (waiting.length === known.length) return
  await removeAll(sql, random, { person, passkeys: waiting }, now)
}

/**
 * Before a person who has recovered accepts an invitation: of the passkeys the one alone stays that the session was confirmed
 * with. Another may be of somebody who had registered the address first, and would sign in with the new role.
 */
export const keepOnePasskey = async (
  sql: Sql,
  { random }: PeopleDependencies,
  { person, session }: SignedInPerson,
  now: Instant,
): Promise<void> => {
  if (!(await hasRecovered(sql, person.id))) return
  const others = (await passkeysOf(sql, person.id)).filter(({ id }) => id !== session.passkey?.id)
  await removeAll(sql, random, { person, passkeys: others }, now)
  for (const { id: passkeyId } of others)
    await deleteSessionsOfPasskey(sql, { personId: person.id, passkeyId, except: session.hash })
  await saveRecovered(sql, person.id, false)
}

export const recover = async (
  sql: Sql,
  { random }: PeopleDependencies,
  person: Person,
  now: Instant,
): Promise<void> => {
  await deleteSessionsOf(sql, person.id)
  await removeWaiting(sql, random, person, now)
  await saveRecovered(sql, person.id, true)
  const { name, email } = person
  const mails = (await toldOf(sql, person)).map((each) => ({
    id: random.id(),
    recipient: each.email,
    locale: each.locale,
    facts: { kind: 'recovery', name, email, at: now } as const,
    endsAt: now + MAIL_LIFETIME_MS,
    sendAt: now,
  }))
  await sql.writeAll(personMailsWrite(mails, now))
  await noteAtShopsOf(sql, random, person, { by: person, action: 'person_recovered', subject: email, at: now })
}
