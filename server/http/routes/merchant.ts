/** Routes of the merchant API, behind the API key. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import * as calls from '#contract/calls.ts'
import { isRefusal, refuse } from '#contract/errors.ts'
import { sendRefusal } from '../errors.ts'
import { keyHashOf } from '../api-key.ts'
import { readHost } from '../hosts.ts'
import type { Parts } from '../../parts.ts'
import { merchantOrigin } from '../../origins.ts'
import { presentRefund, presentToMerchant } from '../present.ts'
import { createCheckout } from '../../operations/create-checkout.ts'
import { refund } from '../../operations/refund.ts'
import { readCheckout } from '../../operations/read-checkout.ts'
import { findKeyHolder, type KeyHolder } from '../../store/merchants.ts'
import { pictureUploadRoutes } from './picture-uploads.ts'
import { bodyRouteOf, hasMalformedCheckoutId, routeOf, sendAnswer } from './contract-route.ts'

export interface MerchantOptions {
  readonly parts: Parts
}

/** Set on every request that passed the API key. */
const KEY_HOLDER = 'keyHolder'

const NO_LIVE_KEYS =
  'This release charges no real money: there is no acquirer but the sandbox. Use a key that begins with sk_test_.'

/** The calls of the merchant's own server, under /merchant/v1. */
export const merchantRoutes: FastifyPluginAsyncTypebox<MerchantOptions> = async (app, { parts }) => {
  app.decorateRequest(KEY_HOLDER)

  app.addHook('onRequest', async (request, reply) => {
    // On a shop's own host a page could call it, and a shopper's browser would send what it has for that host.
    if (readHost(request.headers.host, parts.publicBase).host !== 'base')
      return sendRefusal(reply, refuse('invalid_api_key', {}, `The merchant API is at ${parts.publicBase.host}.`))
    const hash = keyHashOf(request.headers.authorization)
    const holder = hash === null ? null : await findKeyHolder(parts.database, hash)
    if (holder === null) return sendRefusal(reply, refuse('invalid_api_key'))
    if (holder.mode === 'live') return sendRefusal(reply, refuse('invalid_api_key', {}, NO_LIVE_KEYS))
    if (hasMalformedCheckoutId(request.params)) return sendRefusal(reply, refuse('checkout_not_found'))
    request.setDecorator(KEY_HOLDER, holder)
    return undefined
  })
  app.addHook('preValidation', async (request) => {
    request.body ??= null
  })

  const holderOf = (request: FastifyRequest) => request.getDecorator<KeyHolder>(KEY_HOLDER)

  app.route({
    ...bodyRouteOf(calls.createCheckout),
    handler: async (request, reply) => {
      const { merchant, mode } = holderOf(request)
      const created = await createCheckout(parts, { merchantId: merchant.id, mode }, request.body)
      const origin = merchantOrigin(parts.publicBase, merchant.label)
      return sendAnswer(reply, 201, isRefusal(created) ? created : presentToMerchant(created, [], origin))
    },
  })

  app.route({
    ...routeOf(calls.readMerchantCheckout),
    handler: async (request, reply) => {
      const { merchant } = holderOf(request)
      const ref = { ...request.params, merchantId: merchant.id }
      const reading = await readCheckout(parts, ref)
      if (reading === null) return sendRefusal(reply, refuse('checkout_not_found'))
      const origin = merchantOrigin(parts.publicBase, merchant.label)
      return sendAnswer(reply, 200, presentToMerchant(reading, reading.refunds, origin))
    },
  })

  app.route({
    ...bodyRouteOf(calls.refundCheckout),
    handler: async (request, reply) => {
      const { refundId, amount: amountYen = null } = request.body
      const ref = { ...request.params, merchantId: holderOf(request).merchant.id }
      const result = await refund(parts, ref, { refundId, amountYen })
      return sendAnswer(reply, 201, isRefusal(result) ? result : presentRefund(result))
    },
  })

  await app.register(pictureUploadRoutes, { parts, holderOf })

  app.setNotFoundHandler((_request, reply) => sendRefusal(reply, refuse('method_not_allowed')))
  // Without it a GET of no call would be drawn as a page, of a checkout named "merchant".
  app.get('/*', { schema: { hide: true } }, async (_request, reply) => sendRefusal(reply, refuse('method_not_allowed')))
}
