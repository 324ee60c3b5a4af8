/** Pay: claim, charge, record. Idempotent by order code. */
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import type { AttemptIn, ReceiptRequest } from '#payment/attempt.ts'
import { abandonAll, closedByLink } from '#payment/close-checkout.ts'
import { decideClaim, decideWithoutLock, type ClaimDecision } from '#payment/claim-charge.ts'
import type { CheckoutReading } from '#payment/checkout.ts'
import { leaseFrom } from '#payment/doubt.ts'
import type { Card, ChargeOutcome, Remember } from '#payment/ports.ts'
import type { OrderRef } from '#payment/references.ts'
import { countAskedCard, policyNow, velocityCreditFor } from './card-testing/velocity.ts'
import { waitForChallengeResult } from './challenge.ts'
import { findHeldCard } from './find-held-card.ts'
import type { Dependencies } from '../dependencies.ts'
import { errorFacts } from '../log.ts'
import { WAIT_FOR_OUTCOME_TIMEOUT_MS } from './timeouts.ts'
import { recordOutcome } from './record-outcome.ts'
import { inquireIfDue, waitForOutcome } from './resolve-doubt.ts'
import { untilRecorded } from './record-with-retry.ts'
import { Conflict } from '../store/engine/database.ts'
import type { Merchant } from '../store/merchant/merchants.ts'
import { rememberReference } from '../store/checkout/attempts.ts'
import { readAttempt, type AttemptReading } from '../store/checkout/checkout-reads.ts'
import { takePlaceOfLink } from './reusable-links/place-of-link.ts'
import { attemptOf, withLockedCheckout } from './locked-checkout.ts'
import { readCheckout } from './read-checkout.ts'

type Claim =
  | Exclude<ClaimDecision, { decision: 'claim' | 'no card' }>
  | { readonly decision: 'claim'; readonly attempt: AttemptIn<'charging'>; readonly card: Card }

/** First transaction: stores who charges before the acquirer is asked. A second claim cannot be stored. */
const claim = async (
  deps: Dependencies,
  merchant: Merchant,
  order: OrderRef,
  { receipt, card }: { readonly receipt: ReceiptRequest; readonly card: Card | null },
): Promise<Claim | null> => {
  try {
    return await withLockedCheckout(deps, order, async ({ locked, sql, now, save }): Promise<Claim> => {
      const attempt = attemptOf(locked, order.orderCode)
      const leaseUntil = leaseFrom(now, deps.gatewayTimeoutMs)
      const requireChallenge = attempt !== null && policyNow(merchant, attempt, now).requireChallenge
      const command = { receipt, cardHeld: card !== null, leaseUntil, requireChallenge, now }
      const decision = decideClaim(locked, attempt, command)
      if (isRefusal(decision)) return decision
      if (decision.decision === 'no card') {
        await save({ attempts: [decision.attempt] }, { actor: 'shopper', why: 'pay' })
        return refuse('card_not_held')
      }
      if (decision.decision !== 'claim') return decision
      const place = await takePlaceOfLink(sql, locked.checkout, now)
      if (place.place === 'being paid') {
        // Ended, so that the answer stays true: another call of this order could charge it once the place is free again.
        await save(
          { attempts: abandonAll(locked.attempts, 'superseded') },
          { actor: 'shopper', why: 'link being paid' },
        )
        return refuse('order_over')
      }
      if (place.place === 'none') {
        await save(closedByLink(locked, now), { actor: 'merchant', why: `link ${place.status}` })
        return { decision: 'closed' }
      }
      if (card === null) throw new Error('an attempt was claimed without its card')
      // No issuer was asked about a card outside 3-D Secure: the acquirer is the first to answer.
      const isFirstAsked = decision.attempt.state.clearance.by === 'exemption'
      if (isFirstAsked && !(await countAskedCard(deps, sql, decision.attempt, now))) return refuse('order_over')
      await save({ attempts: [decision.attempt] }, { actor: 'shopper', why: 'pay' })
      return { ...decision, card }
    })
  } catch (error) {
    // Any other conflict is a bug. Waiting for its end would be an endless loop.
    if (error instanceof Conflict && error.constraint === 'attempts_one_may_move_money') return { decision: 'wait' }
    throw error
  }
}

