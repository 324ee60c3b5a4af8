/** Recorded reconciliation: compares as `reconcile` does, and keeps for every shop and mode what came of it. */
import type { Instant } from '#contract/jst.ts'
import type { Period, Random } from '#payment/ports.ts'
import type { Discrepancy, Unresolved } from '#payment/reconcile.ts'
import {
  EMPTY_TALLY,
  withAgreed,
  withBreak,
  withUnresolved,
  type ReconciliationTally,
} from '#payment/reconciliation-tally.ts'
import { scopeName } from '#payment/references.ts'
import type { Database } from '../store/engine/database.ts'
import type { KeyScope } from '../store/merchant/keys.ts'
import { reconciliationWrite } from '../store/reports/reconciliations.ts'
import { reconcile, type ReconciledAccount, type Reconciliation } from './reconcile.ts'

interface Recording {
  readonly database: Database
  readonly random: Random
  readonly now: Instant
}

interface Told {
  readonly onDiscrepancy: (found: Discrepancy) => void
  readonly onUnresolved: (unresolved: Unresolved) => void
}

/** A text of the acquirer may be long; the shop needs the beginning of it. */
const PROBLEM_MAX_LENGTH = 300

/**
 * The operator alone is told of what belongs to no shop of ours, and of what belongs to one of the shops that share an account
 * where nobody can say to which.
 */
export const reconcileAndRecord = async (
  { database, random, now }: Recording,
  accounts: readonly ReconciledAccount[],
  period: Period,
  { onDiscrepancy, onUnresolved }: Told,
): Promise<Reconciliation> => {
  const scopes = accounts.flatMap((account) => account.scopes)
  const tallies = new Map(scopes.map((scope) => [scopeName(scope), EMPTY_TALLY]))
  const change = (scope: KeyScope | null, next: (tally: ReconciliationTally) => ReconciliationTally): void => {
    const tally = scope === null ? undefined : tallies.get(scopeName(scope))
    if (scope !== null && tally !== undefined) tallies.set(scopeName(scope), next(tally))
  }
  const compared = await reconcile(
    database,
    accounts,
    period,
    (found, scope) => {
      change(scope, (tally) => withBreak(tally, found))
      onDiscrepancy(found)
    },
    (unresolved, scope) => {
      change(scope, (tally) => withUnresolved(tally, unresolved))
      onUnresolved(unresolved)
    },
    (scope, kind, yen) => change(scope, (tally) => withAgreed(tally, kind, yen)),
  )
  const problems = new Map(
    compared.outcome === 'unknown'
      ? scopes.map((scope) => [scopeName(scope), compared.why])
      : (compared.silent ?? []).flatMap(({ scopes: silent, why }) => silent.map((scope) => [scopeName(scope), why])),
  )
  const until = compared.outcome === 'unknown' ? period.to : (compared.comparedUntil ?? period.to)
  // The acquirer is asked for a time beyond now, because its clock may be ahead; the shop reads that it ended now.
  const kept = { from: period.from, to: Math.min(until, now) }
  for (const scope of scopes) {
    const tally = tallies.get(scopeName(scope)) ?? EMPTY_TALLY
    const problem = problems.get(scopeName(scope))?.slice(0, PROBLEM_MAX_LENGTH) ?? null
    await database.writeAll(
      reconciliationWrite(scope, {
        ...tally,
        id: `rc_${random.id()}`,
        madeAt: now,
        period: kept,
        isComplete: problem === null && tally.unanswered === 0,
        problem,
      }),
    )
  }
  return compared
}
