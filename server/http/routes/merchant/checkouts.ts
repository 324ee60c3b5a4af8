/** Routes of the merchant API that create, read, list and cancel checkouts, draw their QR codes and send a receipt again. */
import { iso } from '#contract/answer-fields.ts'
import type { FastifyPluginAsync } from 'fastify'
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { listCheckouts as listCheckoutsCall } from '#contract/merchant/checkout-lists.ts'
import * as calls from '#contract/merchant/checkouts.ts'
import { merchantFacts, presentDetails, presentToMerchant } from '#payment/merchant-view.ts'
import { cancel } from '../../../operations/cancel.ts'
import { createCheckoutOnce } from '../../../operations/create-checkout.ts'
import { listCheckouts, withPayingAttempt } from '../../../operations/list-checkouts.ts'
import { readAfterInquiry } from '../../../operations/read-checkout.ts'
import { sendReceipt } from '../../../operations/send-receipt.ts'
import type { ListedCheckout } from '../../../store/checkout/checkout-list.ts'
import type { Caller } from '../../../operations/caller.ts'
import type { StoredMail } from '../../../store/outbox/mails.ts'
import { noteCancel } from '../../console/audit-changes.ts'
import { answerCall } from '../contract-route.ts'
import { readIdempotencyKey } from './idempotency-key.ts'
import { isOwnCheckout, originOf, scopeOf, sellerOf, type CallerOptions } from './caller.ts'
import { presentPage, readListedBy, readPageQuery } from './lists.ts'
import { drawQrCodeOf } from './qr-code.ts'

const presentListed = (listed: ListedCheckout, origin: string): MerchantCheckoutAnswer => ({
  ...merchantFacts({ ...listed, now: 'as stored' }, listed.refundedYen, origin),
  ...(listed.shopper === null ? {} : { shopper: listed.shopper }),
})

const presentReceipt = (checkoutId: string, { state, createdAt }: StoredMail): calls.ReceiptAnswer => ({
  checkoutId,
  status: state,
  createdAt: iso(createdAt),
})

export const checkoutRoutes: FastifyPluginAsync<CallerOptions> = async (app, { deps, callerOf, noteMade }) => {
  answerCall(app, calls.createCheckout, async (request, reply) => {
    const caller = callerOf(request)
    const seller = sellerOf(caller)
    const origin = originOf(deps, caller)
    const key = readIdempotencyKey(request.headers['idempotency-key'], request.body, caller.by)
    if (key !== undefined && isRefusal(key)) return key
    const once = await createCheckoutOnce(deps, seller, request.body, key)
    if (isRefusal(once)) return once
    noteMade(once.reading.checkout.id)
    if (!once.isReplay) return presentToMerchant(once.reading, [], origin)
    reply.header('idempotent-replayed', 'true')
    return presentDetails(await withPayingAttempt(deps, once.reading), origin)
  })

  const readDetails = async (caller: Caller, checkoutId: string): Promise<MerchantCheckoutAnswer | Refusal> => {
    const reading = await readAfterInquiry(deps, { ...scopeOf(caller), checkoutId })
    if (reading === null) return refuse('checkout_not_found')
    return presentDetails(await withPayingAttempt(deps, reading), originOf(deps, caller))
  }

  answerCall(app, calls.readMerchantCheckout, async (request) =>
    readDetails(callerOf(request), request.params.checkoutId),
  )

  answerCall(app, listCheckoutsCall, async (request) => {
    const caller = callerOf(request)
    const [page, listedBy] = [readPageQuery(request.query), readListedBy(request.query)]
    if (isRefusal(page)) return page
    if (isRefusal(listedBy)) return listedBy
    const listed = await listCheckouts(deps, scopeOf(caller), listedBy, page)
    return presentPage(listed, (each) => presentListed(each, originOf(deps, caller)))
  })

  answerCall(app, calls.cancelMerchantCheckout, async (request) => {
    const caller = callerOf(request)
    const { merchantId, mode } = scopeOf(caller)
    const { checkoutId } = request.params
    const note = noteCancel(deps, caller, request.params)
    const cancelled = await cancel(deps, { merchantId, checkoutId }, { actor: 'merchant', mode, note })
    return isRefusal(cancelled) ? cancelled : readDetails(caller, checkoutId)
  })

  answerCall(app, calls.sendReceipt, async (request) => {
    const { merchantId, mode } = scopeOf(callerOf(request))
    const { checkoutId } = request.params
    const sent = await sendReceipt(deps, { merchantId, checkoutId }, mode)
    return isRefusal(sent) ? sent : presentReceipt(checkoutId, sent)
  })

  answerCall(app, calls.drawQrCode, async (request, reply) => {
    const caller = callerOf(request)
    const { checkoutId } = request.params
    if (!(await isOwnCheckout(deps, scopeOf(caller), checkoutId))) return refuse('checkout_not_found')
    reply.type(calls.drawQrCode.contentType ?? '')
    return drawQrCodeOf(`${originOf(deps, caller)}/${checkoutId}`)
  })
}
