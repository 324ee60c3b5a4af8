/** Recovery after a restore, one account: compares what the acquirer lists since the backup, and records what is missing here. */
import { iso } from '#contract/answer-fields.ts'
import type { LedgerMovement } from '#payment/ledger-movement.ts'
import type { Gateway, StatementLine } from '#payment/ports.ts'
import { coversGap, narrowerBounds, recoveryPeriod, type ListBounds } from '#payment/recovery.ts'
import { isOfDispute, type Discrepancy } from '#payment/reconcile.ts'
import type { AcquirerAccount } from '../../dependencies.ts'
import { reconcile } from '../reconcile.ts'
import {
  putPendingInDoubt,
  recoverMovement,
  type ListedOrders,
  type RecoveryContext,
  type RecoveryDependencies,
} from './recover-attempts.ts'

/**
 * An account that told nothing. `silent`: it did not answer at all, and may soon. `no list`: it answered, and has no list for
 * this time.
 */
export type NoList = Silent | { readonly told: 'no list'; readonly why: string }

export interface Silent {
  readonly told: 'silent'
  readonly why: string
}

/** What an account lists of the time since the backup. */
interface List extends ListedOrders {
  readonly told: 'list'
  /** Null: it names every payment of that time. Otherwise why not. */
  readonly incomplete: string | null
}

const incompleteWords = ({ completeFrom, completeUntil }: ListBounds): string =>
  completeUntil === undefined
    ? `its list is complete from ${iso(completeFrom ?? 0)} on`
    : `its list is complete until ${iso(completeUntil)}, and payments may be listed two weeks later`

/** Reads what an account lists of the time since the backup. */
export const readList = async (
  { clock }: Pick<RecoveryDependencies, 'clock'>,
  gateway: Gateway,
  restore: Pick<RecoveryContext, 'takenAt' | 'restoredAt'>,
): Promise<List | NoList> => {
  const charges = new Map<string, Extract<StatementLine, { kind: 'charge' }>>()
  const refunds: Extract<StatementLine, { kind: 'refund' }>[] = []
  const pending: ListedOrders['pending'][number][] = []
  const period = recoveryPeriod(restore, clock.now())
  let bounds: ListBounds = {}
  for (let after: string | null = null; ;) {
    const page = await gateway.statement(period, after)
    // A part of a list is unusable: an order that it lacks may still be charged after its shopper has paid again.
    if (page.outcome === 'unknown') return { told: page.isSilence ? 'silent' : 'no list', why: page.why }
    for (const line of page.lines)
      if (line.kind === 'charge') charges.set(line.orderCode, line)
      else if (line.kind === 'refund') refunds.push(line)
    pending.push(...(page.pending ?? []))
    bounds = narrowerBounds(bounds, page)
    after = page.after
    if (after !== null) continue
    const incomplete = coversGap(bounds, restore) ? null : incompleteWords(bounds)
    return { told: 'list', gateway, charges, refunds, pending, incomplete }
  }
}

/** Charged or refunded by the acquirer, and missing here. */
interface Moved {
  readonly movement: LedgerMovement
  readonly acquirerYen: number
}

/**
 * The movement to recover: the acquirer moved the money and our ledger lacks it. An attempt that is charged here, or a refund
 * that is refunded here, is left for a person: only its ledger lines are missing.
 */
const movedOf = (found: Discrepancy): readonly Moved[] => {
  if (found.kind === 'unknown order') return [found]
  return found.kind === 'missing in ledger' && found.state !== 'charged' && found.state !== 'refunded' ? [found] : []
}

interface Comparison {
  readonly found: readonly Discrepancy[]
  /** Listed, and in doubt here or without an answer to the inquiry about them. */
  readonly undecided: readonly Moved[]
}

/** What the list says of a movement; undefined: nothing. */
const listedYen = ({ charges, refunds }: ListedOrders, movement: LedgerMovement): number | undefined => {
  if (movement.kind === 'charge') return charges.get(movement.orderCode)?.amountYen
  const refundId = movement.kind === 'refund' ? movement.refundId : null
  return refunds.find((line) => line.orderCode === movement.orderCode && line.refundId === refundId)?.amountYen
}

const compare = async (
  { database, clock }: RecoveryDependencies,
  account: AcquirerAccount,
  context: RecoveryContext,
  list: ListedOrders,
): Promise<Comparison | NoList> => {
  const found: Discrepancy[] = []
  const undecided: Moved[] = []
  const compared = await reconcile(
    database,
    [account],
    recoveryPeriod(context, clock.now()),
    // The worker records disputes, and with them chargebacks that the backup lacks.
    (each) => ('movement' in each && isOfDispute(each.movement) ? 0 : found.push(each)),
    (each) => {
      const { movement, checkoutId } = each
      if (isOfDispute(movement)) return
      const acquirerYen = listedYen(list, movement)
      if (acquirerYen !== undefined) undecided.push({ movement, acquirerYen })
      else if (each.kind === 'unanswered')
        context.onUnanswered({ orderCode: movement.orderCode, checkoutId, why: each.why })
    },
  )
  return compared.outcome === 'unknown' ? { told: 'silent', why: compared.why } : { found, undecided }
}

export interface ComparedAccount {
  readonly told: 'list'
  readonly charges: number
  readonly refunds: number
  /** Attempts that may still be charged. */
  readonly inDoubt: number
  /** Discrepancies that a person must look at. */
  readonly left: readonly Discrepancy[]
  readonly incomplete: string | null
}

/** Compares again until a round recovers nothing: a charge may be made while a round runs. It can run again at any time. */
export const compareAccount = async (
  deps: RecoveryDependencies,
  context: RecoveryContext,
  account: AcquirerAccount,
): Promise<ComparedAccount | NoList> => {
  const recovered = { charge: 0, refund: 0 }
  const doubts = new Set<string>()
  let pendingInDoubt = 0
  for (;;) {
    const list = await readList(deps, account.gateway, context)
    if (list.told !== 'list') return list
    // Do this first, so later decisions are found by the normal inquiry.
    pendingInDoubt += await putPendingInDoubt(deps, context, list)
    const compared = await compare(deps, account, context, list)
    if ('told' in compared) return compared
    const missing = [...compared.found.flatMap(movedOf), ...compared.undecided]
    let count = 0
    // Charges first: a refund needs its payment.
    for (const kind of ['charge', 'refund'] as const)
      for (const moved of missing.filter(({ movement }) => movement.kind === kind)) {
        const result = await recoverMovement(deps, context, list, moved)
        if (result === 'in doubt') doubts.add(moved.movement.orderCode)
        if (result !== 'recovered') continue
        recovered[kind] += 1
        count += 1
      }
    if (count > 0) continue
    const left = compared.found.filter((found) => !('movement' in found) || !doubts.has(found.movement.orderCode))
    const { charge: charges, refund: refunds } = recovered
    return { told: 'list', charges, refunds, inDoubt: pendingInDoubt + doubts.size, left, incomplete: list.incomplete }
  }
}
