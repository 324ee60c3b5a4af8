/** Links by mail: asked for, looked at, and used once. */
import type { ConsumeLinkBody, LinkAnswer } from '#contract/console/sign-in.ts'
import type { ConsoleLocale } from '#contract/console/locale.ts'
import { refuse, type Refusal } from '#contract/errors.ts'
import { HOUR_MS, type Instant } from '#contract/jst.ts'
import { siteOf } from '#payment/client-network-limits.ts'
import { mayMailLink, SIGN_IN_LINK_MS } from '#payment/person-session.ts'
import type { ConsoleSignIn } from '../../config/console.ts'
import type { Sql } from '../../store/engine/database.ts'
import { readShop } from '../../store/merchant/merchants.ts'
import {
  endLink,
  endLinksTo,
  findOpenLink,
  linkWrite,
  networksThatAsked,
  type PersonLink,
} from '../../store/people/links.ts'
import { findPersonByEmail, hasPeople, hashToken, type Person } from '../../store/people/people.ts'
import { passkeysOf } from '../../store/people/passkeys.ts'
import { personMailsWrite } from '../../store/people/person-mails.ts'
import { findSession, type PersonSession } from '../../store/people/sessions.ts'
import { beginSession } from './begin-session.ts'
import { changePeople, type PeopleDependencies } from './change-people.ts'
import { readEmail } from './entered-person.ts'
import { acceptInvitation, createFirstPerson } from './join.ts'
import { newPasskeyProblem, type SignedInPerson } from './passkeys.ts'
import { keepOnePasskey, recover } from './recover.ts'

/** How the console is set. */
export interface ConsoleSettings {
  readonly signIn: ConsoleSignIn
  readonly sendsMail: boolean
}

/** Nobody: no id of a person is empty. */
const NOBODY = ''

interface AskedLink {
  readonly email: string
  readonly locale: ConsoleLocale
  readonly browserHash: string
  /** That asks. */
  readonly network: string
}

/**
 * Queues a link that signs in. The same reads and writes whether the address is known or not: by the time that it takes nobody
 * learns who is a person of a shop.
 */
export const askForLink = async (
  { database, clock, random }: PeopleDependencies,
  { signIn, sendsMail }: ConsoleSettings,
  asked: AskedLink,
): Promise<Refusal | null> => {
  const email = readEmail(asked.email)
  if (typeof email !== 'string') return email
  const now = clock.now()
  // A provider gives one customer a whole /48, and so has whoever would be counted as many.
  const network = siteOf(asked.network) ?? asked.network
  const isTooMany = async (sql: Sql): Promise<boolean> =>
    !mayMailLink(await networksThatAsked(sql, email, now - HOUR_MS), network)
  // Before the lock too: who asks for an address again and again must not hold connections that wait for each other.
  if (await isTooMany(database)) return null
  return database.transact(async (sql) => {
    // Also of an unknown address, or the time would tell. Without it, of thirty at the same time most pass the limit.
    await sql.lockNames(`links to ${email}`)
    if (await isTooMany(sql)) return null
    const person = await findPersonByEmail(sql, email)
    const passkeys = await passkeysOf(sql, person?.id ?? NOBODY)
    const expiresAt = now + SIGN_IN_LINK_MS
    const ofNobody = { shop: null, invitedBy: null }
    const { locale, browserHash } = asked
    const link: PersonLink = {
      // Of a token that nobody gets: the one that works is made when the mail is sent.
      hash: hashToken(random.id()),
      kind: 'sign_in',
      email,
      browserHash,
      network,
      ...ofNobody,
      createdAt: now,
      expiresAt,
    }
    const isSent = person !== null && sendsMail && (signIn === 'link' || passkeys.length === 0)
    const facts = { kind: 'sign_in' } as const
    const mail = { id: link.hash, recipient: email, locale, facts, endsAt: expiresAt, sendAt: isSent ? now : null }
    await sql.writeAll([...linkWrite(link), ...personMailsWrite([mail], now)])
    return null
  })
}

/** A link with the person it is for, as far as there is one. */
interface FoundLink {
  readonly link: PersonLink
  readonly person: Person | null
  readonly hasPasskeys: boolean
}

