import { emailProblem, holderProblem, isExpiryAhead } from '#contract/card.ts'
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import type { CardPayload, StartAnswer } from '#contract/three-ds.ts'
import { moveAttempt, type Attempt } from '#payment/attempt.ts'
import { exemptionFor, type Clearance } from '#payment/authentication.ts'
import { CardNumber } from '#payment/card-number.ts'
import { isSupersededByStart, refuseStart, type Checkout } from '#payment/checkout.ts'
import type { Card } from '#payment/ports.ts'
import type { Parts } from './parts.ts'
import { attend } from './settle.ts'
import { withoutConflict } from './store/database.ts'
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
  const number = CardNumber.parse(payload.number)
  if (number === undefined) return refuse('card_declined')
  return { number, expiryMonth, expiryYear, holderName: payload.name }
}

/** A wrong brand, a test card on a live checkout and a real card on a test checkout all get the answer of a decline. */
const isWelcome = ({ number }: Card, checkout: Checkout): boolean =>
  checkout.acceptedCardBrands.includes(number.face.brand) && number.isTest === (checkout.mode === 'test')

const openAttempt = async (
  parts: Parts,
  checkout: Checkout,
  card: Card,
  clearance: Clearance,
): Promise<Attempt | Refusal> =>
  withoutConflict(
    await parts.database.transact(async (sql): Promise<Attempt | Refusal> => {
      const locked = await lockCheckout(sql, checkout.merchantId, checkout.id)
      if (locked === null) return refuse('checkout_not_found')
      const now = parts.clock.now()
      const refusal = refuseStart(locked, locked.attempts.length, now)
      if (refusal !== undefined) return refusal
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
        state: { name: 'started', clearance },
      }
      await saveMoves(sql, locked, { attempts: [...superseded, attempt] }, { actor: 'shopper', why: 'start', now })
      for (const { orderCode } of superseded) parts.cardHold.wipe(orderCode)
      return attempt
    }),
  )

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
  const closed = refuseStart(inPlay, 0, parts.clock.now())
  if (closed !== undefined) return closed
  const card = readCard(payload, parts.clock.now())
  if (isRefusal(card)) return card
  if (!isWelcome(card, inPlay.checkout)) return refuse('card_declined')
  if ((await parts.gateway.ready()) === 'refused') return refuse('gateway_unavailable')
  const reason = exemptionFor(await parts.threeDSServer.enrolment(card), merchant.settings.allowExemption)
  if (reason === undefined) return refuse('card_declined')
  const attempt = await openAttempt(parts, inPlay.checkout, card, { by: 'exemption', reason })
  if (isRefusal(attempt)) return attempt
  parts.cardHold.put(attempt, card)
  return { orderCode: attempt.orderCode, threeDSRequired: false }
}
