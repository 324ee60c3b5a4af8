/** Routes of a checkout's pages: its link leads to the screen of its status, and each screen is drawn with the checkout inside. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CheckoutAnswer } from '#contract/checkout.ts'
import { beginsWithCardForm, isScreen, isScreenForStatus, screenForStatus } from '#contract/screens.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isId } from '../../ids.ts'
import { readAfterInquiry } from '../../operations/read-checkout.ts'
import { findUnstored } from '../../operations/reusable-links/opened-checkouts.ts'
import { LINK_PATH } from '../../origins.ts'
import { merchantOfDocument, readHost } from '../hosts.ts'
import type { RouteLanes } from '../limits/route-lanes.ts'
import { PAGE_ROUTE, redirect, type PageSender } from '../pages/send-page.ts'
import { presentCheckout } from '../present-checkout.ts'

export const checkoutPageRoutes = (
  app: FastifyInstance,
  deps: Dependencies,
  { sendPage, sendError }: PageSender,
  { noteCheckout }: Pick<RouteLanes, 'noteCheckout'>,
): void => {
  /** The checkout of an address, or where else the address leads. The host alone names the merchant. */
  const findCheckout = async ({ headers }: FastifyRequest, checkoutId: string): Promise<CheckoutAnswer | string> => {
    const merchant = await merchantOfDocument(deps.findMerchant, readHost(headers.host, deps.publicBase))
    if (merchant === null) return '/404'
    const stored = await readAfterInquiry(deps, { merchantId: merchant.id, checkoutId })
    // The page makes no call before its first card.
    if (stored !== null) noteCheckout(checkoutId)
    const opened = stored === null ? await findUnstored(deps, merchant, checkoutId) : null
    const reading = stored ?? opened?.reading
    if (reading === undefined) return '/404'
    const taken = await deps.gateways.takenCards(reading.checkout)
    const checkout = presentCheckout(reading, { settings: merchant.settings, taken })
    // A form that can no longer be paid: the shopper would type a card number for nothing.
    const isOver = merchant.closedAt !== null && beginsWithCardForm('/creditcard', checkout)
    // Its link says why, or opens it anew.
    if (opened !== null) return isOver || checkout.status !== 'open' ? LINK_PATH + opened.link.id : checkout
    return isOver ? '/404' : checkout
  }

  /** `screen` is what follows the checkout's id in the address; empty for the link itself. */
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    checkoutId: string,
    screen: string,
  ): Promise<FastifyReply> => {
    if (!isId(checkoutId)) return sendError(request, reply, '/404')
    if (screen.endsWith('/') && isScreen(screen.slice(0, -1)))
      return redirect(request, reply, `/${checkoutId}/${screen.slice(0, -1)}`)
    if (screen !== '' && !isScreen(screen)) return sendError(request, reply, '/404')
    const checkout = await findCheckout(request, checkoutId)
    if (typeof checkout === 'string') return redirect(request, reply, checkout)
    if (screen === '') return redirect(request, reply, `/${checkoutId}/${screenForStatus(checkout.status)}`)
    if (!isScreenForStatus(screen, checkout.status)) return redirect(request, reply, `/${checkoutId}`)
    return sendPage(request, reply, { path: `/${checkoutId}/${screen}`, checkout })
  }

  app.get<{ Params: { checkoutId: string } }>('/:checkoutId', PAGE_ROUTE, (request, reply) =>
    send(request, reply, request.params.checkoutId, ''),
  )
  app.get<{ Params: { checkoutId: string; '*'?: string } }>('/:checkoutId/*', PAGE_ROUTE, (request, reply) =>
    send(request, reply, request.params.checkoutId, request.params['*'] ?? ''),
  )
}
