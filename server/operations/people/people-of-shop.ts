/** People of a shop: invited, given another role, removed. A shop keeps at least one owner. */
import { PEOPLE_MAX } from '#contract/console/people.ts'
import type { ConsoleLocale } from '#contract/console/locale.ts'
import type { Role } from '#contract/console/roles.ts'
import { refuse, type Refusal } from '#contract/errors.ts'
import { DAY_MS, HOUR_MS } from '#contract/jst.ts'
import {
  INVITATION_MAILS_PER_HOUR,
  INVITATION_MS,
  invitationMailAt,
  INVITATIONS_PER_DAY,
  INVITATIONS_PER_HOUR,
} from '#payment/person-session.ts'
import type { Sql } from '../../store/engine/database.ts'
import { readShop } from '../../store/merchant/merchants.ts'
import {
  endLink,
  countInvitations,
  countInvitationsTo,
  endInvitationsBy,
  invitationIdOf,
  linkWrite,
  openInvitations,
  plannedInvitationMails,
  type PersonLink,
} from '../../store/people/links.ts'
import {
  deleteMembership,
  membershipsOf,
  membersOf,
  saveMembership,
  type MemberOfShop,
} from '../../store/people/memberships.ts'
import { deletePerson, hashToken, type Person } from '../../store/people/people.ts'
import { forgetPersonMail, personMailsWrite } from '../../store/people/person-mails.ts'
import {
  changePeople,
  changeShop,
  noteAtShop,
  type ChangeAtShop,
  type Changer,
  type PeopleDependencies,
} from './change-people.ts'
import { readEmail } from './entered-person.ts'

export interface NewInvitation {
  readonly email: string
  /** Null: to operate the installation. */
  readonly shop: { readonly merchantId: string; readonly role: Role } | null
  readonly locale: ConsoleLocale
  readonly by: Changer
  /** The person who invites; null: the command line. */
  readonly invitedBy: string | null
  readonly sendsMail: boolean
}

/** Why nobody more can be invited; null: they can. */
const invitationProblem = async (sql: Sql, merchantId: string, email: string, now: number): Promise<Refusal | null> => {
  const members = await membersOf(sql, merchantId)
  if (members.some(({ person }) => person.email === email)) return refuse('already_a_member')
  if ((await countInvitations(sql, merchantId, now - DAY_MS)) >= INVITATIONS_PER_DAY)
    return refuse('too_many_tries', { retryAfterSeconds: DAY_MS / 1000 })
  const open = await openInvitations(sql, merchantId, now)
  return members.length + open.length >= PEOPLE_MAX ? refuse('too_many_people', { most: PEOPLE_MAX }) : null
}

/** Why this shop may not invite this address again; null: it may. What other shops do is no reason, which they would be told. */
const againProblem = async (
  sql: Sql,
  to: { readonly merchantId: string | null; readonly email: string },
  now: number,
): Promise<Refusal | null> =>
  (await countInvitationsTo(sql, to, now - HOUR_MS)) >= INVITATIONS_PER_HOUR
    ? refuse('too_many_tries', { retryAfterSeconds: HOUR_MS / 1000 })
    : null

export interface MadeInvitation {
  readonly link: PersonLink
  readonly token: string
}

/** In the transaction of another change of people. An invitation before it, of the same address to the same shop, ends. */
export const inviteBeside = async (
  sql: Sql,
  { clock, random }: Pick<PeopleDependencies, 'clock' | 'random'>,
  invited: NewInvitation,
): Promise<MadeInvitation | Refusal> => {
  const { shop, locale, by, invitedBy } = invited
  const now = clock.now()
  const email = readEmail(invited.email)
  if (typeof email !== 'string') return email
  const problem = shop === null ? null : await invitationProblem(sql, shop.merchantId, email, now)
  const merchantId = shop?.merchantId ?? null
  const refused = problem ?? (await againProblem(sql, { merchantId, email }, now))
  if (refused !== null) return refused
  const before = shop === null ? [] : await openInvitations(sql, shop.merchantId, now)
  for (const each of before) if (each.email === email) await endLink(sql, each.hash, now)
  const token = random.id()
  const expiresAt = now + INVITATION_MS
  const planned = await plannedInvitationMails(sql, { email, limit: INVITATION_MAILS_PER_HOUR }, now)
  const sendAt = invited.sendsMail ? invitationMailAt(planned, now) : null
  const mailed = sendAt === null ? {} : { mailAt: sendAt }
  const facts = { email, browserHash: null, shop, invitedBy, createdAt: now, expiresAt, ...mailed }
  const link: PersonLink = { hash: hashToken(token), kind: 'invitation', ...facts }
  const name = shop === null ? null : (await readShop(sql, shop.merchantId)).settings.receipt.shopName
  const mail = { id: link.hash, recipient: email, locale, endsAt: expiresAt, sendAt }
  const mails = sendAt === null ? [] : [{ ...mail, facts: { kind: 'invitation', shop: name } as const }]
  await sql.writeAll([...linkWrite(link), ...personMailsWrite(mails, now)])
  const details = shop?.role ?? 'operator'
  const noted = { by, action: 'person_invited', subject: email, details, at: now } as const
  await noteAtShop(sql, random, merchantId, noted)
  return { link, token }
}

