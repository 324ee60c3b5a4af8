/** Routes of the merchant API, behind the API key. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { CALL_COSTS, type MerchantLane } from '#contract/calls.ts'
import * as calls from '#contract/merchant-calls.ts'
import { isRefusal, refuse } from '#contract/errors.ts'
import { CreateCheckoutHeaders } from '#contract/merchant.ts'
import { presentDetails, presentRefund, presentToMerchant } from '#payment/merchant-view.ts'
import { sendRefusal } from '../errors.ts'
import { createKeyCheck } from '../api-key.ts'
import { clientNetwork } from '../client-network.ts'
import { isMerchantLane, type RouteLanes } from '../route-lanes.ts'
import type { KeyLimits } from '../key-limits.ts'
import type { KnownKeys } from '../known-keys.ts'
import { readHost, type HostRole } from '../hosts.ts'
import { readIdempotencyKey } from '../idempotency-key.ts'
import type { Dependencies } from '../../dependencies.ts'
import { merchantOrigin } from '../../origins.ts'
import { presentMe } from '../present.ts'
import { createCheckout, createCheckoutOnce } from '../../operations/create-checkout.ts'
import { withPayingAttempt } from '../../operations/list-checkouts.ts'
import { readAfterInquiry } from '../../operations/read-checkout.ts'
import { refund } from '../../operations/refund.ts'
import type { KeyHolder } from '../../store/merchant/merchants.ts'
import { bodyRouteOf, demandAccess, hasMalformedCheckoutId, routeOf, sendAnswer } from './contract-route.ts'
import { merchantCheckoutRoutes } from './merchant-checkouts.ts'
import { merchantRefundRoutes } from './merchant-refunds.ts'
import { merchantReportRoutes } from './merchant-reports.ts'
import { merchantSettingsRoutes } from './merchant-settings.ts'
import { merchantWebhookRoutes } from './merchant-webhooks.ts'
import { pictureUploadRoutes } from './picture-uploads.ts'

export interface MerchantOptions {
  readonly deps: Dependencies
  readonly keyLimits: KeyLimits
  readonly lanes: RouteLanes
  readonly knownKeys: KnownKeys
}

/** Set on every request that passed the API key. */
const KEY_HOLDER = 'keyHolder'

/** By these words `doctor` sees whether the proxy has passed on the host of a shop. Nothing of the request is repeated. */
const elsewhere = (host: HostRole['host'], base: string): string =>
  host === 'foreign' ? `This host is none of ${base}, where the merchant API is.` : `The merchant API is at ${base}.`

/** An address that is none of the API has no lane of its own. */
const laneOfCall = ({ routeOptions: { config } }: FastifyRequest): MerchantLane =>
  config.lane !== undefined && isMerchantLane(config.lane) ? config.lane : 'merchantCalls'

