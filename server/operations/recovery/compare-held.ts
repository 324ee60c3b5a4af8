/** Compare held checkouts: opens those to payment that a restore has closed, once the acquirer's list covers the lost time. */
import type { CheckoutRef } from '#payment/references.ts'
import {
  countHeldCheckouts,
  findHeldCheckouts,
  releaseCheckouts,
  type HeldCheckouts,
} from '../../store/backup/held-checkouts.ts'
import { findCheckoutsOfOrders } from '../../store/backup/restore-marker.ts'
import { compareAccount } from './compare-account.ts'
import type { RecoveryDependencies } from './recover-attempts.ts'

export interface ComparedHeld {
  readonly charges: number
  readonly refunds: number
  readonly released: number
  /** How many are still closed to payment. */
  readonly held: number
  /** Why they are. */
  readonly why: readonly string[]
  /** An acquirer did not answer, and may soon. */
  readonly isSilent: boolean
}

const LISTED = 'not in the list of the acquirer'

/** The time that all of these are compared for. */
const gapOf = (held: readonly HeldCheckouts[]) => ({
  takenAt: Math.min(...held.map(({ takenAt }) => takenAt)),
  restoredAt: Math.max(...held.map(({ restoredAt }) => restoredAt)),
})

/**
 * Beside a running server: no order is fenced, and checkouts that were created since the restore are not touched. Charges that
 * the list names now are recorded; what it does not name is open again when it covers the time that the backup does not hold.
 */
export const compareHeld = async (deps: RecoveryDependencies): Promise<ComparedHeld> => {
  const all = await findHeldCheckouts(deps.database)
  const total = { charges: 0, refunds: 0, released: 0 }
  const why: string[] = []
  let isSilent = false
  const checkoutOf = all.length === 0 ? () => null : await findCheckoutsOfOrders(deps.database)
  for (const account of all.length === 0 ? [] : await deps.gateways.accounts()) {
    const ours = all.filter((held) =>
      account.scopes.some(({ merchantId, mode }) => merchantId === held.merchantId && mode === held.mode),
    )
    if (ours.length === 0) continue
    const keptClosed: CheckoutRef[] = []
    const context = {
      ...gapOf(ours),
      checkoutOf,
      onUnanswered: () => undefined,
      onKeptClosed: (ref: CheckoutRef) => void keptClosed.push(ref),
    }
    const compared = await compareAccount(deps, context, account)
    if (compared.told !== 'list') {
      why.push(compared.why)
      isSilent ||= compared.told === 'silent'
      continue
    }
    total.charges += compared.charges
    total.refunds += compared.refunds
    if (compared.incomplete !== null) why.push(compared.incomplete)
    else
      for (const scope of account.scopes) {
        const except = keptClosed.flatMap(({ merchantId, checkoutId }) =>
          merchantId === scope.merchantId ? [checkoutId] : [],
        )
        const by = { actor: 'inquiry', why: LISTED, now: deps.clock.now() } as const
        total.released += await releaseCheckouts(deps.database, scope, { except }, by)
      }
  }
  const held = await countHeldCheckouts(deps.database)
  const reasons = held > 0 && why.length === 0 ? ['another order of theirs is undecided'] : why
  return { ...total, held, why: reasons, isSilent }
}
