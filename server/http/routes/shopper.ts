/** Routes of the shopper's calls: read, cancel, start, authenticate, monitor, report, pay. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Check } from 'typebox/value'
import { BIN_CODES } from '#contract/brands.ts'
import type { CheckoutAnswer } from '#contract/checkout.ts'
import * as calls from '#contract/shopper-calls.ts'
import { MERCHANT_HEADER, SHOPPER_BASE } from '#contract/paths.ts'
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import type { Instant } from '#contract/jst.ts'
import { isWireLocale } from '#contract/locale.ts'
import { parseEnteredCard, refuseEmail } from '#payment/entered-card.ts'
import { authenticate } from '../../operations/authenticate.ts'
import { browserOf } from '../bridge/browser-facts.ts'
import { cancel } from '../../operations/cancel.ts'
import { monitor, reportError } from '../../operations/challenge.ts'
import { clientNetwork } from '../limits/client-network.ts'
import { createLinkLimiter } from '../limits/link-limits.ts'
import { sendRefusal } from '../errors.ts'
import { merchantOfCall, readHost } from '../hosts.ts'
import type { Dependencies } from '../../dependencies.ts'
import { withMinimumDeclineTime } from '../../operations/minimum-decline-time.ts'
import { pay } from '../../operations/pay.ts'
import { presentCancelled, presentCheckout } from '../present-checkout.ts'
import { canBeUnstored, cancelUnstored, findUnstored } from '../../operations/reusable-links/opened-checkouts.ts'
import { readAfterInquiry } from '../../operations/read-checkout.ts'
import { start } from '../../operations/start-payment.ts'
import { readAttempt, readCheckoutSnapshot } from '../../store/checkout/checkout-reads.ts'
import type { Merchant } from '../../store/merchant/merchants.ts'
import type { RouteLanes } from '../limits/route-lanes.ts'
import { createProxyCheck } from '../untrusted-proxy.ts'
import { countWaitingCalls } from '../limits/waiting-calls.ts'
import { answerCall, hasMalformedCheckoutId } from './contract-route.ts'

const DEFAULT_RECEIPT_LOCALE = 'en_US'

const START = SHOPPER_BASE + calls.startPayment.path

/** The specification can be read as `{card: {…}}` and as the card's fields alone; both are the same card. */
const wrapBareCard = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'number' in body && !('card' in body) ? { card: body } : body

/** True: it is refused whatever becomes of its checkout. */
const isBadCard = (body: unknown, now: Instant): boolean => {
  if (!Check(calls.startPayment.body, body)) return true
  const card = parseEnteredCard(body.card, now)
  if (isRefusal(card)) return true
  card.number.wipe()
  return false
}

const NOT_FOUND = 404

/** Set on every request whose merchant is known. */
const MERCHANT = 'merchant'

export interface ShopperOptions {
  readonly deps: Dependencies
  readonly lanes: RouteLanes
}

