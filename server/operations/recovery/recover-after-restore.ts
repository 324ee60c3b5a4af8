/** Recovery after a restore: records what the acquirer charged and refunded since the backup, before anybody can pay again. */
import type { Instant } from '#contract/jst.ts'
import type { LedgerMovement } from '#payment/ledger-movement.ts'
import type { Discrepancy } from '#payment/reconcile.ts'
import { COMMAND_NAMES } from '../../config/release.ts'
import { findCheckoutsOfOrders, markRecovered, restoreToRecover } from '../../store/backup/restore-marker.ts'
import { reconcile } from '../reconcile.ts'
import {
  fenceAttempts,
  holdPending,
  noAnswer,
  recoverInFlight,
  recoverMovement,
  unrecorded,
  type RecoveryContext,
  type RecoveryDependencies,
  type RecoveryProblem,
} from './recover-attempts.ts'

export interface Recovery {
  readonly charges: number
  readonly refunds: number
  /** Attempts that may still be charged. Nobody can pay their checkouts until the acquirer has decided. */
  readonly inDoubt: number
  /** Discrepancies that a person must look at. */
  readonly left: readonly Discrepancy[]
}

export type RecoveryResult = Recovery | RecoveryProblem

/**
 * The movement to recover: the acquirer moved the money and our ledger lacks it. An attempt that is charged here, or a refund
 * that is refunded here, is left for a person: only its ledger lines are missing.
 */
const movementOf = (found: Discrepancy): LedgerMovement[] => {
  if (found.kind === 'unknown order') return [found.movement]
  return found.kind === 'missing in ledger' && found.state !== 'charged' && found.state !== 'refunded'
    ? [found.movement]
    : []
}

const compare = async ({
  database,
  gateway,
}: RecoveryDependencies): Promise<readonly Discrepancy[] | RecoveryProblem> => {
  const found: Discrepancy[] = []
  const unanswered: string[] = []
  const compared = await reconcile(
    database,
    gateway,
    (each) => found.push(each),
    (each) => each.kind === 'unanswered' && unanswered.push(`order ${each.movement.orderCode}: ${each.why}`),
  )
  if (compared.outcome === 'unknown') return noAnswer(compared.why)
  const [first] = unanswered
  return first === undefined ? found : noAnswer(first)
}

/** Recovers what one comparison found. Charges first: a refund needs its payment. */
const recoverFound = async (
  deps: RecoveryDependencies,
  context: RecoveryContext,
  found: readonly Discrepancy[],
): Promise<Readonly<Record<LedgerMovement['kind'], number>> | RecoveryProblem> => {
  const recovered = { charge: 0, refund: 0 }
  const movements = found.flatMap(movementOf)
  for (const kind of ['charge', 'refund'] as const)
    for (const movement of movements.filter((each) => each.kind === kind)) {
      const { orderCode } = movement
      const result = await recoverMovement(deps, context, movement)
      if (result === 'silent') return noAnswer(`order ${orderCode}`)
      if (result === 'unrecorded') return unrecorded(orderCode)
      if (result === 'recovered') recovered[kind] += 1
    }
  return recovered
}

/** Records what the acquirer knows and this database, as it was at `takenAt`, does not. It can run again at any time. */
const recover = async (deps: RecoveryDependencies, takenAt: Instant): Promise<RecoveryResult> => {
  await recoverInFlight(deps)
  // Do this before the comparison: from here on no late request can be charged.
  const heldAttempts = await fenceAttempts(deps, takenAt)
  if (typeof heldAttempts !== 'number') return heldAttempts
  const context = { checkoutOf: await findCheckoutsOfOrders(deps.database), takenAt }
  // Do this first, so later decisions are found by the normal inquiry.
  const heldOrders = await holdPending(deps, context)
  if (typeof heldOrders !== 'number') return heldOrders
  const recovered = { charges: 0, refunds: 0, inDoubt: heldAttempts + heldOrders }
  // Compare again until a round recovers nothing: a charge may be made while a round runs.
  for (;;) {
    const found = await compare(deps)
    if ('problem' in found) return found
    const round = await recoverFound(deps, context, found)
    if ('problem' in round) return round
    recovered.charges += round.charge
    recovered.refunds += round.refund
    if (round.charge + round.refund === 0) return { ...recovered, left: found }
  }
}

/** Null: the database was not restored, or the recovery is done. */
export const recoverIfRestored = async (deps: RecoveryDependencies): Promise<RecoveryResult | null> => {
  const restore = await restoreToRecover(deps.database)
  if (restore === null) return null
  const recovered = await recover(deps, restore.takenAt)
  if (!('problem' in recovered)) await markRecovered(deps.database, deps.clock.now())
  return 'problem' in recovered
    ? {
        problem: `This database was restored from a backup, and no payment is taken before it was compared. ${recovered.problem}`,
      }
    : recovered
}

const count = (many: number, noun: string): string => `${many} ${noun}${many === 1 ? '' : 's'}`

export const recoveryLine = ({ charges, refunds, inDoubt, left }: Recovery): string =>
  `restored: ${count(charges, 'charge')} and ${count(refunds, 'refund')} that the backup did not hold are settled; ${inDoubt} in doubt; ${count(left.length, 'break')} left for a person (${COMMAND_NAMES.program} reconcile)`
