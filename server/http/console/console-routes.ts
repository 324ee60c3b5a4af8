/** Routes of the console, at its own host alone, behind the check of who makes the call. Each group of calls has its file beside this one. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { isRefusal } from '#contract/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { ConsoleSettings } from '../../operations/people/links.ts'
import { sendRefusal } from '../errors.ts'
import { clientNetwork } from '../limits/client-network.ts'
import type { RouteLanes } from '../limits/route-lanes.ts'
import { refuseOtherAddresses } from '../routes/contract-route.ts'
import { findCaller, type CallerOfConsole, type ConsoleRouteOptions, type RunDoctor } from './console-route.ts'
import { auditRoutes } from './audit-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { doctorRoutes } from './operator/doctor.ts'
import { doubtRoutes } from './operator/doubts.ts'
import { outboxRoutes } from './operator/outbox.ts'
import { setAsideRoutes } from './operator/set-aside.ts'
import { shopRoutes } from './operator/shops.ts'
import { peopleRoutes } from './people-routes.ts'
import { personRoutes } from './person-routes.ts'
import { createSessionCheck } from './session-check.ts'
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
  const tries = createTryLimits(() => deps.elapsed())
  app.addHook('onRoute', ({ method, url, config }) => {
    // A route that does not say who may call it would be open to everybody.
    if (config?.console === undefined) throw new Error(`${String(method)} ${url} does not name who may call it`)
  })

  const callerOf = (request: FastifyRequest) => request.getDecorator<CallerOfConsole>(CALLER)
  app.addHook('onRequest', async (request, reply) => {
    if (!(await lanes.wait(request, reply, 'consoleCalls', clientNetwork(request.ip)))) return reply
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
    const tooMany = personId === undefined || request.method === 'GET' ? null : tries.count('changes', personId)
    if (tooMany !== null) return sendRefusal(reply, tooMany)
    const named = personId ?? clientNetwork(request.ip)
    if (!(await lanes.wait(request, reply, 'consoleCalls', named))) return reply
    if (personId === undefined || request.method === 'GET') return undefined
    // Again: the body may have taken seconds, in which the session was ended or the person removed.
    const caller = await findCaller(deps, checkSession, request)
    if (isRefusal(caller)) return sendRefusal(reply, caller)
    request.setDecorator(CALLER, caller)
    return undefined
  })

  const options: ConsoleRouteOptions = {
    deps,
    runDoctor,
    settings,
    tries,
    checkSession,
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
    doubtRoutes,
    outboxRoutes,
    setAsideRoutes,
    doctorRoutes,
  ])
    await app.register(routes, options)

  refuseOtherAddresses(app, { console: { access: 'anybody', needsConfirmation: false }, lane: 'consoleCalls' })
}