/** The calls of the shopper's page, under /api/v1. */
export const shopperRoutes: FastifyPluginAsync<ShopperOptions> = async (app, { deps, lanes }) => {
  app.decorateRequest(MERCHANT)

  const merchantOf = (request: FastifyRequest) => request.getDecorator<Merchant>(MERCHANT)

  app.addHook('onRoute', (route) => {
    const { config = {} } = route
    config.lookUp = async ({ orderCode, checkoutId = '' }, request) => {
      const merchant = merchantOf(request)
      const stored =
        orderCode === undefined
          ? await readCheckoutSnapshot(deps.database, { merchantId: merchant.id, checkoutId })
          : await readAttempt(deps.database, merchant.id, orderCode)
      if (stored !== null) return 'stored'
      return orderCode === undefined && canBeUnstored(deps, checkoutId) ? 'unstored' : 'nothing'
    }
    if (route.url === START) config.isRefusedByShape = ({ body }) => isBadCard(body, deps.clock.now())
    route.config = config
  })
  // A missing, different or unknown merchant gets the answer of an unknown checkout: nobody learns which of them it was.
  app.addHook('onRequest', async (request, reply) => {
    const host = readHost(request.headers.host, deps.publicBase)
    const merchant = await merchantOfCall(deps.findMerchant, host, request.headers[MERCHANT_HEADER])
    if (merchant === null || hasMalformedCheckoutId(request.params))
      return sendRefusal(reply, refuse('checkout_not_found'))
    request.setDecorator(MERCHANT, merchant)
    return undefined
  })
  // Calls about links that do not exist are answered slowly: a flood of them would delay payments, which have no queue.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode !== NOT_FOUND) done()
    else lanes.paceRefusal(request, reply, done)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const body = request.body ?? null
    request.body = request.routeOptions.url === START ? wrapBareCard(body) : body
    done()
  })

  const waitingCalls = countWaitingCalls()
  const countOfLink = createLinkLimiter(() => deps.elapsed())
  // As many ids as first cards: cancels of a stranger take nothing of what others need to pay.
  const countCancels = createLinkLimiter(() => deps.elapsed())
  const checkProxy = createProxyCheck(deps.log)

  const presentTo = async (
    request: FastifyRequest,
    result: Parameters<typeof presentCheckout>[0] | Refusal,
    present = presentCheckout,
  ): Promise<CheckoutAnswer | Refusal> => {
    if (isRefusal(result)) return result
    const { settings } = merchantOf(request)
    return present(result, { settings, taken: await deps.gateways.takenCards(result.checkout) })
  }

  answerCall(app, calls.readCheckout, async (request) => {
    const merchant = merchantOf(request)
    const { checkoutId } = request.params
    const stored = await readAfterInquiry(deps, { merchantId: merchant.id, checkoutId })
    if (stored !== null) lanes.noteCheckout(checkoutId)
    const reading = stored ?? (await findUnstored(deps, merchant, checkoutId))?.reading
    return presentTo(request, reading ?? refuse('checkout_not_found'))
  })

  answerCall(app, calls.cancelCheckout, async (request) => {
    const { checkoutId } = request.params
    const result = await cancel(deps, { checkoutId, merchantId: merchantOf(request).id })
    const network = clientNetwork(request.ip)
    const mayCancel = (linkId: string): boolean => countCancels({ network, linkId }).waitSeconds === 0
    const isStored = !isRefusal(result) || result.refused !== 'checkout_not_found'
    return presentTo(
      request,
      isStored ? result : await cancelUnstored(deps, merchantOf(request), checkoutId, mayCancel),
      presentCancelled,
    )
  })

  answerCall(app, calls.listBinCodes, async () => BIN_CODES)

  answerCall(app, calls.startPayment, async (request) => {
    checkProxy(request)
    const network = clientNetwork(request.ip)
    const countFirstCard = (linkId: string) => countOfLink({ network, linkId })
    const command = { payload: request.body.card, clientNetwork: network, countFirstCard }
    const call = async () => {
      const result = await start(deps, merchantOf(request), request.params.checkoutId, command)
      // A decline is answered late: twenty of them would keep all other refusals waiting.
      if (isRefusal(result)) lanes.leaveAll(request)
      return result
    }
    const started = await withMinimumDeclineTime(deps, call)
    if (isRefusal(started)) return started
    // Stored now, where a reusable link has opened it.
    lanes.noteCheckout(request.params.checkoutId)
    lanes.noteOrder(started.orderCode)
    // The last part of this address is the ticket, by which the bridge knows the attempt.
    if (started.collectUrl !== undefined)
      lanes.noteOrder(started.collectUrl.slice(started.collectUrl.lastIndexOf('/') + 1))
    return started
  })

  answerCall(app, calls.authenticate, async (request) => {
    const { orderCode } = request.params
    const call = () => authenticate(deps, merchantOf(request), orderCode, browserOf(request))
    return waitingCalls.limit(orderCode, call)
  })

  const reports = [
    [calls.reportCollectError, 'collect error'],
    [calls.reportChallengeError, 'challenge error'],
  ] as const
  for (const [call, report] of reports)
    answerCall(app, call, async (request) => reportError(deps, merchantOf(request), request.params.orderCode, report))

  answerCall(app, calls.monitorChallenge, async (request) => {
    const { orderCode } = request.params
    const call = () => monitor(deps, merchantOf(request), orderCode)
    return waitingCalls.limit(orderCode, call)
  })

  answerCall(app, calls.pay, async (request) => {
    const { cvc, receiptEmail, locale = '' } = request.body
    const wrong = refuseEmail('receiptEmail', receiptEmail)
    if (wrong !== undefined) return wrong
    const receipt = { email: receiptEmail, locale: isWireLocale(locale) ? locale : DEFAULT_RECEIPT_LOCALE }
    const call = () =>
      withMinimumDeclineTime(deps, () => pay(deps, merchantOf(request), request.params, { cvc, receipt }))
    return presentTo(request, await waitingCalls.limit(request.params.orderCode, call))
  })

  // A 404 with an error body would tell the page that its checkout is gone.
  app.setNotFoundHandler((_request, reply) => sendRefusal(reply, refuse('method_not_allowed')))
  // Without it a GET of no call would be drawn as a page, of a checkout named "api".
  app.get('/*', { config: { lane: 'reads' } }, async (_request, reply) =>
    sendRefusal(reply, refuse('method_not_allowed')),
  )
}