export const invitePerson = (deps: PeopleDependencies, invited: NewInvitation): Promise<MadeInvitation | Refusal> => {
  const { shop, by } = invited
  const invite = (sql: Sql): Promise<MadeInvitation | Refusal> => inviteBeside(sql, deps, invited)
  return shop === null ? changePeople(deps, invite) : changeShop(deps, { merchantId: shop.merchantId, by }, invite)
}

export const withdrawInvitation = (
  deps: PeopleDependencies,
  { merchantId, by }: ChangeAtShop,
  invitationId: string,
): Promise<Refusal | null> =>
  changeShop(deps, { merchantId, by }, async (sql) => {
    const now = deps.clock.now()
    const open = await openInvitations(sql, merchantId, now)
    const link = open.find((each) => invitationIdOf(each) === invitationId)
    if (link === undefined) return refuse('person_not_found')
    await endLink(sql, link.hash, now)
    await forgetPersonMail(sql, link.hash)
    await noteAtShop(sql, deps.random, merchantId, { by, action: 'invitation_withdrawn', subject: link.email, at: now })
    return null
  })

/** A person of the shop who may be changed: anyone but the last owner. */
export const findChangeable = async (
  sql: Sql,
  merchantId: string,
  personId: string,
): Promise<MemberOfShop | Refusal> => {
  const members = await membersOf(sql, merchantId)
  const member = members.find(({ person }) => person.id === personId)
  if (member === undefined) return refuse('person_not_found')
  const owners = members.filter(({ role }) => role === 'owner')
  return member.role === 'owner' && owners.length === 1 ? refuse('last_owner') : member
}

export const changeRole = (
  deps: PeopleDependencies,
  { merchantId, by }: ChangeAtShop,
  personId: string,
  role: Role,
): Promise<Refusal | null> =>
  changeShop(deps, { merchantId, by }, async (sql) => {
    const now = deps.clock.now()
    const member = await findChangeable(sql, merchantId, personId)
    if ('refused' in member) return member.refused === 'last_owner' && role === 'owner' ? null : member
    if (member.role === role) return null
    await saveMembership(sql, { merchantId, personId, role }, now)
    if (role !== 'owner') await endInvitationsBy(sql, merchantId, personId, now)
    const details = `${member.role} → ${role}`
    const noted = { by, action: 'role_changed', subject: member.person.email, details, at: now } as const
    await noteAtShop(sql, deps.random, merchantId, noted)
    return null
  })

/** A person without any shop is forgotten, unless that is an operator. */
const leaveShop = async (sql: Sql, merchantId: string, { id, isOperator }: Person, now: number): Promise<void> => {
  await deleteMembership(sql, merchantId, id)
  await endInvitationsBy(sql, merchantId, id, now)
  if (!isOperator && (await membershipsOf(sql, id)).length === 0) await deletePerson(sql, id)
}

export const removeFromShop = async (
  sql: Sql,
  { clock, random }: PeopleDependencies,
  { merchantId, by }: ChangeAtShop,
  personId: string,
): Promise<Refusal | null> => {
  const now = clock.now()
  const member = await findChangeable(sql, merchantId, personId)
  if ('refused' in member) return member
  await leaveShop(sql, merchantId, member.person, now)
  const noted = { by, action: 'person_removed', subject: member.person.email, details: member.role, at: now } as const
  await noteAtShop(sql, random, merchantId, noted)
  return null
}

export const removePerson = (
  deps: PeopleDependencies,
  change: ChangeAtShop,
  personId: string,
): Promise<Refusal | null> => changeShop(deps, change, (sql) => removeFromShop(sql, deps, change, personId))
