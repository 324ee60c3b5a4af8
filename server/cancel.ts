import { refuse, type Refusal } from '#contract/errors.ts'
import { moveAttempt } from '#payment/attempt.ts'
import { decideCancel, isGivenUpByCancel, type CheckoutInPlay } from '#payment/checkout.ts'
import { callOff } from './challenge.ts'
import type { Parts } from './parts.ts'
import { attend, PATIENCE_MS, waitForOutcome } from './settle.ts'
import { lockCheckout, saveMoves } from './store/moves.ts'

type Cancelled = { readonly done: CheckoutInPlay; readonly challenged: readonly string[] } | 'wait' | 'unknown checkout'

const tryCancel = async (
  parts: Parts,
  merchantId: string,
  checkoutId: string,
  actor: 'shopper' | 'merchant',
): Promise<Cancelled> =>
  await parts.database.transact(async (sql): Promise<Cancelled> => {
    const locked = await lockCheckout(sql, merchantId, checkoutId)
    if (locked === null) return 'unknown checkout'
    const now = parts.clock.now()
    const decision = decideCancel(locked, now)
    if (decision.decision === 'wait') return 'wait'
    if (decision.decision === 'settled') return { done: locked, challenged: [] }
    const abandoned = locked.attempts
      .filter(isGivenUpByCancel)
      .map((attempt) => moveAttempt(attempt, { name: 'abandoned', why: 'cancelled' }))
    await saveMoves(sql, locked, { checkout: decision.checkout, attempts: abandoned }, { actor, why: 'cancel', now })
    for (const { orderCode } of abandoned) parts.cardHold.wipe(orderCode)
    const challenged = locked.attempts.filter(({ state }) => state.name === 'challenged')
    return {
      done: { checkout: decision.checkout, inFlight: null },
      challenged: challenged.map(({ orderCode }) => orderCode),
    }
  })

/** Cancels an open checkout. It waits for a charge under way and loses to it; repeated, it answers the same. */
export const cancel = async (
  parts: Parts,
  merchantId: string,
  checkoutId: string,
  actor: 'shopper' | 'merchant',
): Promise<CheckoutInPlay | Refusal> => {
  const deadline = parts.clock.now() + PATIENCE_MS
  for (;;) {
    await attend(parts, merchantId, checkoutId)
    const cancelled = await tryCancel(parts, merchantId, checkoutId, actor)
    if (cancelled === 'unknown checkout') return refuse('checkout_not_found')
    if (cancelled !== 'wait') {
      for (const orderCode of cancelled.challenged) await callOff(parts, merchantId, orderCode)
      return cancelled.done
    }
    if ((await waitForOutcome(parts, merchantId, checkoutId, deadline)) === 'in doubt')
      return refuse('payment_in_progress')
  }
}
