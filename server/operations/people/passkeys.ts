/** Passkeys of a person: enrolled, asked for, removed, and approved by another owner after a recovery. */
import { refuse, type Refusal } from '#contract/errors.ts'
import type { Instant } from '#contract/jst.ts'
import type { CreationOptions, NewCredential } from '#contract/console/webauthn.ts'
import { iso } from '#contract/answer-fields.ts'
import { isYetToCome } from '#payment/clock.ts'
import { readName } from '#payment/entered-name.ts'
import { confirmationOf, RECOVERY_WAIT_MS } from '#payment/person-session.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Sql } from '../../store/engine/database.ts'
import { membershipsOf } from '../../store/people/memberships.ts'
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  passkeysOf,
  saveConfirmsFrom,
  type Passkey,
} from '../../store/people/passkeys.ts'
import { findPerson, type Person } from '../../store/people/people.ts'
import {
  deleteSessionsOfPasskey,
  findSession,
  saveSessionPasskey,
  type PersonSession,
} from '../../store/people/sessions.ts'
import { changePeople, changeShop, noteAtShopsOf, type PeopleDependencies } from './change-people.ts'
import { newChallenge, takeSigned } from './challenges.ts'
import { creationOptions, verifyCreated } from './webauthn.ts'

const PASSKEYS_MAX = 10

export type PasskeyDependencies = PeopleDependencies & Pick<Dependencies, 'publicBase' | 'challengeMacs'>

/** Who has signed in. */
export interface SignedInPerson {
  readonly person: Person
  readonly session: PersonSession
}

/** Why the passkey of a session, which was enrolled after a recovery, allows no change yet; null: it does not wait. */
export const newPasskeyProblem = ({ passkey }: PersonSession, now: Instant): Refusal | null =>
  passkey !== null && isYetToCome(passkey.confirmsFrom, now)
    ? refuse('passkey_too_new', { until: iso(passkey.confirmsFrom) })
    : null

/** Why the passkey of a session does not allow what needs it; null: it does. */
export const confirmationProblem = ({ passkey }: PersonSession, now: Instant): Refusal | null => {
  const confirmation = confirmationOf(passkey, now)
  if (confirmation.state === 'confirmed') return null
  return confirmation.state === 'passkey needed'
    ? refuse('passkey_needed')
    : refuse('passkey_too_new', { until: iso(confirmation.until) })
}

/**
 * From when on a passkey that is enrolled in this session would confirm, or why none can be. The first one does at once. In a
 * recovery it does a day later: until then whoever reads the mailbox of a person can refund nothing. A recovery enrols one, and
 * any other needs a passkey that confirms.
 */
const enrolmentOf = (session: PersonSession, known: readonly Passkey[], now: Instant): Instant | Refusal => {
  if (known.length === 0) return now
  // Beyond the most too: whoever has lost ten passkeys could otherwise never come back.
  if (session.isRecovery && session.passkey === null) return now + RECOVERY_WAIT_MS
  if (known.length >= PASSKEYS_MAX) return refuse('too_many_passkeys', { most: PASSKEYS_MAX })
  return confirmationProblem(session, now) ?? now
}

export const beginEnrolment = async (
  deps: PasskeyDependencies,
  { person, session }: SignedInPerson,
): Promise<CreationOptions | Refusal> => {
  const known = await passkeysOf(deps.database, person.id)
  const enrolment = enrolmentOf(session, known, deps.clock.now())
  if (typeof enrolment !== 'number') return enrolment
  const challenge = newChallenge(deps, { purpose: 'enrol', sessionHash: session.hash })
  return creationOptions(deps.publicBase, challenge, person, known)
}

/** The session counts as confirmed with it: whoever has just made it holds it. */
const storePasskey = async (
  sql: Sql,
  { random }: PeopleDependencies,
  { person, session }: SignedInPerson,
  { passkey, counter }: { readonly passkey: Omit<Passkey, 'confirmsFrom'>; readonly counter: number },
): Promise<Passkey | Refusal> => {
  const { createdAt: at, id } = passkey
  // Read again: a recovery may have ended the session since, or another call enrolled the one passkey of this recovery.
  const found = await findSession(sql, session.hash)
  if (found === null) return refuse('signed_out')
  const confirmsFrom = enrolmentOf(found.session, await passkeysOf(sql, person.id), at)
  if (typeof confirmsFrom !== 'number') return confirmsFrom
  if ((await findPasskey(sql, id)) !== null) return refuse('passkey_refused')
  const stored = { ...passkey, confirmsFrom }
  await insertPasskey(sql, stored, counter)
  await saveSessionPasskey(sql, session.hash, id, at)
  await noteAtShopsOf(sql, random, person, { by: person, action: 'passkey_enrolled', subject: person.email, at })
  return stored
}

