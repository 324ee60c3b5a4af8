/** Compare held checkouts: opens those to payment that a restore has closed, once the acquirer's list covers the lost time. */
import type { CheckoutRef } from '#payment/references.ts'
import type { AcquirerAccount } from '../../dependencies.ts'
import {
  countHeldCheckouts,
  findHeldCheckouts,
  releaseCheckouts,
  type HeldCheckouts,
} from '../../store/backup/held-checkouts.ts'
import { findCheckoutsOfOrders, type FindCheckoutOfOrder } from '../../store/backup/restore-marker.ts'
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
}

/** What an account has said about its held checkouts. */
export interface Told {
  /** Why they are still closed to payment; null: its list covers the lost time. */
  readonly why: string | null
  /** It did not answer, and may soon. */
  readonly isSilent: boolean
}

/** What accounts have said in earlier comparisons. */
export interface EarlierComparisons {
  /** Null: the account is to be compared now. */
  lately(account: AcquirerAccount): Told | null
  note(account: AcquirerAccount, told: Told): void
}

const NONE: EarlierComparisons = { lately: () => null, note: () => undefined }

const LISTED = 'not in the list of the acquirer'

/** The time that all of these are compared for. */
const gapOf = (held: readonly HeldCheckouts[]) => ({
  takenAt: Math.min(...held.map(({ takenAt }) => takenAt)),
  restoredAt: Math.max(...held.map(({ restoredAt }) => restoredAt)),
})

/** Compares the held checkouts of one account. */
const compareHeldOf = async (
  deps: RecoveryDependencies,
  account: AcquirerAccount,
  ours: readonly HeldCheckouts[],
  checkoutOf: FindCheckoutOfOrder,
): Promise<Told & Pick<ComparedHeld, 'charges' | 'refunds' | 'released'>> => {
  const keptClosed: CheckoutRef[] = []
  const context = {
    ...gapOf(ours),
    checkoutOf,
    onUnanswered: () => undefined,
    onKeptClosed: (ref: CheckoutRef) => void keptClosed.push(ref),
  }
  const compared = await compareAccount(deps, context, account)
  if (compared.told !== 'list')
    return { charges: 0, refunds: 0, released: 0, why: compared.why, isSilent: compared.told === 'silent' }
  const { charges, refunds, incomplete } = compared
  let released = 0
  if (incomplete === null)
    for (const scope of account.scopes) {
      const except = keptClosed.flatMap(({ merchantId, checkoutId }) =>
        merchantId === scope.merchantId ? [checkoutId] : [],
      )
      const by = { actor: 'inquiry', why: LISTED, now: deps.clock.now() } as const
      released += await releaseCheckouts(deps.database, scope, { except }, by)
    }
  return { charges, refunds, released, why: incomplete, isSilent: false }
}

/**
 * Beside a running server: no order is fenced, and checkouts that were created since the restore are not touched. Charges that
 * the list names now are recorded; what it does not name is open again when it covers the time that the backup does not hold.
 */
export const compareHeld = async (deps: RecoveryDependencies, earlier = NONE): Promise<ComparedHeld> => {
  const all = await findHeldCheckouts(deps.database)
  const total = { charges: 0, refunds: 0, released: 0 }
  const why: string[] = []
  const checkoutOf = all.length === 0 ? () => null : await findCheckoutsOfOrders(deps.database)
  for (const account of all.length === 0 ? [] : await deps.gateways.accounts()) {
    const ours = all.filter((held) =>
      account.scopes.some(({ merchantId, mode }) => merchantId === held.merchantId && mode === held.mode),
    )
    if (ours.length === 0) continue
    let told = earlier.lately(account)
    if (told === null) {
      const compared = await compareHeldOf(deps, account, ours, checkoutOf)
      total.charges += compared.charges
      total.refunds += compared.refunds
      total.released += compared.released
      earlier.note(account, compared)
      told = compared
    }
    if (told.why !== null) why.push(told.why)
  }
  const held = await countHeldCheckouts(deps.database)
  const reasons = held > 0 && why.length === 0 ? ['another order of theirs is undecided'] : why
  return { ...total, held, why: reasons }
}
