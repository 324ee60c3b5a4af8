/** People as the operator makes and removes them: the first owner of a demo, and the command line. */
import { refuse, type Refusal } from '#contract/errors.ts'
import { HOUR_MS } from '#contract/jst.ts'
import { INVITATION_MS } from '#payment/person-session.ts'
import { linkWrite, endLinksTo, type PersonLink } from '../../store/people/links.ts'
import { membershipsOf } from '../../store/people/memberships.ts'
import { deletePerson, findPersonByEmail, hasPeople, hashToken } from '../../store/people/people.ts'
import { changePeople, COMMAND_LINE, noteAtShop, type PeopleDependencies } from './change-people.ts'
import { findChangeable, removeFromShop } from './people-of-shop.ts'

/** A link that an operator hands over: long enough for a call by telephone. */
const HANDED_OVER_MS = HOUR_MS

/**
 * The token of the link by which the first person becomes owner of a shop and operator; null: there are people. Only its hash is
 * stored, so that each start makes another, and the one before ends.
 */
export const openSetup = (deps: PeopleDependencies, merchantId: string): Promise<string | null> =>
  changePeople(deps, async (sql) => {
    if (await hasPeople(sql)) return null
    const now = deps.clock.now()
    await endLinksTo(sql, '', 'setup', now)
    const token = deps.random.id()
    const link: PersonLink = {
      hash: hashToken(token),
      kind: 'setup',
      email: '',
      browserHash: null,
      shop: { merchantId, role: 'owner' },
      invitedBy: null,
      createdAt: now,
      expiresAt: now + INVITATION_MS,
    }
    await sql.writeAll(linkWrite(link))
    return token
  })

/** The token of a link that signs a person in whatever browser it is opened in. Where the person has passkeys it is a recovery. */
export const openRecovery = (deps: PeopleDependencies, email: string): Promise<string | Refusal> =>
  changePeople(deps, async (sql) => {
    if ((await findPersonByEmail(sql, email)) === null) return refuse('person_not_found')
    const now = deps.clock.now()
    await endLinksTo(sql, email, 'sign_in', now)
    const token = deps.random.id()
    const facts = { kind: 'sign_in', email, browserHash: null, shop: null, invitedBy: null } as const
    await sql.writeAll(linkWrite({ ...facts, hash: hashToken(token), createdAt: now, expiresAt: now + HANDED_OVER_MS }))
    return token
  })

/** Removes a person from all shops at once, or, where that is the last owner of one, from none. Returns the label of that one. */
export const removeEverywhere = (
  deps: PeopleDependencies,
  email: string,
): Promise<Refusal | { readonly lastOwnerOf: string } | null> =>
  changePeople(deps, async (sql) => {
    const person = await findPersonByEmail(sql, email)
    if (person === null) return refuse('person_not_found')
    const shops = await membershipsOf(sql, person.id)
    for (const { merchantId, label } of shops)
      if ('refused' in (await findChangeable(sql, merchantId, person.id))) return { lastOwnerOf: label }
    for (const { merchantId } of shops) await removeFromShop(sql, deps, { merchantId, by: COMMAND_LINE }, person.id)
    await deletePerson(sql, person.id)
    const noted = { by: COMMAND_LINE, action: 'person_removed', subject: email, at: deps.clock.now() } as const
    if (shops.length === 0 || person.isOperator) await noteAtShop(sql, deps.random, null, noted)
    return null
  })
