import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import * as calls from '#contract/calls.ts'
import { isRefusal, refuse } from '#contract/errors.ts'
import { sendRefusal } from '../errors.ts'
import { API_HEADERS } from '../headers.ts'
import { keyHashOf } from '../hosts.ts'
import { newCheckout } from '#payment/new-checkout.ts'
import type { Parts } from '../../parts.ts'
import { merchantOrigin } from '../../origins.ts'
import { presentRefund, presentToMerchant } from '../present.ts'
import { refund } from '../../operations/refund.ts'
import { readSettled } from '../../operations/resolve-doubt.ts'
import { insertCheckout } from '../../store/checkouts.ts'
import { findKeyHolder, type KeyHolder } from '../../store/merchants.ts'
import { refundsOfCheckout } from '../../store/refunds.ts'
import { bodyRouteOf, namesNoCheckout, routeOf, sendAnswer } from './contract-route.ts'

export interface MerchantOptions {
  readonly parts: Parts
}

const NO_LIVE_KEYS =
  'This release charges no real money: there is no acquirer but the sandbox. Use a key that begins with sk_test_.'

/** The calls of the merchant's own server, under /merchant/v1. */
export const merchantRoutes: FastifyPluginAsyncTypebox<MerchantOptions> = async (app, { parts }) => {
  const holders = new WeakMap<FastifyRequest, KeyHolder>()

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(API_HEADERS)
    const hash = keyHashOf(request.headers.authorization)
    const holder = hash === null ? null : await findKeyHolder(parts.database, hash)
    if (holder === null) return sendRefusal(reply, refuse('invalid_api_key'))
    if (holder.mode === 'live') return sendRefusal(reply, refuse('invalid_api_key', {}, NO_LIVE_KEYS))
    if (namesNoCheckout(request.params)) return sendRefusal(reply, refuse('checkout_not_found'))
    holders.set(request, holder)
    return undefined
  })
  app.addHook('preValidation', async (request) => {
    request.body ??= null
  })

  const holderOf = (request: FastifyRequest): KeyHolder => {
    const holder = holders.get(request)
    if (holder === undefined) throw new Error('a call without a key passed the gate')
    return holder
  }

  app.route({
    ...bodyRouteOf(calls.createCheckout),
    handler: async (request, reply) => {
      const { merchant, mode } = holderOf(request)
      const now = parts.clock.now()
      const checkout = newCheckout(request.body, { merchantId: merchant.id, id: parts.random.id(), mode, now })
      if (isRefusal(checkout)) return sendRefusal(reply, checkout)
      await parts.database.transact((sql) => insertCheckout(sql, checkout))
      const origin = merchantOrigin(parts.publicBase, merchant.label)
      return sendAnswer(reply, 201, presentToMerchant({ checkout, inFlight: null }, [], origin, now))
    },
  })

  app.route({
    ...routeOf(calls.readMerchantCheckout),
    handler: async (request, reply) => {
      const { merchant } = holderOf(request)
      const ref = { ...request.params, merchantId: merchant.id }
      const found = await readSettled(parts, ref)
      if (found === null) return sendRefusal(reply, refuse('checkout_not_found'))
      const refunds = await refundsOfCheckout(parts.database, ref)
      const origin = merchantOrigin(parts.publicBase, merchant.label)
      return sendAnswer(reply, 200, presentToMerchant(found, refunds, origin, parts.clock.now()))
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

  app.setNotFoundHandler((_request, reply) => sendRefusal(reply, refuse('method_not_allowed')))
}
