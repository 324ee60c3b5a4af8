/** Routes of the console by which somebody signs in: links and passkeys. They are called before there is a session. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import * as calls from '#contract/console/sign-in.ts'
import { isRefusal } from '#contract/errors.ts'
import * as links from '../../operations/people/links.ts'
import { beginSignIn, finishSignIn } from '../../operations/people/sign-in.ts'
import { hashToken } from '../../store/people/people.ts'
import { clientNetwork } from '../limits/client-network.ts'
import { browserName } from './browser-name.ts'
import { answerConsoleCall, type ConsoleRouteOptions } from './console-route.ts'
import { readCookie, setCookie } from './cookies.ts'

export const signInRoutes: FastifyPluginAsync<ConsoleRouteOptions> = async (
  app,
  { deps, settings, countTry, checkSession },
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
    const tooMany = countTry('links', networkOf(request))
    if (tooMany !== null) return tooMany
    // The same one for every link that this browser asks for: a second must not end the first.
    const browser = readCookie(request, 'browser', publicBase) ?? random.id()
    setCookie(reply, 'browser', browser, publicBase)
    const { email, locale } = request.body
    return (await links.askForLink(deps, settings, { email, locale, browserHash: hashToken(browser) })) ?? {}
  })

  answerConsoleCall(
    app,
    calls.readLink,
    async (request) =>
      countTry('tries', networkOf(request)) ??
      links.readLink(deps, settings, request.body.token, browserHashOf(request)),
  )

  answerConsoleCall(app, calls.consumeLink, async (request, reply) => {
    const tooMany = countTry('tries', networkOf(request))
    if (tooMany !== null) return tooMany
    const browser = browserName(request.headers['user-agent'])
    const found = await checkSession(request)
    const consumer = { browserHash: browserHashOf(request), browser, signedIn: isRefusal(found) ? null : found }
    const consumed = await links.consumeLink(deps, settings, request.body, consumer)
    if (isRefusal(consumed)) return consumed
    if (consumed.session !== null) signIn(reply, consumed.session)
    return {}
  })

  answerConsoleCall(app, calls.beginSignIn, async (request) => {
    const tooMany = countTry('tries', networkOf(request))
    if (tooMany !== null) return tooMany
    return { options: await beginSignIn(deps), sendsLinks: settings.signIn === 'link' && settings.sendsMail }
  })

  answerConsoleCall(app, calls.finishSignIn, async (request, reply) => {
    const tooMany = countTry('tries', networkOf(request))
    if (tooMany !== null) return tooMany
    const begun = await finishSignIn(deps, request.body.passkey, browserName(request.headers['user-agent']))
    if (isRefusal(begun)) return begun
    signIn(reply, begun.session)
    return {}
  })
}
