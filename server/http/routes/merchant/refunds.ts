/** Routes of the merchant API that make, read and list refunds. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { isRefusal, refuse } from '#contract/errors.ts'
import * as calls from '#contract/merchant/refunds.ts'
import { presentRefund } from '#payment/merchant-view.ts'
import type { Refund } from '#payment/refund.ts'
import { refund } from '../../../operations/refund.ts'
import { pageOf, type ListPage, type PageRequest, type Place } from '../../../store/engine/list-page.ts'
import { listRefunds, refundPlace } from '../../../store/checkout/refund-list.ts'
import { sendRefusal } from '../../errors.ts'
import { presentPage, readPageQuery } from './lists.ts'
import { bodyRouteOf, queryRouteOf, sendAnswer } from '../contract-route.ts'
import { scopeOf, type KeyHolderOptions } from './key-holder.ts'
import { readAfterInquiry } from '../../../operations/read-checkout.ts'

/** A place names a refund by time, checkout and id. */
const PLACE_IDS = 2

const isSamePlace = (one: Place, other: Place): boolean => one.join('.') === other.join('.')

/** All refunds of a checkout are read together with it, so that its pages are cut in memory. */
const pageInMemory = (refunds: readonly Refund[], { after, limit }: PageRequest): ListPage<Refund> => {
  const start = after === null ? 0 : refunds.findIndex((each) => isSamePlace(refundPlace(each), after)) + 1
  return pageOf(refunds.slice(start, start + limit + 1), limit, { read: (each) => each, placeOf: refundPlace })
}

export const refundRoutes: FastifyPluginAsyncTypebox<KeyHolderOptions> = async (app, { deps, holderOf }) => {
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

  app.route({
    ...queryRouteOf(calls.listCheckoutRefunds),
    handler: async (request, reply) => {
      const page = readPageQuery(request.query, PLACE_IDS)
      if (isRefusal(page)) return sendRefusal(reply, page)
      const reading = await readAfterInquiry(deps, {
        ...scopeOf(holderOf(request)),
        checkoutId: request.params.checkoutId,
      })
      if (reading === null) return sendRefusal(reply, refuse('checkout_not_found'))
      return sendAnswer(reply, 200, presentPage(pageInMemory(reading.refunds.toReversed(), page), presentRefund))
    },
  })

  app.route({
    ...queryRouteOf(calls.readRefund),
    handler: async (request, reply) => {
      const { checkoutId, refundId } = request.params
      const reading = await readAfterInquiry(deps, { ...scopeOf(holderOf(request)), checkoutId })
      if (reading === null) return sendRefusal(reply, refuse('checkout_not_found'))
      const found = reading.refunds.find((each) => each.refundId === refundId)
      return sendAnswer(reply, 200, found === undefined ? refuse('refund_not_found') : presentRefund(found))
    },
  })

  app.route({
    ...queryRouteOf(calls.listRefunds),
    handler: async (request, reply) => {
      const page = readPageQuery(request.query, PLACE_IDS)
      if (isRefusal(page)) return sendRefusal(reply, page)
      const listed = await listRefunds(deps.database, scopeOf(holderOf(request)), page)
      return sendAnswer(reply, 200, presentPage(listed, presentRefund))
    },
  })
}