/** A reference that could not be stored is refused like one that came too late: the adapter stops, and nothing is charged. */
const remember =
  ({ database, log }: Dependencies, attempt: AttemptIn<'charging'>): Remember =>
  async (reference) => {
    try {
      return await rememberReference(database, attempt, reference)
    } catch (error) {
      log.error('the acquirer’s reference could not be stored', errorFacts(error))
      return false
    }
  }

/** Outside any transaction: the acquirer may be slow. */
const charge = async (
  deps: Dependencies,
  attempt: AttemptIn<'charging'>,
  card: Card,
  cvc: string,
): Promise<ChargeOutcome> => {
  const { orderCode, amountYen, state } = attempt
  try {
    const gateway = await deps.gateways.of(attempt)
    const order = { orderCode, amountYen, card, cvc, clearance: state.clearance }
    return await gateway.charge(order, remember(deps, attempt))
  } finally {
    card.number.wipe()
  }
}

const afterOutcome: Record<ChargeOutcome['outcome'], Refusal | 'paid'> = {
  charged: 'paid',
  declined: refuse('card_declined'),
  not_charged: refuse('nothing_charged'),
  unknown: refuse('payment_in_progress'),
}

/** Charges once. A second caller waits for the first charge, and every caller gets the same answer. */
export const pay = async (
  deps: Dependencies,
  merchant: Merchant,
  { checkoutId, orderCode }: Omit<OrderRef, 'merchantId'>,
  command: { readonly cvc: string; readonly receipt: ReceiptRequest },
): Promise<CheckoutReading | Refusal> => {
  const order = { merchantId: merchant.id, checkoutId, orderCode }
  const deadline = deps.elapsed() + WAIT_FOR_OUTCOME_TIMEOUT_MS
  const read = async (): Promise<AttemptReading | null> => {
    const found = await readAttempt(deps.database, merchant.id, orderCode)
    return found?.checkout.id === checkoutId ? found : null
  }
  const first = await read()
  let seen = first === null ? null : await waitForChallengeResult(deps, merchant, first)
  for (;;) {
    if (await inquireIfDue(deps, seen)) seen = await read()
    // A claim takes the lock, so it is not tried where the reading already decides.
    const decided = seen === null ? undefined : decideWithoutLock(seen, seen.attempt)
    if (decided === undefined) deps.writeProbe.refuseWhileFull()
    const held = decided !== undefined || seen === null ? null : await findHeldCard(deps, seen.attempt)
    if (held !== null && isRefusal(held)) return held
    const claimed = decided ?? (await claim(deps, merchant, order, { ...command, card: held }))
    if (claimed === null) return refuse('checkout_not_found')
    if (isRefusal(claimed)) return claimed
    switch (claimed.decision) {
      case 'closed':
        return (await readCheckout(deps, order)) ?? refuse('checkout_not_found')
      case 'wait': {
        const waited = await waitForOutcome(deps, order, deadline)
        if (waited === 'in doubt' || deps.elapsed() > deadline) return refuse('payment_in_progress')
        seen = await read()
        break
      }
      case 'claim': {
        const { attempt, card } = claimed
        const velocityCredit = velocityCreditFor(deps, attempt.mode, card.number)
        const outcome = await charge(deps, attempt, card, command.cvc)
        const recordedBy = {
          actor: 'shopper',
          velocityCredit: outcome.outcome === 'charged' ? velocityCredit : {},
        } as const
        const { checkout } = await untilRecorded(deps, () => recordOutcome(deps, attempt, outcome, recordedBy))
        const refusal = afterOutcome[outcome.outcome]
        if (refusal !== 'paid') return refusal
        if (checkout.state.status === 'open') return refuse('payment_in_progress')
        return { checkout, inFlight: null, now: deps.clock.now() }
      }
    }
  }
}
