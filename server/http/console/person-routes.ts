/** Routes of the console about the person who has signed in. */
import type { FastifyPluginAsync } from 'fastify'
import * as calls from '#contract/console/person.ts'
import { isRefusal, refuse } from '#contract/errors.ts'
import type { Instant } from '#contract/jst.ts'
import { iso, when } from '#contract/answer-fields.ts'
import { CONFIRMED_MS, confirmationOf, isSessionOver, SESSION_MS, type LastPasskey } from '#payment/person-session.ts'
import * as passkeys from '../../operations/people/passkeys.ts'
import { noteAtShopsOf } from '../../operations/people/change-people.ts'
import { changePerson } from '../../operations/people/change-person.ts'
import { beginConfirmation, finishConfirmation } from '../../operations/people/sign-in.ts'
import { readShops } from '../../store/merchant/merchants.ts'
import { membershipsOf } from '../../store/people/memberships.ts'
import { passkeysOf, type Passkey } from '../../store/people/passkeys.ts'
import { deleteSession, sessionIdOf, sessionsOf, type PersonSession } from '../../store/people/sessions.ts'
import { clearCookie } from './cookies.ts'
import { answerConsoleCall, type ConsoleRouteOptions } from './console-route.ts'

const presentConfirmation = (last: LastPasskey | null, now: Instant): calls.ConfirmationAnswer => {
  const confirmation = confirmationOf(last, now)
  if (confirmation.state === 'passkey too new') return { state: 'passkey_too_new', until: iso(confirmation.until) }
  return confirmation.state === 'confirmed' && last !== null
    ? { state: 'confirmed', until: iso(last.at + CONFIRMED_MS) }
    : { state: 'passkey_needed' }
}

const presentPasskey = ({ id, name, createdAt, lastUsedAt, confirmsFrom }: Passkey): calls.PasskeyAnswer => ({
  id,
  name,
  createdAt: iso(createdAt),
  ...when(lastUsedAt, (at) => ({ lastUsedAt: iso(at) })),
  confirmsFrom: iso(confirmsFrom),
})

export const personRoutes: FastifyPluginAsync<ConsoleRouteOptions> = async (app, { deps, signedInOf, tries }) => {
  const { database, clock, random, publicBase } = deps
  const openSessionsOf = async (personId: string): Promise<PersonSession[]> =>
    (await sessionsOf(database, personId)).filter((each) => !isSessionOver(each, clock.now()))

  answerConsoleCall(app, calls.readSession, async (request): Promise<calls.SessionAnswer> => {
    const { person, session } = signedInOf(request)
    const memberships = await membershipsOf(database, person.id)
    const shops = await readShops(
      database,
      memberships.map(({ merchantId }) => merchantId),
      // By its label.
      () => undefined,
    )
    return {
      person,
      shops: memberships.map(({ merchantId, label, role, isLive, isClosed }) => ({
        label,
        name: shops.get(merchantId)?.settings.receipt.shopName ?? label,
        role,
        isLive,
        isClosed,
      })),
      passkeys: (await passkeysOf(database, person.id)).length,
      confirmation: presentConfirmation(session.passkey, clock.now()),
      isRecovery: session.isRecovery && session.passkey === null,
      endsAt: iso(session.createdAt + SESSION_MS),
    }
  })

  answerConsoleCall(app, calls.endSession, async (request, reply) => {
    await deleteSession(database, signedInOf(request).session.hash)
    clearCookie(reply, 'session', publicBase)
    return {}
  })

  answerConsoleCall(app, calls.changePerson, async (request) =>
    changePerson(deps, signedInOf(request).person, request.body),
  )

  answerConsoleCall(app, calls.listSessions, async (request) => {
    const { person, session } = signedInOf(request)
    return {
      items: (await openSessionsOf(person.id)).map((each) => ({
        id: sessionIdOf(each),
        browser: each.browser,
        createdAt: iso(each.createdAt),
        lastUsedAt: iso(each.lastUsedAt),
        isThis: each.hash === session.hash,
      })),
    }
  })

  answerConsoleCall(app, calls.endOtherSession, async (request) => {
    const { person } = signedInOf(request)
    const ended = (await openSessionsOf(person.id)).find((each) => sessionIdOf(each) === request.params.sessionId)
    if (ended === undefined) return refuse('person_not_found')
    return database.transact(async (sql) => {
      if (!(await deleteSession(sql, ended.hash))) return refuse('person_not_found')
      const details = ended.browser
      const noted = { by: person, action: 'session_ended', subject: person.email, details, at: clock.now() } as const
      await noteAtShopsOf(sql, random, person, noted)
      return {}
    })
  })

  answerConsoleCall(app, calls.beginConfirmation, async (request) => ({
    options: await beginConfirmation(deps, signedInOf(request)),
  }))

  answerConsoleCall(app, calls.finishConfirmation, async (request) => {
    const signedIn = signedInOf(request)
    const { passkey: signed } = request.body
    const passkey = await tries.countFailed(
      { what: 'assertions', caller: `${signedIn.session.hash} ${signed.id}` },
      () => finishConfirmation(deps, signedIn, signed),
    )
    if (isRefusal(passkey)) return passkey
    const now = clock.now()
    return presentConfirmation({ at: now, confirmsFrom: passkey.confirmsFrom }, now)
  })

  answerConsoleCall(app, calls.listPasskeys, async (request) => ({
    items: (await passkeysOf(database, signedInOf(request).person.id)).map(presentPasskey),
  }))

  answerConsoleCall(app, calls.beginEnrolment, async (request) => {
    const options = await passkeys.beginEnrolment(deps, signedInOf(request))
    return isRefusal(options) ? options : { options }
  })

  answerConsoleCall(app, calls.finishEnrolment, async (request) => {
    const enrolled = await passkeys.finishEnrolment(deps, signedInOf(request), request.body)
    return isRefusal(enrolled) ? enrolled : presentPasskey(enrolled)
  })

  answerConsoleCall(
    app,
    calls.removePasskey,
    async (request) => (await passkeys.removePasskey(deps, signedInOf(request), request.params.passkeyId)) ?? {},
  )
}
