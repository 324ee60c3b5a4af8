/** Start: opens an attempt, holds the card, and starts 3-D Secure. */
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import type { CardPayload, StartAnswer } from '#contract/three-ds.ts'
import type { Attempt } from '#payment/attempt.ts'
import { judgeUnenrolled } from '#payment/authentication-verdict.ts'
import { refOf, type Checkout } from '#payment/checkout.ts'
import { closedByLink } from '#payment/close-checkout.ts'
import type { Card } from '#payment/ports.ts'
import type { ThreeDSOrder, ThreeDSStart } from '#payment/three-ds-port.ts'
import { parseEnteredCard } from '#payment/entered-card.ts'
import { decideStart, refuseCard, refuseWithoutLock } from '#payment/start-payment.ts'
import { recordJudgement, recordUnavailable } from './authenticate.ts'
import { cardMarkOf, countStart, policyNow } from './card-testing/velocity.ts'
import { bridgeOrigin, merchantOrigin } from '../origins.ts'
import { orderCodeOf, ticketOf } from '../ids.ts'
import type { Dependencies } from '../dependencies.ts'
import { newAuthenticationWrite } from '../store/checkout/authentications.ts'
import type { Merchant } from '../store/merchant/merchants.ts'
import { readCheckout } from './read-checkout.ts'
import { findUnstored, startUnstored } from './reusable-links/opened-checkouts.ts'
import { readPlaceOfLink } from './reusable-links/place-of-link.ts'
import { inquireIfDue } from './resolve-doubt.ts'
import { withLockedCheckout, type CheckoutTransaction } from './locked-checkout.ts'

const LINK_BUSY = 'Many payments are being begun by this link. Nothing was charged. Try again in some seconds.'
const MERCHANT_CLOSED = 'This shop takes no payments any more. Nothing was charged.'

/** What a first card has taken of the budget of its link. */
interface CountedFirst {
  /** 0: it may come now; else nothing was taken, and it may be sent again after these seconds. */
  readonly waitSeconds: number
  /** Nothing was stored after all. */
  giveBack(): void
}

interface CardStart {
  readonly card: Card
  readonly clientNetwork: string
  /** Of the first card of a checkout that a reusable link has opened and nothing has stored; null: the checkout is stored. */
  readonly countFirst: (() => CountedFirst) | null
}

/** Stores the attempt before an issuer or the acquirer is called, so that every start counts, whatever becomes of it. */
const openAttempt = async (
  deps: Dependencies,
  checkout: Checkout,
  orderCode: string,
  { card, clientNetwork, countFirst }: CardStart,
): Promise<Attempt | Refusal> => {
  const { merchantId, mode } = checkout
  const shop = { merchantId, mode }
  const open = async ({ locked, sql, now, save }: CheckoutTransaction): Promise<Attempt | Refusal> => {
    const decision = decideStart(locked, {
      orderCode,
      card: card.number.face,
      clientNetwork,
      cardMark: cardMarkOf(deps, shop, card.number),
      now,
    })
    if (isRefusal(decision)) return decision
    const place = await readPlaceOfLink(sql, locked.checkout, now)
    if (place.place === 'none') {
      await save(closedByLink(locked, now), { actor: 'merchant', why: `link ${place.status}` })
      return refuse('checkout_closed', { status: 'cancelled' })
    }
    const counted = await countStart(deps, sql, { ...shop, network: clientNetwork, number: card.number }, now)
    if (isRefusal(counted)) return counted
    const { challengeDemanded, ...together } = counted
    const attempt = { ...decision.attempt, challengeDemanded }
    await save({ attempts: [...decision.superseded, attempt], ...together }, { actor: 'shopper', why: 'start' })
    return attempt
  }
  const opening =
    countFirst === null ? withLockedCheckout(deps, refOf(checkout), open) : startUnstored(deps, checkout, open)
  return (await opening) ?? refuse('checkout_not_found')
}

const recordStart = async (
  deps: Dependencies,
  merchant: Merchant,
  attempt: Attempt,
  { ticket, card }: { readonly ticket: string; readonly card: Card },
  started: ThreeDSStart,
): Promise<StartAnswer | Refusal> => {
  const { orderCode } = attempt
  switch (started.outcome) {
    case 'unavailable':
      deps.log.warn('3-D Secure could not be started', { why: started.why })
      return recordUnavailable(deps, attempt, card)
    case 'not_enrolled': {
      const now = deps.clock.now()
      const policy = policyNow(merchant, attempt, now)
      const limits = deps.cardTestingLimits[attempt.mode]
      const mayTry = await deps.shopVelocity.mayTryWithoutChallenge(deps.database, attempt, limits, now)
      const judgement = judgeUnenrolled({ ...policy, requireChallenge: policy.requireChallenge || !mayTry })
      const { state } = await recordJudgement(deps, attempt, judgement, { why: 'start' })
      if (state.name === 'refused') return refuse('card_declined')
      return state.name === 'started' ? { orderCode, threeDSRequired: false } : refuse('order_over')
    }
    case 'started': {
      const { session, collectUrl, watchUrl } = started
      const pageOrigin = merchantOrigin(deps.publicBase, merchant.label)
      const ids = { merchantId: merchant.id, orderCode, ticket }
      await deps.database.writeAll(newAuthenticationWrite({ ...ids, pageOrigin, session, collectUrl, watchUrl }))
      const bridge = bridgeOrigin(deps.publicBase)
      return {
        orderCode,
        threeDSRequired: true,
        collectUrl: `${bridge}/collect/${ticket}`,
        monitoringUrl: `${bridge}/watch/${ticket}`,
      }
    }
  }
}

