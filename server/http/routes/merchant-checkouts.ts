/** Routes of the merchant API that list, follow, cancel and draw checkouts, and send a receipt again. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { generate } from 'lean-qr'
import { toSvgSource } from 'lean-qr/extras/svg'
import { isRefusal, refuse } from '#contract/errors.ts'
import * as calls from '#contract/merchant-list-calls.ts'
import { cancel } from '../../operations/cancel.ts'
import { presentDetails } from '#payment/merchant-view.ts'
import { listCheckouts, withPayingAttempt } from '../../operations/list-checkouts.ts'
import { readAfterInquiry } from '../../operations/read-checkout.ts'
import { sendReceipt } from '../../operations/send-receipt.ts'
import { merchantOrigin } from '../../origins.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { KeyScope } from '../../store/checkout/checkout-list.ts'
import type { KeyHolder } from '../../store/merchant/merchants.ts'
import { readCheckoutSnapshot } from '../../store/checkout/readings.ts'
import { timelineOf } from '../../store/checkout/timeline.ts'
import { sendRefusal } from '../errors.ts'
import { firstRefusal, readFilters, readPageQuery, readTimelinePageQuery } from '../list-query.ts'
import { presentLine, presentListed, presentPage, presentReceipt } from '../present-lists.ts'
import { queryRouteOf, routeOf, sendAnswer } from './contract-route.ts'

export interface KeyHolderOptions {
  readonly deps: Dependencies
  readonly holderOf: (request: FastifyRequest) => KeyHolder
  /** Waits for the turn of the next piece of a long answer. */
  readonly nextPiece: () => Promise<void>
}

export const scopeOf = ({ merchant, mode }: KeyHolder): KeyScope => ({ merchantId: merchant.id, mode })

/** Light around it, as wide as the standard asks for: without it a camera does not find the code on a dark page. */
const QR_MARGIN = 4

/** Pixels of a module, where nobody says how large to draw it. */
const QR_SCALE = 8

export const merchantCheckoutRoutes: FastifyPluginAsyncTypebox<KeyHolderOptions> = async (app, { deps, holderOf }) => {
  const originOf = ({ merchant }: KeyHolder): string => merchantOrigin(deps.publicBase, merchant.label)

  /** Whether the key reaches it. What is then read of it does not depend on what the acquirer says. */
  const isOwn = async ({ merchantId, mode }: KeyScope, checkoutId: string): Promise<boolean> =>
    (await readCheckoutSnapshot(deps.database, { merchantId, checkoutId }))?.checkout.mode === mode

  app.route({
    ...queryRouteOf(calls.listCheckouts),
    handler: async (request, reply) => {
      const holder = holderOf(request)
      const [page, filters] = [readPageQuery(request.query), readFilters(request.query)]
      if (isRefusal(page) || isRefusal(filters))
        return sendRefusal(reply, firstRefusal(page, filters) ?? refuse('invalid_field'))
      const listed = await listCheckouts(deps, scopeOf(holder), filters, page)
      return sendAnswer(
        reply,
        200,
        presentPage(listed, (each) => presentListed(each, originOf(holder))),
      )
    },
  })

  app.route({
    ...queryRouteOf(calls.readTimeline),
    handler: async (request, reply) => {
      const scope = scopeOf(holderOf(request))
      const { checkoutId } = request.params
      const page = readTimelinePageQuery(request.query)
      if (isRefusal(page)) return sendRefusal(reply, page)
      if (!(await isOwn(scope, checkoutId))) return sendRefusal(reply, refuse('checkout_not_found'))
      const lines = await timelineOf(deps.database, { merchantId: scope.merchantId, checkoutId }, page)
      return sendAnswer(reply, 200, presentPage(lines, presentLine))
    },
  })

  app.route({
    ...routeOf(calls.cancelMerchantCheckout),
    handler: async (request, reply) => {
      const holder = holderOf(request)
      const scope = scopeOf(holder)
      const { checkoutId } = request.params
      const by = { actor: 'merchant', mode: scope.mode } as const
      const cancelled = await cancel(deps, { merchantId: scope.merchantId, checkoutId }, by)
      if (isRefusal(cancelled)) return sendRefusal(reply, cancelled)
      const reading = await readAfterInquiry(deps, { ...scope, checkoutId })
      if (reading === null) return sendRefusal(reply, refuse('checkout_not_found'))
      return sendAnswer(reply, 200, presentDetails(await withPayingAttempt(deps, reading), originOf(holder)))
    },
  })

  app.route({
    ...routeOf(calls.sendReceipt),
    handler: async (request, reply) => {
      const { merchantId, mode } = scopeOf(holderOf(request))
      const { checkoutId } = request.params
      const sent = await sendReceipt(deps, { merchantId, checkoutId }, mode)
      return sendAnswer(reply, 200, isRefusal(sent) ? sent : presentReceipt(checkoutId, sent))
    },
  })

  app.route({
    ...queryRouteOf(calls.drawQrCode),
    handler: async (request, reply) => {
      const holder = holderOf(request)
      const { checkoutId } = request.params
      if (!(await isOwn(scopeOf(holder), checkoutId))) return sendRefusal(reply, refuse('checkout_not_found'))
      const code = generate(`${originOf(holder)}/${checkoutId}`)
      return reply
        .type(calls.drawQrCode.contentType ?? '')
        .send(toSvgSource(code, { on: 'black', off: 'white', pad: QR_MARGIN, scale: QR_SCALE, xmlDeclaration: true }))
    },
  })
}