/** The link of a token, or why it cannot be used: unknown, used, ended, of another browser, or switched off. One answer for all. */
const findLink = async (
  sql: Sql,
  { signIn }: ConsoleSettings,
  { token, browserHash, now }: { readonly token: string; readonly browserHash: string | null; readonly now: number },
): Promise<FoundLink | Refusal> => {
  const link = await findOpenLink(sql, hashToken(token), now)
  if (link === null || (link.browserHash !== null && link.browserHash !== browserHash)) return refuse('link_not_usable')
  if (link.kind === 'setup')
    return (await hasPeople(sql)) ? refuse('link_not_usable') : { link, person: null, hasPasskeys: false }
  const person = await findPersonByEmail(sql, link.email)
  const hasPasskeys = person !== null && (await passkeysOf(sql, person.id)).length > 0
  // Null: an operator has made it by the command line, which no setting of the console switches off.
  const isSwitchedOff = signIn === 'passkey' && hasPasskeys && link.browserHash !== null
  if (link.kind === 'sign_in' && (person === null || isSwitchedOff)) return refuse('link_not_usable')
  return { link, person, hasPasskeys }
}

/** Changes nothing: whoever opens mails to scan them opens their links too. */
export const readLink = async (
  { database, clock }: PeopleDependencies,
  settings: ConsoleSettings,
  token: string,
  browserHash: string | null,
): Promise<LinkAnswer | Refusal> => {
  const found = await findLink(database, settings, { token, browserHash, now: clock.now() })
  if ('refused' in found) return found
  const { link, person, hasPasskeys } = found
  const { kind, email, shop } = link
  return {
    kind,
    email: email === '' ? null : email,
    shop: shop === null ? null : (await readShop(database, shop.merchantId)).settings.receipt.shopName,
    role: shop?.role ?? null,
    isKnown: person !== null,
    isRecovery: kind === 'sign_in' && hasPasskeys,
  }
}

/** The person who uses a link: found, or made by it. */
const personOf = (
  sql: Sql,
  deps: PeopleDependencies,
  { link, person }: FoundLink,
  entered: ConsumeLinkBody,
): Promise<Person | Refusal> => {
  if (link.kind === 'setup') return createFirstPerson(sql, deps, link, entered)
  if (link.kind === 'invitation') return acceptInvitation(sql, deps, link, person, entered)
  return Promise.resolve(person ?? refuse('link_not_usable'))
}

/** Whoever consumes a link. */
interface LinkConsumer {
  readonly browserHash: string | null
  readonly browser: string
  readonly signedIn: SignedInPerson | null
}

/**
 * The session in which a person who exists accepts an invitation, or why whoever holds its link does not. Without mail
 * the inviter is shown the link: it must neither join nor sign in somebody else. And who has registered another's address is
 * found out by whoever holds it: they cannot sign in as the person that the link is for. A mailbox alone does not accept.
 */
const acceptingSession = async (
  sql: Sql,
  invited: Person,
  signedIn: SignedInPerson | null,
  now: Instant,
): Promise<PersonSession | Refusal> => {
  const found = signedIn === null ? null : await findSession(sql, signedIn.session.hash)
  if (found === null) return refuse('signed_out')
  if (found.person.id !== invited.id) return refuse('link_not_usable')
  if (found.session.passkey === null) return refuse('passkey_needed')
  return newPasskeyProblem(found.session, now) ?? found.session
}

/** Consumes a link. Returns the session that began, for the cookie; null: the person who accepts an invitation has one already. */
export const consumeLink = async (
  deps: PeopleDependencies,
  settings: ConsoleSettings,
  entered: ConsumeLinkBody,
  { browserHash, browser, signedIn }: LinkConsumer,
): Promise<{ readonly session: string | null } | Refusal> => {
  const named = { token: entered.token, browserHash, now: deps.clock.now() }
  // Before the lock, for which all changes of people wait: a stranger's guesses must not take it.
  const unusable = await findLink(deps.database, settings, named)
  if ('refused' in unusable) return unusable
  return changePeople(deps, async (sql) => {
    const found = await findLink(sql, settings, named)
    if ('refused' in found) return found
    const { now } = named
    const { link, person: known, hasPasskeys } = found
    const isKnown = link.kind === 'invitation' && known !== null
    const session = isKnown ? await acceptingSession(sql, known, signedIn, now) : null
    if (session !== null && 'refused' in session) return session
    if (isKnown && session !== null) await keepOnePasskey(sql, deps, { person: known, session }, now)
    const person = await personOf(sql, deps, found, entered)
    if ('refused' in person) return person
    if (!(await endLink(sql, link.hash, now))) return refuse('link_not_usable')
    if (isKnown) return { session: null }
    if (link.kind === 'sign_in') await endLinksTo(sql, link.email, 'sign_in', now)
    if (hasPasskeys) await recover(sql, deps, person, now)
    const begun = { personId: person.id, passkeyId: null, isRecovery: hasPasskeys, browser }
    return { session: await beginSession(sql, deps.random, begun, now) }
  })
}