export interface StartCommand {
  readonly payload: CardPayload
  readonly clientNetwork: string
  /** Whether the first card of a checkout of this link may come now. */
  readonly countFirstCard: (linkId: string) => CountedFirst
}

/** Opens an attempt for one card and holds the card until it is paid. What needs no call is refused before any call. */
export const start = async (
  deps: Dependencies,
  merchant: Merchant,
  checkoutId: string,
  { payload, clientNetwork, countFirstCard }: StartCommand,
): Promise<StartAnswer | Refusal> => {
  const ref = { merchantId: merchant.id, checkoutId }
  let stored = await readCheckout(deps, ref)
  if (await inquireIfDue(deps, stored)) stored = await readCheckout(deps, ref)
  const opened = stored === null ? await findUnstored(deps, merchant, checkoutId) : null
  const reading = stored ?? opened?.reading
  if (reading === undefined) return refuse('checkout_not_found')
  const closed = refuseWithoutLock(reading, reading.now)
  if (closed !== undefined) return closed
  // A payment that was started before goes on, because its shopper may have been charged. Not 404: the checkout is open.
  if (merchant.closedAt !== null) return refuse('gateway_unavailable', {}, MERCHANT_CLOSED)
  const card = parseEnteredCard(payload, reading.now)
  if (isRefusal(card)) return card
  const countFirst = opened === null ? null : () => countFirstCard(opened.link.id)
  const answer = await startWithCard(deps, merchant, reading.checkout, { card, clientNetwork, countFirst }).catch(
    (error: unknown) => {
      card.number.wipe()
      throw error
    },
  )
  if (isRefusal(answer)) card.number.wipe()
  return answer
}

const startWithCard = async (
  deps: Dependencies,
  merchant: Merchant,
  checkout: Checkout,
  cardStart: CardStart,
): Promise<StartAnswer | Refusal> => {
  const { card } = cardStart
  // Before the card is held, and before anybody is asked about it: a double must never see a real number.
  const refused = refuseCard(card.number, checkout, await deps.gateways.takenCards(checkout))
  if (refused !== undefined) return refused
  const gateway = await deps.gateways.of(checkout)
  const readiness = await gateway.ready()
  if (readiness === 'refused' || readiness === 'forbidden') return refuse('gateway_unavailable')
  const counted = cardStart.countFirst?.()
  if (counted !== undefined && counted.waitSeconds > 0) {
    deps.log.limited('link', {})
    return refuse('too_many_attempts', { retryAfterSeconds: counted.waitSeconds }, LINK_BUSY)
  }
  const { id: checkoutId, merchantId, mode, amountYen } = checkout
  const orderCode = orderCodeOf(refOf(checkout), deps.random.id())
  // Before the attempt is stored: a start that supersedes this one must find the card to wipe it.
  const held = await deps.cardHold.put({ merchantId, checkoutId, orderCode, amountYen }, card)
  if (held.outcome === 'unavailable') {
    // What stores nothing takes nothing of what the link may store.
    counted?.giveBack()
    deps.log.warn('a card could not be held', { why: held.why })
    return refuse('gateway_unavailable')
  }
  try {
    const attempt = await openAttempt(deps, checkout, orderCode, cardStart)
    if (isRefusal(attempt)) {
      counted?.giveBack()
      await deps.cardHold.wipe([orderCode])
      return attempt
    }
    const ticket = ticketOf(merchantId, deps.random.id())
    const eventUrl = `${bridgeOrigin(deps.publicBase)}/events/${ticket}`
    const started = await startUnlessWiped(deps, { merchantId, mode, orderCode, card, eventUrl })
    return await recordStart(deps, merchant, attempt, { ticket, card }, started)
  } catch (error) {
    await deps.cardHold.wipe([orderCode])
    throw error
  }
}

/** Another start, or a cancel, may have wiped the card meanwhile. */
const startUnlessWiped = async (deps: Dependencies, order: ThreeDSOrder): Promise<ThreeDSStart> =>
  order.card.number.isWiped ? { outcome: 'unavailable', why: 'given up meanwhile' } : deps.threeDSServer.start(order)