/** The calls of the merchant's own server, under /merchant/v1. */
export const merchantRoutes: FastifyPluginAsyncTypebox<MerchantOptions> = async (app, options) => {
  const { deps, keyLimits, lanes, knownKeys } = options
  app.decorateRequest(KEY_HOLDER)
  const checkKey = createKeyCheck(deps, keyLimits)

  demandAccess(app)
  app.addHook('onRequest', async (request, reply) => {
    // On a shop's own host a page could call it, and a shopper's browser would send what it has for that host.
    const { host } = readHost(request.headers.host, deps.publicBase)
    if (host !== 'base') return sendRefusal(reply, refuse('invalid_api_key', {}, elsewhere(host, deps.publicBase.host)))
    const { access = 'full', limit } = request.routeOptions.config
    const lane = laneOfCall(request)
    const holder = await checkKey({
      authorization: request.headers.authorization,
      access,
      cost: CALL_COSTS[lane],
      isRefund: limit === 'refunds',
    })
    // Its place among the calls whose key is not known: a body that comes slowly would keep it.
    lanes.leaveAll(request)
    if (isRefusal(holder)) {
      await lanes.wait(request, reply, 'refusals', clientNetwork(request.ip))
      return sendRefusal(reply, holder)
    }
    knownKeys.add(request.headers.authorization)
    if (hasMalformedCheckoutId(request.params)) return sendRefusal(reply, refuse('checkout_not_found'))
    request.setDecorator(KEY_HOLDER, holder)
    if (lane !== 'uploads' || (await lanes.wait(request, reply, 'uploadBodies', holder.merchant.id))) return undefined
    return reply
  })
  const holderOf = (request: FastifyRequest) => request.getDecorator<KeyHolder>(KEY_HOLDER)

  // When the body has been read: nobody waits for a place that a slow sender holds.
  app.addHook('preValidation', async (request, reply) => {
    request.body ??= null
    const { merchant } = holderOf(request)
    return (await lanes.wait(request, reply, laneOfCall(request), merchant.id)) ? undefined : reply
  })

  app.route({
    ...routeOf(calls.readMe),
    handler: async (request, reply) => sendAnswer(reply, 200, presentMe(holderOf(request))),
  })

  app.route({
    ...bodyRouteOf(calls.createCheckout),
    schema: { ...bodyRouteOf(calls.createCheckout).schema, headers: CreateCheckoutHeaders },
    handler: async (request, reply) => {
      const { merchant, mode } = holderOf(request)
      const seller = { merchantId: merchant.id, mode, settings: merchant.settings }
      const origin = merchantOrigin(deps.publicBase, merchant.label)
      const key = readIdempotencyKey(request.headers['idempotency-key'], request.body)
      if (key === undefined) {
        const created = await createCheckout(deps, seller, request.body)
        return sendAnswer(reply, 201, isRefusal(created) ? created : presentToMerchant(created, [], origin))
      }
      if (isRefusal(key)) return sendRefusal(reply, key)
      const once = await createCheckoutOnce(deps, seller, request.body, key)
      if (isRefusal(once)) return sendRefusal(reply, once)
      if (!once.isReplay) return sendAnswer(reply, 201, presentToMerchant(once.reading, [], origin))
      return sendAnswer(
        reply.header('idempotent-replayed', 'true'),
        201,
        presentDetails(await withPayingAttempt(deps, once.reading), origin),
      )
    },
  })

  app.route({
    ...routeOf(calls.readMerchantCheckout),
    handler: async (request, reply) => {
      const { merchant, mode } = holderOf(request)
      const reading = await readAfterInquiry(deps, { ...request.params, merchantId: merchant.id, mode })
      if (reading === null) return sendRefusal(reply, refuse('checkout_not_found'))
      const origin = merchantOrigin(deps.publicBase, merchant.label)
      return sendAnswer(reply, 200, presentDetails(await withPayingAttempt(deps, reading), origin))
    },
  })

  app.route({
    ...bodyRouteOf(calls.refundCheckout),
    handler: async (request, reply) => {
      const { refundId, amount: amountYen = null, taxes = null } = request.body
      const { merchant, mode } = holderOf(request)
      const ref = { ...request.params, merchantId: merchant.id }
      const result = await refund(deps, ref, { refundId, amountYen, taxes, mode })
      return sendAnswer(reply, 201, isRefusal(result) ? result : presentRefund(result))
    },
  })

  for (const routes of [
    merchantCheckoutRoutes,
    merchantRefundRoutes,
    merchantReportRoutes,
    merchantSettingsRoutes,
    pictureUploadRoutes,
    merchantWebhookRoutes,
  ])
    await app.register(routes, { deps, holderOf, nextPiece: lanes.nextPiece })

  app.setNotFoundHandler((_request, reply) => sendRefusal(reply, refuse('method_not_allowed')))
  // Without it a GET of no call would be drawn as a page, of a checkout named "merchant".
  app.get(
    '/*',
    { schema: { hide: true }, config: { access: 'read', lane: 'merchantCalls' } },
    async (_request, reply) => sendRefusal(reply, refuse('method_not_allowed')),
  )
}
