/** Cancel: closes an open checkout for its shopper or its merchant. */
import { refuse, type Refusal } from '#contract/errors.ts'
import type { MerchantMode } from '#contract/access.ts'
import type { Checkout, CheckoutReading } from '#payment/checkout.ts'
import { decideCancel } from '#payment/close-checkout.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Sql } from '../store/engine/database.ts'
import { abandonChallenge } from './challenge.ts'
import { withLockedCheckout } from './locked-checkout.ts'
import { readCheckout } from './read-checkout.ts'
import { inquireIfDue, waitForOutcome } from './resolve-doubt.ts'
import { WAIT_FOR_OUTCOME_TIMEOUT_MS } from './timeouts.ts'

type Cancelled = { readonly reading: CheckoutReading; readonly challenged: readonly string[] } | 'wait'

/** Of the merchant: one key or person, which reaches only checkouts of its own mode. */
interface CancelledByMerchant {
  readonly actor: 'merchant'
  readonly mode: MerchantMode
  /** Written in the same transaction, where this call closes the checkout, and not one before. */
  readonly note?: (sql: Sql) => Promise<void>
}

export type CancelledBy = { readonly actor: 'shopper' } | CancelledByMerchant

const isOfOtherMode = ({ mode }: Checkout, by: CancelledBy): boolean => by.actor === 'merchant' && by.mode !== mode

const cancelOrWait = (deps: Dependencies, ref: CheckoutRef, by: CancelledBy): Promise<Cancelled | null> =>
  withLockedCheckout(deps, ref, async ({ locked, now, save, sql }): Promise<Cancelled> => {
    const decided = decideCancel(locked, now)
    if (decided.decision === 'wait') return 'wait'
    if (decided.decision === 'closed') return { reading: { ...locked, now }, challenged: [] }
    const { checkout, attempts, challenged } = decided
    await save({ checkout, attempts }, { actor: by.actor, why: 'cancel' })
    if (by.actor === 'merchant') await by.note?.(sql)
    return { reading: { checkout, inFlight: null, now }, challenged }
  })

/** A cancel waits for a charge under way, and loses to it. Repeated, it gives the same answer. */
export const cancel = async (
  deps: Dependencies,
  ref: CheckoutRef,
  by: CancelledBy = { actor: 'shopper' },
): Promise<CheckoutReading | Refusal> => {
  const deadline = deps.elapsed() + WAIT_FOR_OUTCOME_TIMEOUT_MS
  for (;;) {
    const reading = await readCheckout(deps, ref)
    if (reading === null || isOfOtherMode(reading.checkout, by)) return refuse('checkout_not_found')
    await inquireIfDue(deps, reading)
    const cancelled = await cancelOrWait(deps, ref, by)
    if (cancelled === null) return refuse('checkout_not_found')
    if (cancelled !== 'wait') {
      for (const orderCode of cancelled.challenged) await abandonChallenge(deps, cancelled.reading.checkout, orderCode)
      return cancelled.reading
    }
    if ((await waitForOutcome(deps, ref, deadline)) === 'in doubt') return refuse('payment_in_progress')
  }
}
