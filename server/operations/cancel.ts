import { refuse, type Refusal } from '#contract/errors.ts'
import type { CheckoutInPlay } from '#payment/checkout.ts'
import { decideCancel } from '#payment/close-checkout.ts'
import type { CheckoutRef } from '#payment/refs.ts'
import { callOff } from './challenge.ts'
import type { Parts } from '../parts.ts'
import { PATIENCE_MS } from './timeouts.ts'
import { attend, waitForOutcome } from './resolve-doubt.ts'
import { underLock } from './locked-checkout.ts'

type Cancelled = { readonly done: CheckoutInPlay; readonly challenged: readonly string[] } | 'wait'

const tryCancel = (parts: Parts, ref: CheckoutRef, actor: 'shopper' | 'merchant'): Promise<Cancelled | null> =>
  underLock(parts, ref, async ({ locked, now, save }): Promise<Cancelled> => {
    const decided = decideCancel(locked, now)
    if (decided.decision === 'wait') return 'wait'
    if (decided.decision === 'settled') return { done: locked, challenged: [] }
    const { checkout, attempts, challenged } = decided
    await save({ checkout, attempts }, { actor, why: 'cancel' })
    return { done: { checkout, inFlight: null }, challenged }
  })

/** Cancels an open checkout. It waits for a charge under way and loses to it; repeated, it answers the same. */
export const cancel = async (
  parts: Parts,
  ref: CheckoutRef,
  actor: 'shopper' | 'merchant',
): Promise<CheckoutInPlay | Refusal> => {
  const deadline = parts.clock.now() + PATIENCE_MS
  for (;;) {
    await attend(parts, ref)
    const cancelled = await tryCancel(parts, ref, actor)
    if (cancelled === null) return refuse('checkout_not_found')
    if (cancelled !== 'wait') {
      for (const orderCode of cancelled.challenged) await callOff(parts, ref.merchantId, orderCode)
      return cancelled.done
    }
    if ((await waitForOutcome(parts, ref, deadline)) === 'in doubt') return refuse('payment_in_progress')
  }
}
