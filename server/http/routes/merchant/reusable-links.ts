/** Routes of the merchant API that create, read, list and change reusable links, and draw their QR codes. */
import type { FastifyPluginAsync } from 'fastify'
import { isRefusal } from '#contract/errors.ts'
import * as calls from '#contract/merchant/reusable-links.ts'
import { iso, when } from '#contract/answer-fields.ts'
import { statusOfLink, type ReusableLink } from '#payment/reusable-link.ts'
import {
  changeReusableLink,
  createReusableLink,
  readReusableLink,
} from '../../../operations/reusable-links/reusable-links.ts'
import { linkAddress } from '../../../origins.ts'
import { listReusableLinks } from '../../../store/checkout/reusable-links.ts'
import { answerCall } from '../contract-route.ts'
import { readIdempotencyKey } from './idempotency-key.ts'
import { originOf, scopeOf, sellerOf, type CallerOptions } from './caller.ts'
import { presentPage, readPageQuery } from './lists.ts'
import { drawQrCodeOf } from './qr-code.ts'

const presentLink = (link: ReusableLink, origin: string, now: number): calls.ReusableLinkAnswer => ({
  id: link.id,
  url: linkAddress(origin, link.id),
  mode: link.mode,
  status: statusOfLink(link, now),
  ...(link.amount.by === 'merchant'
    ? { amount: link.amount.yen }
    : { amountRange: { min: link.amount.min, max: link.amount.max } }),
  ...link.checkout,
  ...when(link.maxPayments, (maxPayments) => ({ maxPayments })),
  payments: link.payments,
  ...when(link.validUntil, (validUntil) => ({ validUntil: iso(validUntil) })),
  ...when(link.disabledAt, (disabledAt) => ({ disabledAt: iso(disabledAt) })),
  createdAt: iso(link.createdAt),
})

export const reusableLinkRoutes: FastifyPluginAsync<CallerOptions> = async (app, { deps, callerOf }) => {
  answerCall(app, calls.createReusableLink, async (request, reply) => {
    const caller = callerOf(request)
    // Another name than that of a checkout's body: the same key and the same body must not find a checkout.
    const key = readIdempotencyKey(request.headers['idempotency-key'], { reusableLink: request.body }, caller.by)
    if (key !== undefined && isRefusal(key)) return key
    const created = await createReusableLink(deps, sellerOf(caller), request.body, key)
    if (isRefusal(created)) return created
    if (created.isReplay) reply.header('idempotent-replayed', 'true')
    return presentLink(created.link, originOf(deps, caller), deps.clock.now())
  })

  answerCall(app, calls.listReusableLinks, async (request) => {
    const caller = callerOf(request)
    const page = readPageQuery(request.query)
    if (isRefusal(page)) return page
    const listed = await listReusableLinks(deps.database, scopeOf(caller), page)
    const now = deps.clock.now()
    return presentPage(listed, (link) => presentLink(link, originOf(deps, caller), now))
  })

  answerCall(app, calls.readReusableLink, async (request) => {
    const caller = callerOf(request)
    const link = await readReusableLink(deps, scopeOf(caller), request.params.linkId)
    return isRefusal(link) ? link : presentLink(link, originOf(deps, caller), deps.clock.now())
  })

  answerCall(app, calls.changeReusableLink, async (request) => {
    const caller = callerOf(request)
    const link = await changeReusableLink(deps, scopeOf(caller), request.params.linkId, request.body)
    return isRefusal(link) ? link : presentLink(link, originOf(deps, caller), deps.clock.now())
  })

  answerCall(app, calls.drawLinkQrCode, async (request, reply) => {
    const caller = callerOf(request)
    const link = await readReusableLink(deps, scopeOf(caller), request.params.linkId)
    if (isRefusal(link)) return link
    reply.type(calls.drawLinkQrCode.contentType ?? '')
    return drawQrCodeOf(linkAddress(originOf(deps, caller), link.id))
  })
}
