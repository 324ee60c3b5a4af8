/** Routes of the merchant API that make, read and list refunds. */
import type { FastifyPluginAsync } from 'fastify'
import { isRefusal, refuse } from '#contract/errors.ts'
import * as calls from '#contract/merchant/refunds.ts'
import { presentRefund } from '#payment/merchant-view.ts'
import type { Refund } from '#payment/refund.ts'
import { refund } from '../../../operations/refund.ts'
import { pageOf, type ListPage, type PageRequest, type Place } from '../../../store/engine/list-page.ts'
import { listRefunds, refundPlace } from '../../../store/checkout/refund-list.ts'
import { presentPage, readPageQuery } from './lists.ts'
import { answerCall } from '../contract-route.ts'
import { scopeOf, type CallerOptions } from './caller.ts'
import { readAfterInquiry } from '../../../operations/read-checkout.ts'

/** A place names a refund by time, checkout and id. */
const PLACE_IDS = 2

const isSamePlace = (one: Place, other: Place): boolean => one.join('.') === other.join('.')

/** All refunds of a checkout are read together with it, so that its pages are cut in memory. */
const pageInMemory = (refunds: readonly Refund[], { after, limit }: PageRequest): ListPage<Refund> => {
  const start = after === null ? 0 : refunds.findIndex((each) => isSamePlace(refundPlace(each), after)) + 1
  return pageOf(refunds.slice(start, start + limit + 1), limit, { read: (each) => each, placeOf: refundPlace })
}

export const refundRoutes: FastifyPluginAsync<CallerOptions> = async (app, { deps, callerOf }) => {
  answerCall(app, calls.refundCheckout, async (request) => {
    const { refundId, amount: amountYen = null, taxes = null } = request.body
    const { merchant, mode } = callerOf(request)
    const ref = { ...request.params, merchantId: merchant.id }
    const result = await refund(deps, ref, { refundId, amountYen, taxes, mode })
    return isRefusal(result) ? result : presentRefund(result)
  })

  answerCall(app, calls.listCheckoutRefunds, async (request) => {
    const page = readPageQuery(request.query, PLACE_IDS)
    if (isRefusal(page)) return page
    const { checkoutId } = request.params
    const reading = await readAfterInquiry(deps, { ...scopeOf(callerOf(request)), checkoutId })
    if (reading === null) return refuse('checkout_not_found')
    return presentPage(pageInMemory(reading.refunds.toReversed(), page), presentRefund)
  })

  answerCall(app, calls.readRefund, async (request) => {
    const { checkoutId, refundId } = request.params
    const reading = await readAfterInquiry(deps, { ...scopeOf(callerOf(request)), checkoutId })
    if (reading === null) return refuse('checkout_not_found')
    const found = reading.refunds.find((each) => each.refundId === refundId)
    return found === undefined ? refuse('refund_not_found') : presentRefund(found)
  })

  answerCall(app, calls.listRefunds, async (request) => {
    const page = readPageQuery(request.query, PLACE_IDS)
    if (isRefusal(page)) return page
    const listed = await listRefunds(deps.database, scopeOf(callerOf(request)), page)
    return presentPage(listed, presentRefund)
  })
}
