/** Test people: persons of shops with a passkey, and sessions of theirs as the console's page would use them. */
import type { MerchantMode } from '#contract/access.ts'
import type { Role } from '#contract/console/roles.ts'
import type { Instant } from '#contract/jst.ts'
import { randomId } from '../../server/ids.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { saveMembership } from '../../server/store/people/memberships.ts'
import { insertPasskey } from '../../server/store/people/passkeys.ts'
import { hashToken, insertPerson, type Person } from '../../server/store/people/people.ts'
import { insertSession } from '../../server/store/people/sessions.ts'

const CONSOLE_HOST = 'console.localhost:3000'

/** What a person is: a member of a shop, an operator of the installation, or neither. */
export interface TestPersonFacts {
  readonly name: string
  readonly isOperator?: boolean
  readonly member?: { readonly merchantId: string; readonly role: Role }
}

const passkeyIdOf = ({ id }: Pick<Person, 'id'>): string => `passkey-${id}`

/** A person with a passkey that confirms. */
export const savePersonWithPasskey = async (
  database: Database,
  { name, isOperator = false, member }: TestPersonFacts,
  now: Instant,
): Promise<Person> => {
  const person: Person = { id: randomId(), email: `${name}@example.com`, name, locale: 'en-US', isOperator }
  await insertPerson(database, person, now)
  const passkey = { id: passkeyIdOf(person), personId: person.id, publicKey: 'a', transports: [], name: 'phone' }
  await insertPasskey(database, { ...passkey, createdAt: now, lastUsedAt: null, confirmsFrom: now }, 0)
  if (member !== undefined) await saveMembership(database, { ...member, personId: person.id }, now)
  return person
}

/** A new session, whose passkey was asked for now unless it began by a link. Returns the token of its cookie. */
export const openSession = async (
  database: Database,
  { id: personId }: Pick<Person, 'id'>,
  now: Instant,
  beganBy: 'passkey' | 'link' = 'passkey',
): Promise<string> => {
  const token = randomId()
  const passkeyId = beganBy === 'passkey' ? passkeyIdOf({ id: personId }) : null
  await insertSession(
    database,
    { hash: hashToken(token), personId, passkeyId, isRecovery: false, browser: 'Chrome' },
    now,
  )
  return token
}

/** Headers of a call that the console's own page makes. */
export const consoleHeaders = (
  session: string,
  { merchant, mode = 'test' }: { readonly merchant: string; readonly mode?: MerchantMode },
): Record<string, string> => ({
  host: CONSOLE_HOST,
  cookie: `kaikei-session=${session}`,
  'sec-fetch-site': 'same-origin',
  merchant,
  mode,
})

/** The same call as somebody else would have a browser make it, or after the person has signed out: none is accepted. */
export const FORGED_HEADERS: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  'from another site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  'from the host of a shop': { 'sec-fetch-site': 'same-site', origin: 'http://tea.localhost:3000' },
  'by hand, in the address bar': { 'sec-fetch-site': 'none' },
  'without telling where it comes from': { 'sec-fetch-site': undefined },
  'of an old browser on another host': { 'sec-fetch-site': undefined, origin: 'http://tea.localhost:3000' },
  'from a frame without an origin': { 'sec-fetch-site': 'cross-site', origin: 'null' },
  'to the host of a shop': { host: 'tea.localhost:3000' },
  'to the bare base': { host: 'localhost:3000' },
  'without a session': { cookie: undefined },
  'with two sessions': { cookie: `kaikei-session=${'a'.repeat(32)}; kaikei-session=${'b'.repeat(32)}` },
}

/** A header that is undefined is not sent. */
export const headersSent = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
