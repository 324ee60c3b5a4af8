/** Joining: the first person of an installation, and a person who accepts an invitation. */
import type { ConsumeLinkBody } from '#contract/console/sign-in.ts'
import { refuseField, type Refusal } from '#contract/errors.ts'
import { readName } from '#payment/entered-name.ts'
import type { Sql } from '../../store/engine/database.ts'
import type { PersonLink } from '../../store/people/links.ts'
import { findMembership, saveMembership } from '../../store/people/memberships.ts'
import { insertPerson, savePerson, type Person } from '../../store/people/people.ts'
import { noteAtShop, type PeopleDependencies } from './change-people.ts'
import { readEmail } from './entered-person.ts'

const newPerson = (
  { random }: PeopleDependencies,
  email: string,
  { name: given, locale }: ConsumeLinkBody,
): Person | Refusal => {
  const name = readName(given ?? '')
  return typeof name === 'string' ? { id: random.id(), email, name, locale: locale ?? 'ja', isOperator: false } : name
}

/** Gives a person what the link is for: a role at a shop, or the installation. */
const join = async (sql: Sql, deps: PeopleDependencies, link: PersonLink, person: Person): Promise<void> => {
  const at = deps.clock.now()
  const { shop } = link
  // A person of the shop keeps the role that an owner has given since.
  const isNew = shop !== null && (await findMembership(sql, shop.merchantId, person.id)) === null
  if (isNew) await saveMembership(sql, { ...shop, personId: person.id }, at)
  if (link.kind === 'setup' || shop === null) await savePerson(sql, { ...person, isOperator: true })
  const details = shop === null ? 'operator' : shop.role
  const noted = { by: person, action: 'person_joined', subject: person.email, details, at } as const
  await noteAtShop(sql, deps.random, shop?.merchantId ?? null, noted)
}

/** Owner of the shop of the link, and operator of the installation. */
export const createFirstPerson = async (
  sql: Sql,
  deps: PeopleDependencies,
  link: PersonLink,
  entered: ConsumeLinkBody,
): Promise<Person | Refusal> => {
  if (entered.email === undefined) return refuseField('email', 'is missing. Send the address of the person.')
  const email = readEmail(entered.email)
  if (typeof email !== 'string') return email
  const person = newPerson(deps, email, entered)
  if ('refused' in person) return person
  await insertPerson(sql, person, deps.clock.now())
  await join(sql, deps, link, person)
  return person
}

/** `known`: the person who has the address already. */
export const acceptInvitation = async (
  sql: Sql,
  deps: PeopleDependencies,
  link: PersonLink,
  known: Person | null,
  entered: ConsumeLinkBody,
): Promise<Person | Refusal> => {
  const person = known ?? newPerson(deps, link.email, entered)
  if ('refused' in person) return person
  if (known === null) await insertPerson(sql, person, deps.clock.now())
  await join(sql, deps, link, person)
  return person
}
