/** Routes of the merchant API that create, read, list and cancel checkouts, draw their QR codes and send a receipt again. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { generate } from 'lean-qr'
import { toSvgSource } from 'lean-qr/extras/svg'
import { isRefusal, refuse } from '#contract/errors.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import * as calls from '#contract/merchant/checkouts.ts'
import { iso, merchantFacts, presentDetails, presentToMerchant } from '#payment/merchant-view.ts'
import { cancel } from '../../../operations/cancel.ts'
import { createCheckout, createCheckoutOnce } from '../../../operations/create-checkout.ts'
import { listCheckouts, withPayingAttempt } from '../../../operations/list-checkouts.ts'
import { readAfterInquiry } from '../../../operations/read-checkout.ts'
import { sendReceipt } from '../../../operations/send-receipt.ts'
import type { ListedCheckout } from '../../../store/checkout/checkout-list.ts'
import type { StoredMail } from '../../../store/outbox/mails.ts'
import { sendRefusal } from '../../errors.ts'
import { bodyRouteOf, queryRouteOf, routeOf, sendAnswer } from '../contract-route.ts'
import { readIdempotencyKey } from './idempotency-key.ts'
import { isOwnCheckout, originOf, scopeOf, type KeyHolderOptions } from './key-holder.ts'
import { firstRefusal, presentPage, readFilters, readPageQuery } from './lists.ts'

/** Quiet zone of the QR code, as wide as the standard asks: without it a camera does not find the code on a dark page. */
const QR_MARGIN = 4

/** Pixels of a module, where the page that shows the picture gives no size. */
const QR_SCALE = 8

const presentListed = (listed: ListedCheckout, origin: string): MerchantCheckoutAnswer => ({
  ...merchantFacts({ ...listed, now: 'as stored' }, listed.refundedYen, origin),
  ...(listed.shopper === null ? {} : { shopper: listed.shopper }),
})

const presentReceipt = (checkoutId: string, { state, createdAt }: StoredMail): calls.ReceiptAnswer => ({
  checkoutId,
  status: state,
  createdAt: iso(createdAt),
})

export const checkoutRoutes: FastifyPluginAsyncTypebox<KeyHolderOptions> = async (app, { deps, holderOf }) => {
  app.route({
    ...bodyRouteOf(calls.createCheckout),
    handler: async (request, reply) => {
      const holder = holderOf(request)
      const seller = { ...scopeOf(holder), settings: holder.merchant.settings }
      const origin = originOf(deps, holder)
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
      const holder = holderOf(request)
      const reading = await readAfterInquiry(deps, { ...scopeOf(holder), ...request.params })
      if (reading === null) return sendRefusal(reply, refuse('checkout_not_found'))
      return sendAnswer(reply, 200, presentDetails(await withPayingAttempt(deps, reading), originOf(deps, holder)))
    },
  })

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
        presentPage(listed, (each) => presentListed(each, originOf(deps, holder))),
      )
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
      return sendAnswer(reply, 200, presentDetails(await withPayingAttempt(deps, reading), originOf(deps, holder)))
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
      if (!(await isOwnCheckout(deps, scopeOf(holder), checkoutId)))
        return sendRefusal(reply, refuse('checkout_not_found'))
      const code = generate(`${originOf(deps, holder)}/${checkoutId}`)
      return reply
        .type(calls.drawQrCode.contentType ?? '')
        .send(toSvgSource(code, { on: 'black', off: 'white', pad: QR_MARGIN, scale: QR_SCALE, xmlDeclaration: true }))
    },
  })
}
