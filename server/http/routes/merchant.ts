/** Routes of the merchant API, behind the check of the API key or, at the console's host, of the session. Each resource has its file in merchant/. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { CALL_COSTS, type MerchantLane } from '#contract/access.ts'
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Caller } from '../../operations/caller.ts'
import { createKeyCheck, type CallNeeds } from '../api-key.ts'
import { auditChanges } from '../console/audit-changes.ts'
import { createPersonCheck } from '../console/person-caller.ts'
import { createSessionCheck } from '../console/session-check.ts'
import { sendRefusal } from '../errors.ts'
import { readHost, type HostRole } from '../hosts.ts'
import { clientNetwork } from '../limits/client-network.ts'
import { createKeyLimiter, type CountCall, type KeyLimits } from '../limits/key-limits.ts'
import type { RecentlyAcceptedKeys } from '../limits/recently-accepted-keys.ts'
import { isMerchantLane, type RouteLanes } from '../limits/route-lanes.ts'
import { demandAccess, hasMalformedCheckoutId, refuseOtherAddresses } from './contract-route.ts'
import { attentionRoutes } from './merchant/attention.ts'
import type { InstallationWarnings } from './merchant/caller.ts'
import { checkoutRoutes } from './merchant/checkouts.ts'
import { eventRoutes } from './merchant/events.ts'
import { meRoutes } from './merchant/me.ts'
import { pictureUploadRoutes } from './merchant/pictures.ts'
import { reconciliationRoutes } from './merchant/reconciliations.ts'
import { refundRoutes } from './merchant/refunds.ts'
import { figureRoutes } from './merchant/figures.ts'
import { reportRoutes } from './merchant/reports.ts'
import { reusableLinkRoutes } from './merchant/reusable-links.ts'
import { settingsRoutes } from './merchant/settings.ts'
import { timelineRoutes } from './merchant/timeline.ts'
import { webhookRoutes } from './merchant/webhooks.ts'

export interface MerchantOptions {
  readonly deps: Dependencies
  readonly keyLimits: KeyLimits
  readonly lanes: RouteLanes
  readonly recentlyAcceptedKeys: RecentlyAcceptedKeys
  readonly installationWarnings: InstallationWarnings
}

/** The call was counted before. */
const UNCOUNTED: CountCall = () => 0

/** Set on every request that passed the check of its key or session. */
const CALLER = 'caller'

/** By these words `doctor` sees whether the proxy has passed on the host of a shop. Nothing of the request is repeated. */
const elsewhere = (host: HostRole['host'], base: string): string =>
  host === 'foreign' ? `This host is none of ${base}, where the merchant API is.` : `The merchant API is at ${base}.`

/** An address that is none of the API has no lane of its own. */
const laneOfCall = ({ routeOptions: { config } }: FastifyRequest): MerchantLane =>
  config.lane !== undefined && isMerchantLane(config.lane) ? config.lane : 'merchantCalls'

const needsOf = (request: FastifyRequest): CallNeeds => {
  const { access = 'full', limit } = request.routeOptions.config
  return { access, cost: CALL_COSTS[laneOfCall(request)], isRefund: limit === 'refunds' }
}

/** The calls of the merchant's own server and of the console, under /merchant/v1. */
export const merchantRoutes: FastifyPluginAsync<MerchantOptions> = async (app, options) => {
  const { deps, keyLimits, lanes, recentlyAcceptedKeys, installationWarnings } = options
  app.decorateRequest(CALLER)
  const countCall = createKeyLimiter(keyLimits, () => deps.elapsed())
  const checkKey = createKeyCheck(deps, countCall)
  const checkPerson = createPersonCheck(deps, createSessionCheck(deps))

  /** A key is taken at the base alone, a session at the console's host alone: neither does where the other is expected. */
  const checkCaller = async (
    request: FastifyRequest,
    host: 'base' | 'console',
    needs: CallNeeds,
  ): Promise<Caller | Refusal> => {
    if (host === 'console') return checkPerson(request, needs, countCall)
    const caller = await checkKey(request.headers.authorization, needs)
    if (!isRefusal(caller)) recentlyAcceptedKeys.add(request.headers.authorization)
    return caller
  }

  demandAccess(app)
  app.addHook('onRequest', async (request, reply) => {
    // On a shop's own host a page could call it, and a shopper's browser would send what it has for that host.
    const { host } = readHost(request.headers.host, deps.publicBase)
    if (host !== 'base' && host !== 'console')
      return sendRefusal(reply, refuse('invalid_api_key', {}, elsewhere(host, deps.publicBase.host)))
    const lane = laneOfCall(request)
    const key = recentlyAcceptedKeys.find(request.headers.authorization)
    if (!(await lanes.wait(request, reply, 'keyChecks', key ?? clientNetwork(request.ip)))) return reply
    const caller = await checkCaller(request, host, needsOf(request))
    // Gives back the place in the lane of unchecked keys: a slow body would hold it.
    lanes.leaveAll(request)
    if (isRefusal(caller)) {
      await lanes.wait(request, reply, 'refusals', clientNetwork(request.ip))
      return sendRefusal(reply, caller)
    }
    if (hasMalformedCheckoutId(request.params)) return sendRefusal(reply, refuse('checkout_not_found'))
    request.setDecorator(CALLER, caller)
    if (lane !== 'uploads' || (await lanes.wait(request, reply, 'uploadBodies', caller.merchant.id))) return undefined
    return reply
  })
  const callerOf = (request: FastifyRequest) => request.getDecorator<Caller>(CALLER)

  // After the body was read: a slow sender holds no place that others wait for.
  app.addHook('preValidation', async (request, reply) => {
    request.body ??= null
    const { merchant, by } = callerOf(request)
    if (!(await lanes.wait(request, reply, laneOfCall(request), merchant.id))) return reply
    if (by.kind !== 'person' || request.method === 'GET') return undefined
    // Again: the body may have taken seconds, in which the session was ended or the person removed.
    const caller = await checkPerson(request, needsOf(request), UNCOUNTED)
    if (isRefusal(caller)) return sendRefusal(reply, caller)
    request.setDecorator(CALLER, caller)
    return undefined
  })

  auditChanges(app, deps, callerOf)

  for (const routes of [
    meRoutes,
    checkoutRoutes,
    reusableLinkRoutes,
    timelineRoutes,
    refundRoutes,
    reportRoutes,
    figureRoutes,
    reconciliationRoutes,
    attentionRoutes,
    settingsRoutes,
    pictureUploadRoutes,
    webhookRoutes,
    eventRoutes,
  ])
    await app.register(routes, {
      deps,
      callerOf,
      nextPiece: lanes.nextPiece,
      noteMade: lanes.noteCheckout,
      installationWarnings,
    })

  refuseOtherAddresses(app, { access: 'read', lane: 'merchantCalls' })
}
