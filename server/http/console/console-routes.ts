/** Routes of the console, at its own host alone, behind the check of who makes the call. Each group of calls has its file beside this one. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { isRefusal, refuse } from '#contract/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { ConsoleSettings } from '../../operations/people/links.ts'
import { sendRefusal } from '../errors.ts'
import { clientNetwork } from '../limits/client-network.ts'
import type { RouteLanes } from '../limits/route-lanes.ts'
import { findCaller, type CallerOfConsole, type ConsoleRouteOptions, type RunDoctor } from './console-route.ts'
import { auditRoutes } from './audit-routes.ts'
import { doctorRoutes } from './doctor-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { outboxRoutes } from './outbox-routes.ts'
import { peopleRoutes } from './people-routes.ts'
import { personRoutes } from './person-routes.ts'
import { createSessionCheck } from './session-check.ts'
import { shopRoutes } from './shop-routes.ts'
import { signInRoutes } from './sign-in-routes.ts'
import { createTryLimits } from './try-limits.ts'

export interface ConsoleOptions {
  readonly deps: Dependencies
  readonly lanes: RouteLanes
  readonly runDoctor: RunDoctor
  readonly settings: ConsoleSettings
}

/** Set on every request that passed the check. */
const CALLER = 'callerOfConsole'

const demanded = <T>(value: T | null): T => {
  if (value === null) throw new Error('a route of the console reads what its access does not demand')
  return value
}

/** The console's own calls, under /console/v1. */
export const consoleRoutes: FastifyPluginAsync<ConsoleOptions> = async (app, { deps, lanes, runDoctor, settings }) => {
  app.decorateRequest(CALLER)
  const checkSession = createSessionCheck(deps)
  const countTry = createTryLimits(() => deps.elapsed())
  app.addHook('onRoute', ({ method, url, config }) => {
    // A route that does not say who may call it would be open to everybody.
    if (config?.console === undefined) throw new Error(`${String(method)} ${url} does not name who may call it`)
  })

  const callerOf = (request: FastifyRequest) => request.getDecorator<CallerOfConsole>(CALLER)
  app.addHook('onRequest', async (request, reply) => {
    const caller = await findCaller(deps, checkSession, request)
    // Gives back the place in the lane: a slow body would hold it.
    lanes.leaveAll(request)
    if (isRefusal(caller)) {
      await lanes.wait(request, reply, 'refusals', clientNetwork(request.ip))
      return sendRefusal(reply, caller)
    }
    request.setDecorator(CALLER, caller)
    return undefined
  })
  // After the body was read: a slow sender holds no place that others wait for.
  app.addHook('preValidation', async (request, reply) => {
    request.body ??= null
    const personId = callerOf(request).signedIn?.person.id
    const tooMany = personId === undefined || request.method === 'GET' ? null : countTry('changes', personId)
    if (tooMany !== null) return sendRefusal(reply, tooMany)
    const caller = personId ?? clientNetwork(request.ip)
    return (await lanes.wait(request, reply, 'consoleCalls', caller)) ? undefined : reply
  })

  const options: ConsoleRouteOptions = {
    deps,
    runDoctor,
    settings,
    countTry,
    signedInOf: (request) => demanded(callerOf(request).signedIn),
    shopOf: (request) => demanded(callerOf(request).shop),
  }
  for (const routes of [
    signInRoutes,
    personRoutes,
    peopleRoutes,
    keyRoutes,
    auditRoutes,
    shopRoutes,
    outboxRoutes,
    doctorRoutes,
  ])
    await app.register(routes, options)

  app.setNotFoundHandler((_request, reply) => sendRefusal(reply, refuse('method_not_allowed')))
  // Without it a GET of no call would be drawn as a page, of a checkout named "console".
  app.get(
    '/*',
    { config: { console: { access: 'anybody', needsConfirmation: false }, lane: 'consoleCalls' } },
    async (_request, reply) => sendRefusal(reply, refuse('method_not_allowed')),
  )
}