export const finishEnrolment = async (
  deps: PasskeyDependencies,
  signedIn: SignedInPerson,
  { passkey: created, name: given }: { readonly passkey: NewCredential; readonly name: string },
): Promise<Passkey | Refusal> => {
  const now = deps.clock.now()
  const name = readName(given)
  if (typeof name !== 'string') return name
  const asked = { purpose: 'enrol', sessionHash: signedIn.session.hash } as const
  const challenge = await takeSigned(deps, asked, created.response)
  const verified = challenge === null ? null : await verifyCreated(deps.publicBase, created, challenge)
  if (verified === null) return refuse('passkey_refused')
  const { id, publicKey, counter } = verified
  const transports = created.response.transports ?? []
  const facts = { personId: signedIn.person.id, transports, name, createdAt: now, lastUsedAt: null }
  return changePeople(deps, (sql) =>
    storePasskey(sql, deps, signedIn, { passkey: { id, publicKey, ...facts }, counter }),
  )
}

/** A person keeps one that confirms: without any, the next link by mail would enrol one that confirms at once. */
export const removePasskey = (
  deps: PeopleDependencies,
  { person, session }: SignedInPerson,
  id: string,
): Promise<Refusal | null> =>
  changePeople(deps, async (sql) => {
    if ((await findSession(sql, session.hash)) === null) return refuse('signed_out')
    const at = deps.clock.now()
    const known = await passkeysOf(sql, person.id)
    const removed = known.find((each) => each.id === id)
    if (removed === undefined) return refuse('person_not_found')
    if (!known.some((each) => each.id !== id && !isYetToCome(each.confirmsFrom, at))) return refuse('last_passkey')
    await deletePasskey(sql, id)
    // Whoever has found the lost device is signed out with it.
    await deleteSessionsOfPasskey(sql, { personId: person.id, passkeyId: id, except: session.hash })
    const noted = { by: person, action: 'passkey_removed', subject: person.email, details: removed.name, at } as const
    await noteAtShopsOf(sql, deps.random, person, noted)
    return null
  })

/**
 * Whether one may approve the passkey of another: an owner of every shop of that person, and an operator where that is one. An
 * owner of one shop alone could otherwise invite the owner of another, whose mailbox he reads, and shorten the wait.
 */
const mayApprove = async (sql: Sql, by: Person, other: Person): Promise<boolean> => {
  if (by.id === other.id || (other.isOperator && !by.isOperator)) return false
  const own = new Map((await membershipsOf(sql, by.id)).map(({ merchantId, role }) => [merchantId, role]))
  return (await membershipsOf(sql, other.id)).every(({ merchantId }) => own.get(merchantId) === 'owner')
}

export const approvePasskey = (
  deps: PeopleDependencies,
  by: Person,
  { merchantId, personId, passkeyId }: Readonly<Record<'merchantId' | 'personId' | 'passkeyId', string>>,
): Promise<Refusal | null> =>
  changeShop(deps, { merchantId, by }, async (sql) => {
    const now = deps.clock.now()
    const other = await findPerson(sql, personId)
    const shops = other === null ? [] : await membershipsOf(sql, other.id)
    const passkey = await findPasskey(sql, passkeyId)
    const isHere = shops.some((each) => each.merchantId === merchantId) && passkey?.personId === personId
    if (other === null || !isHere) return refuse('person_not_found')
    if (!(await mayApprove(sql, by, other))) return refuse('approval_not_allowed')
    if (passkey.confirmsFrom <= now) return null
    await saveConfirmsFrom(sql, passkeyId, now)
    await noteAtShopsOf(sql, deps.random, other, { by, action: 'passkey_approved', subject: other.email, at: now })
    return null
  })
