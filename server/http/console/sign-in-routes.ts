/** Routes of the console by which somebody signs in: links and passkeys. They are called before there is a session. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import * as calls from '#contract/console/sign-in.ts'
import { isRefusal, refuse } from '#contract/errors.ts'
import * as links from '../../operations/people/links.ts'
import { beginSignIn, finishSignIn } from '../../operations/people/sign-in.ts'
import { findPasskey } from '../../store/people/passkeys.ts'
import { hashToken } from '../../store/people/people.ts'
import { clientNetwork } from '../limits/client-network.ts'
import { browserName } from './browser-name.ts'
import { answerConsoleCall, type ConsoleRouteOptions } from './console-route.ts'
import { readCookie, setCookie } from './cookies.ts'

export const signInRoutes: FastifyPluginAsync<ConsoleRouteOptions> = async (
  app,
  { deps, settings, tries, checkSession },
) => {
  const { publicBase, random } = deps
  const networkOf = ({ ip }: FastifyRequest): string => clientNetwork(ip)

  const browserHashOf = (request: FastifyRequest): string | null => {
    const browser = readCookie(request, 'browser', publicBase)
    return browser === null ? null : hashToken(browser)
  }
  const signIn = (reply: FastifyReply, session: string): void => {
    setCookie(reply, 'session', session, publicBase)
  }

  answerConsoleCall(app, calls.askForLink, async (request, reply) => {
    const network = networkOf(request)
    const tooMany = tries.count('links', network)
    if (tooMany !== null) return tooMany
    // The same one for every link that this browser asks for: a second must not end the first.
    const browser = readCookie(request, 'browser', publicBase) ?? random.id()
    setCookie(reply, 'browser', browser, publicBase)
    const { email, locale } = request.body
    return (await links.askForLink(deps, settings, { email, locale, network, browserHash: hashToken(browser) })) ?? {}
  })

  // Not counted, nor the use of a wrong one: a token has 160 random bits, and a wrong one costs a reading. If they were counted, a
  // stranger would use up what others need who have the same address.
  answerConsoleCall(app, calls.readLink, async (request) =>
    links.readLink(deps, settings, request.body.token, browserHashOf(request)),
  )

  answerConsoleCall(app, calls.consumeLink, async (request, reply) => {
    const browser = browserName(request.headers['user-agent'])
    const found = await checkSession(request)
    const consumer = { browserHash: browserHashOf(request), browser, signedIn: isRefusal(found) ? null : found }
    const caller = `${networkOf(request)} ${hashToken(request.body.token)}`
    const consumed = await tries.countFailed({ what: 'uses', caller, free: 'link_not_usable' }, () =>
      links.consumeLink(deps, settings, request.body, consumer),
    )
    if (isRefusal(consumed)) return consumed
    if (consumed.session !== null) signIn(reply, consumed.session)
    return {}
  })

  answerConsoleCall(app, calls.beginSignIn, async () => ({
    options: beginSignIn(deps),
    sendsLinks: settings.signIn === 'link' && settings.sendsMail,
  }))

  answerConsoleCall(app, calls.finishSignIn, async (request, reply) => {
    const { passkey: signed } = request.body
    const found = await findPasskey(deps.database, signed.id)
    if (found === null) return refuse('passkey_refused')
    const caller = `${networkOf(request)} ${found.id}`
    const tooMany = tries.count('signIns', caller)
    if (tooMany !== null) return tooMany
    const begun = await tries.countFailed({ what: 'assertions', caller }, () =>
      finishSignIn(deps, { signed, found }, browserName(request.headers['user-agent'])),
    )
    if (isRefusal(begun)) return begun
    signIn(reply, begun.session)
    return {}
  })
}
