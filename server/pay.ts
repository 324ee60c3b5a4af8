import { refuse, type Refusal } from '#contract/errors.ts'
import type { Attempt, ReceiptWish } from '#payment/attempt.ts'
import { decideClaim, type ClaimDecision } from '#payment/charge.ts'
import type { CheckoutInPlay } from '#payment/checkout.ts'
import { leaseFrom } from '#payment/doubt.ts'
import type { Card, ChargeOutcome } from '#payment/ports.ts'
import { awaitResult } from './challenge.ts'
import type { Parts } from './parts.ts'
import { attend, PATIENCE_MS, record, waitForOutcome, type OrderRef } from './settle.ts'
import { Conflict } from './store/database.ts'
import type { Merchant } from './store/merchants.ts'
import { lockCheckout, readInPlay, saveMoves } from './store/moves.ts'

export interface PayCommand {
  readonly cvc: string
  readonly receipt: ReceiptWish
}

type Claim =
  | Exclude<ClaimDecision, { decision: 'claim' }>
  | { readonly decision: 'claim'; readonly attempt: Attempt; readonly card: Card }
  | { readonly decision: 'unknown checkout' }

/** First transaction: says who will charge, before anybody is asked to. A second claim cannot be stored. */
const claim = async (parts: Parts, order: OrderRef, receipt: ReceiptWish): Promise<Claim> => {
  try {
    return await parts.database.transact(async (sql): Promise<Claim> => {
      const locked = await lockCheckout(sql, order.merchantId, order.checkoutId)
      if (locked === null) return { decision: 'unknown checkout' }
      const attempt = locked.attempts.find(({ orderCode }) => orderCode === order.orderCode) ?? null
      const card = attempt === null ? undefined : parts.cardHold.find(attempt)
      const now = parts.clock.now()
      const leaseUntil = leaseFrom(now, parts.gatewayTimeoutMs)
      const decision = decideClaim(locked, attempt, { receipt, cardHeld: card !== undefined, leaseUntil, now })
      if (decision.decision !== 'claim') return decision
      if (card === undefined) throw new Error('an attempt was claimed without its card')
      await saveMoves(sql, locked, { attempts: [decision.attempt] }, { actor: 'shopper', why: 'pay', now })
      return { ...decision, card }
    })
  } catch (error) {
    // Any other conflict is a bug: to wait for its end would be to try again and again as fast as the database answers.
    if (error instanceof Conflict && error.constraint === 'attempts_one_may_move_money') return { decision: 'wait' }
    throw error
  }
}

/** Outside any transaction: the acquirer may take its time. */
const charge = async (parts: Parts, attempt: Attempt, card: Card, cvc: string): Promise<ChargeOutcome> => {
  if (attempt.state.name !== 'charging') throw new Error('only a claimed attempt is charged')
  try {
    const { clearance } = attempt.state
    return await parts.gateway.charge({
      orderCode: attempt.orderCode,
      amountYen: attempt.amountYen,
      card,
      cvc,
      clearance,
    })
  } catch {
    // An adapter that throws has told us nothing: the request may have arrived.
    return { outcome: 'unknown', why: 'the gateway adapter failed' }
  } finally {
    parts.cardHold.wipe(attempt.orderCode)
  }
}

const afterOutcome: Record<ChargeOutcome['outcome'], Refusal | 'paid'> = {
  charged: 'paid',
  declined: refuse('card_declined'),
  void: refuse('nothing_charged'),
  unknown: refuse('payment_in_progress'),
}

/** Charges once, or tells what became of the charge that came first. Everybody who asks is told the same truth. */
export const pay = async (
  parts: Parts,
  merchant: Merchant,
  { checkoutId, orderCode }: Omit<OrderRef, 'merchantId'>,
  command: PayCommand,
): Promise<CheckoutInPlay | Refusal> => {
  const merchantId = merchant.id
  const order = { merchantId, checkoutId, orderCode }
  const deadline = parts.clock.now() + PATIENCE_MS
  await awaitResult(parts, merchant, order)
  for (;;) {
    await attend(parts, merchantId, checkoutId)
    const claimed = await claim(parts, order, command.receipt)
    switch (claimed.decision) {
      case 'unknown checkout':
        return refuse('checkout_not_found')
      case 'refuse':
        return claimed.refusal
      case 'settled':
        return settled(parts, merchantId, checkoutId)
      case 'wait': {
        const seen = await waitForOutcome(parts, merchantId, checkoutId, deadline)
        if (seen === 'in doubt' || parts.clock.now() > deadline) return refuse('payment_in_progress')
        break
      }
      case 'claim': {
        const outcome = await charge(parts, claimed.attempt, claimed.card, command.cvc)
        const { checkout } = await record(parts, order, outcome, 'shopper')
        const refusal = afterOutcome[outcome.outcome]
        if (refusal !== 'paid') return refusal
        return checkout.state.status === 'open' ? refuse('payment_in_progress') : { checkout, inFlight: null }
      }
    }
  }
}

const settled = async (parts: Parts, merchantId: string, checkoutId: string): Promise<CheckoutInPlay | Refusal> =>
  (await readInPlay(parts.database, merchantId, checkoutId)) ?? refuse('checkout_not_found')
