import { emailProblem, holderProblem, isExpiryAhead } from '#contract/card.ts'
import { CONSENT_VERSION } from '#contract/consent.ts'
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import type { CardPayload, StartAnswer } from '#contract/three-ds.ts'
import { moveAttempt, type Attempt } from '#payment/attempt.ts'
import { judgeUnenrolled } from '#payment/authentication.ts'
import { CardNumber, holdsCardNumber } from '#payment/card-number.ts'
import { isBlocked, isSupersededByStart, refuseStart, type Checkout } from '#payment/checkout.ts'
import type { Card, ThreeDSOrder, ThreeDSStart } from '#payment/ports.ts'
import { bridgeOrigin, merchantOrigin } from './origins.ts'
import type { Parts } from './parts.ts'
import { recordJudgement, recordUnanswered } from './authenticate.ts'
import { errorFacts } from './log.ts'
import { attend } from './settle.ts'
import { insertAuthentication } from './store/authentications.ts'
import type { Merchant } from './store/merchants.ts'
import { lockCheckout, readInPlay, saveMoves } from './store/moves.ts'

const invalid = (field: string, mend: string): Refusal => refuse('invalid_field', { field }, `${field} ${mend}`)

/** The page has checked all this already; whoever calls without the page is told which field is wrong, never its value. */
const readCard = (payload: CardPayload, now: number): Card | Refusal => {
  const { expiryMonth, expiryYear } = payload
  if (!isExpiryAhead({ month: expiryMonth, year: expiryYear }, now))
    return invalid('card.expiryYear', 'is in the past.')
  if (holderProblem(payload.name) !== undefined) return invalid('card.name', 'takes letters a-z, digits and spaces.')
  if (emailProblem(payload.email) !== undefined) return invalid('card.email', 'is not an e-mail address.')
  // Both leave the process beside the card, and the address is stored: a number typed into the wrong field would be too.
  if (holdsCardNumber(payload.name)) return invalid('card.name', 'holds a card number. Send the name alone.')
  if (holdsCardNumber(payload.email)) return invalid('card.email', 'holds a card number. Send another address.')
  const number = CardNumber.parse(payload.number)
  if (number === undefined) return refuse('card_declined')
  return { number, expiryMonth, expiryYear, holderName: payload.name, email: payload.email }
}

/** A wrong brand, a test card on a live checkout and a real card on a test checkout all get the answer of a decline. */
const isWelcome = ({ number }: Card, checkout: Checkout): boolean =>
  checkout.acceptedCardBrands.includes(number.face.brand) && number.isTest === (checkout.mode === 'test')

/** Written down before anybody outside is called: a start that leaves the process counts, whatever becomes of it. */
const openAttempt = async (parts: Parts, checkout: Checkout, card: Card): Promise<Attempt | Refusal> =>
  await parts.database.transact(async (sql): Promise<Attempt | Refusal> => {
    const locked = await lockCheckout(sql, checkout.merchantId, checkout.id)
    if (locked === null) return refuse('checkout_not_found')
    const now = parts.clock.now()
    const refusal = refuseStart(locked, locked.attempts.length, now)
    if (refusal !== undefined) return refusal
    if (isBlocked(card.number.face, locked.attempts)) return refuse('card_declined')
    const superseded = locked.attempts
      .filter(isSupersededByStart)
      .map((attempt) => moveAttempt(attempt, { name: 'abandoned', why: 'superseded' }))
    const attempt: Attempt = {
      merchantId: checkout.merchantId,
      checkoutId: checkout.id,
      orderCode: parts.random.id(),
      amountYen: checkout.amountYen,
      card: card.number.face,
      startedAt: now,
      consentVersion: CONSENT_VERSION,
      state: { name: 'started', clearance: null },
    }
    await saveMoves(sql, locked, { attempts: [...superseded, attempt] }, { actor: 'shopper', why: 'start', now })
    for (const { orderCode } of superseded) parts.cardHold.wipe(orderCode)
    // Under the lock: a start that supersedes this one finds the card to forget.
    parts.cardHold.put(attempt, card)
    return attempt
  })

const conclude = async (
  parts: Parts,
  merchant: Merchant,
  attempt: Attempt,
  ticket: string,
  started: ThreeDSStart,
): Promise<StartAnswer | Refusal> => {
  const { orderCode } = attempt
  switch (started.outcome) {
    case 'unavailable':
      parts.log.warn('3-D Secure could not be started', { why: started.why })
      return recordUnanswered(parts, attempt)
    case 'not_enrolled': {
      const { state } = await recordJudgement(parts, attempt, judgeUnenrolled(merchant.settings), 'start')
      if (state.name === 'refused') return refuse('card_declined')
      return state.name === 'started' ? { orderCode, threeDSRequired: false } : refuse('order_over')
    }
    case 'started': {
      const { session, collectUrl, watchUrl } = started
      const pageOrigin = merchantOrigin(parts.publicBase, merchant.label)
      await parts.database.transact((sql) =>
        insertAuthentication(sql, {
          merchantId: merchant.id,
          orderCode,
          ticket,
          pageOrigin,
          session,
          collectUrl,
          watchUrl,
        }),
      )
      const bridge = bridgeOrigin(parts.publicBase)
      return {
        orderCode,
        threeDSRequired: true,
        collectUrl: `${bridge}/collect/${ticket}`,
        monitoringUrl: `${bridge}/watch/${ticket}`,
      }
    }
  }
}

/** Opens an attempt for one card and holds the card until it is paid. Everything cheap is refused before anybody is called. */
export const start = async (
  parts: Parts,
  merchant: Merchant,
  checkoutId: string,
  payload: CardPayload,
): Promise<StartAnswer | Refusal> => {
  await attend(parts, merchant.id, checkoutId)
  const inPlay = await readInPlay(parts.database, merchant.id, checkoutId)
  if (inPlay === null) return refuse('checkout_not_found')
  const { checkout } = inPlay
  const closed = refuseStart(inPlay, 0, parts.clock.now())
  if (closed !== undefined) return closed
  const card = readCard(payload, parts.clock.now())
  if (isRefusal(card)) return card
  const answer = await startWith(parts, merchant, checkout, card).catch((error: unknown) => {
    card.number.wipe()
    throw error
  })
  if (isRefusal(answer)) card.number.wipe()
  return answer
}

const startWith = async (
  parts: Parts,
  merchant: Merchant,
  checkout: Checkout,
  card: Card,
): Promise<StartAnswer | Refusal> => {
  if (!isWelcome(card, checkout)) return refuse('card_declined')
  if ((await parts.gateway.ready()) === 'refused') return refuse('gateway_unavailable')
  const attempt = await openAttempt(parts, checkout, card)
  if (isRefusal(attempt)) return attempt
  const ticket = parts.random.id()
  const eventUrl = `${bridgeOrigin(parts.publicBase)}/events/${ticket}`
  const { orderCode } = attempt
  try {
    const started = await ask(parts, { orderCode, mode: checkout.mode, card, eventUrl })
    return await conclude(parts, merchant, attempt, ticket, started)
  } catch (error) {
    parts.cardHold.wipe(orderCode)
    throw error
  }
}

/** An adapter that throws has told us nothing, and nothing was charged. */
const ask = async (parts: Parts, order: ThreeDSOrder): Promise<ThreeDSStart> => {
  if (order.card.number.isWiped) return { outcome: 'unavailable', why: 'given up meanwhile' }
  try {
    return await parts.threeDSServer.start(order)
  } catch (error) {
    parts.log.error('the 3-D Secure adapter failed', errorFacts(error))
    return { outcome: 'unavailable', why: 'the adapter failed' }
  }
}
