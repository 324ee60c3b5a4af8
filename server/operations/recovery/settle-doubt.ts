/** Settle doubt: an operator records how a charge ended that no inquiry can answer about. */
import type { Instant } from '#contract/jst.ts'
import { isLongDoubt } from '#payment/doubt.ts'
import { findAttemptOfAnyMerchant, restoreReference } from '../../store/checkout/attempts.ts'
import type { CheckoutDependencies } from '../locked-checkout.ts'
import { recordOutcome } from '../record-outcome.ts'

export type SettledDoubt =
  | { readonly as: 'not_charged'; readonly why: string }
  | {
      readonly as: 'charged'
      readonly why: string
      /** The acquirer's id of the charge. */
      readonly transactionId: string
      /** The acquirer's reference, where the attempt has none. */
      readonly reference: string | null
      readonly approvedAt: Instant
    }

/** `not found`: no such order. `not in doubt`: it has an outcome, or is under way. `too early`: the server still asks. */
export type SettleResult = 'settled' | 'not found' | 'not in doubt' | 'too early' | 'no reference'

/** Records what the operator has read in the acquirer's own records. The log of changes names the operator and the reason. */
export const settleDoubt = async (
  deps: CheckoutDependencies,
  orderCode: string,
  settled: SettledDoubt,
): Promise<SettleResult> => {
  const attempt = await findAttemptOfAnyMerchant(deps.database, orderCode)
  if (attempt === null) return 'not found'
  const { state } = attempt
  if (state.name !== 'unknown') return 'not in doubt'
  if (!isLongDoubt(state.since, deps.clock.now())) return 'too early'
  const by = { actor: 'operator', why: `${settled.as}: ${settled.why}` } as const
  const order = { ...attempt, state }
  if (settled.as === 'not_charged') {
    await recordOutcome(deps, order, { outcome: 'not_charged' }, by)
    return 'settled'
  }
  const { transactionId, approvedAt, reference } = settled
  if (attempt.reference === null) {
    // Without it the charge could never be refunded.
    if (reference === null) return 'no reference'
    await restoreReference(deps.database, attempt, reference)
  }
  const { amountYen } = attempt
  await recordOutcome(deps, order, { outcome: 'charged', transactionId, approvedAt, amountYen }, by)
  return 'settled'
}
