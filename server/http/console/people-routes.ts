/** Routes of the console about the people of a shop. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import * as calls from '#contract/console/people.ts'
import { LINK_PATHS } from '#contract/console/sign-in.ts'
import { isRefusal } from '#contract/errors.ts'
import { iso } from '#contract/answer-fields.ts'
import { approvePasskey } from '../../operations/people/passkeys.ts'
import type { ChangeAtShop } from '../../operations/people/change-people.ts'
import * as people from '../../operations/people/people-of-shop.ts'
import { consoleOrigin } from '../../origins.ts'
import { invitationIdOf, openInvitations, type PersonLink } from '../../store/people/links.ts'
import { membersOf, type MemberOfShop } from '../../store/people/memberships.ts'
import { passkeysOfMembers, type Passkey } from '../../store/people/passkeys.ts'
import { answerConsoleCall, type ConsoleRouteOptions } from './console-route.ts'

/** `ofAll`: the passkeys of all members; null: for somebody who is not told of them. */
const presentMember = (
  { person, role, joinedAt }: MemberOfShop,
  ofAll: readonly Passkey[] | null,
  now: number,
): calls.Member => {
  const facts = { id: person.id, name: person.name, email: person.email, role, joinedAt: iso(joinedAt) }
  if (ofAll === null) return facts
  const own = ofAll.filter(({ personId }) => personId === person.id)
  return {
    ...facts,
    hasPasskey: own.length > 0,
    waitingPasskeys: own
      .filter(({ confirmsFrom }) => confirmsFrom > now)
      .map(({ id, name, createdAt, confirmsFrom }) => ({
        id,
        name,
        createdAt: iso(createdAt),
        confirmsFrom: iso(confirmsFrom),
      })),
  }
}

/** Of a shop alone, so that it has a role. */
const presentInvitation = (link: PersonLink): calls.InvitationAnswer => ({
  id: invitationIdOf(link),
  email: link.email,
  role: link.shop?.role ?? 'viewer',
  createdAt: iso(link.createdAt),
  expiresAt: iso(link.expiresAt),
})

export const peopleRoutes: FastifyPluginAsync<ConsoleRouteOptions> = async (
  app,
  { deps, settings, signedInOf, shopOf },
) => {
  const { database, clock, publicBase } = deps
  const changeOf = (request: FastifyRequest): ChangeAtShop => ({
    merchantId: shopOf(request).merchant.id,
    by: signedInOf(request).person,
  })

  answerConsoleCall(app, calls.listPeople, async (request) => {
    const { merchant, role } = shopOf(request)
    const [merchantId, now] = [merchant.id, clock.now()]
    const passkeys = role === 'owner' ? await passkeysOfMembers(database, merchantId) : null
    return {
      people: (await membersOf(database, merchantId)).map((member) => presentMember(member, passkeys, now)),
      invitations: (await openInvitations(database, merchantId, now)).map(presentInvitation),
    }
  })

  answerConsoleCall(app, calls.invitePerson, async (request) => {
    const { merchantId, by } = changeOf(request)
    const { email, role, locale } = request.body
    const { sendsMail } = settings
    const shop = { merchantId, role }
    const invited = await people.invitePerson(deps, { email, shop, locale, by, invitedBy: by.id, sendsMail })
    if (isRefusal(invited)) return invited
    const link = `${consoleOrigin(publicBase)}${LINK_PATHS.invitation}${invited.token}`
    return { ...presentInvitation(invited.link), ...(sendsMail ? {} : { link }) }
  })

  answerConsoleCall(
    app,
    calls.withdrawInvitation,
    async (request) => (await people.withdrawInvitation(deps, changeOf(request), request.params.invitationId)) ?? {},
  )

  answerConsoleCall(
    app,
    calls.changeRole,
    async (request) =>
      (await people.changeRole(deps, changeOf(request), request.params.personId, request.body.role)) ?? {},
  )

  answerConsoleCall(
    app,
    calls.removePerson,
    async (request) => (await people.removePerson(deps, changeOf(request), request.params.personId)) ?? {},
  )

  answerConsoleCall(app, calls.approvePasskey, async (request) => {
    const { merchantId } = changeOf(request)
    const { personId, passkeyId } = request.params
    return (await approvePasskey(deps, signedInOf(request).person, { merchantId, personId, passkeyId })) ?? {}
  })
}
