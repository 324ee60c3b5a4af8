/** Recovery after a restore: records what the acquirer charged and refunded since the backup, before anybody can pay again. */
import { HOUR_MS } from '#contract/jst.ts'
import type { Period } from '#payment/ports.ts'
import { isOfDispute, type Discrepancy } from '#payment/reconcile.ts'
import type { AcquirerAccount } from '../../dependencies.ts'
import { COMMAND_NAMES } from '../../config/release.ts'
import {
  findCheckoutsOfOrders,
  markRecovered,
  restoreToRecover,
  type Restore,
} from '../../store/backup/restore-marker.ts'
import { reconcile } from '../reconcile.ts'
import {
  fenceAttempts,
  holdPending,
  noAnswer,
  readListedOrders,
  recoverInFlight,
  recoverMovement,
  unrecorded,
  type ListedOrders,
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
const movedOf = (found: Discrepancy): readonly Moved[] => {
  if (found.kind === 'unknown order') return [found]
  return found.kind === 'missing in ledger' && found.state !== 'charged' && found.state !== 'refunded' ? [found] : []
}

/** Charged or refunded by the acquirer, and missing here. */
type Moved = Extract<Discrepancy, { kind: 'unknown order' | 'missing in ledger' }>

const compare = async (
  { database }: RecoveryDependencies,
  account: AcquirerAccount,
  period: Period,
): Promise<readonly Discrepancy[] | RecoveryProblem> => {
  const found: Discrepancy[] = []
  const unanswered: string[] = []
  const compared = await reconcile(
    database,
    [account],
    period,
    // The worker records disputes, and with them chargebacks that the backup lacks.
    (each) => ('movement' in each && isOfDispute(each.movement) ? 0 : found.push(each)),
    (each) =>
      each.kind === 'unanswered' &&
      !isOfDispute(each.movement) &&
      unanswered.push(`order ${each.movement.orderCode}: ${each.why}`),
  )
  if (compared.outcome === 'unknown') return noAnswer(compared.why)
  const [first] = unanswered
  return first === undefined ? found : noAnswer(first)
}

/** Recovers what one comparison found. Charges first: a refund needs its payment. */
const recoverFound = async (
  deps: RecoveryDependencies,
  context: RecoveryContext,
  listed: ListedOrders,
  found: readonly Discrepancy[],
): Promise<Readonly<Record<'charge' | 'refund', number>> | RecoveryProblem> => {
  const recovered = { charge: 0, refund: 0 }
  const missing = found.flatMap(movedOf)
  for (const kind of ['charge', 'refund'] as const)
    for (const moved of missing.filter(({ movement }) => movement.kind === kind)) {
      const { orderCode } = moved.movement
      const result = await recoverMovement(deps, context, listed, moved)
      if (result === 'silent') return noAnswer(`order ${orderCode}`)
      if (result === 'unrecorded') return unrecorded(orderCode)
      if (result === 'recovered') recovered[kind] += 1
    }
  return recovered
}

/** Records what the acquirer knows and this database, as it was at `takenAt`, does not. It can run again at any time. */
const recover = async (deps: RecoveryDependencies, { takenAt, restoredAt }: Restore): Promise<RecoveryResult> => {
  await recoverInFlight(deps)
  // Do this before the comparison: from here on no late request can be charged.
  const heldAttempts = await fenceAttempts(deps, takenAt)
  if (typeof heldAttempts !== 'number') return heldAttempts
  const context = { checkoutOf: await findCheckoutsOfOrders(deps.database), takenAt, restoredAt }
  let recovered: Recovery = { charges: 0, refunds: 0, inDoubt: heldAttempts, left: [] }
  for (const account of await deps.gateways.accounts()) {
    const found = await recoverAccount(deps, context, account)
    if ('problem' in found) return found
    recovered = {
      charges: recovered.charges + found.charges,
      refunds: recovered.refunds + found.refunds,
      inDoubt: recovered.inDoubt + found.inDoubt,
      left: [...recovered.left, ...found.left],
    }
  }
  return recovered
}

/** What moved before the backup was taken is in it. Clocks differ, and a movement is booked some time after it was made. */
const MARGIN_MS = HOUR_MS

/** Compares again until a round recovers nothing: a charge may be made while a round runs. */
const recoverAccount = async (
  deps: RecoveryDependencies,
  context: RecoveryContext,
  account: AcquirerAccount,
): Promise<RecoveryResult> => {
  const recovered = { charges: 0, refunds: 0, inDoubt: 0 }
  for (;;) {
    const period = { from: Math.max(0, context.takenAt - MARGIN_MS), to: deps.clock.now() + MARGIN_MS }
    const listed = await readListedOrders(account.gateway, period, context.restoredAt)
    if ('problem' in listed) return listed
    // Do this first, so later decisions are found by the normal inquiry.
    const held = await holdPending(deps, context, listed)
    if (typeof held !== 'number') return held
    const found = await compare(deps, account, period)
    if ('problem' in found) return found
    const round = await recoverFound(deps, context, listed, found)
    if ('problem' in round) return round
    recovered.charges += round.charge
    recovered.refunds += round.refund
    recovered.inDoubt += held
    if (round.charge + round.refund === 0) return { ...recovered, left: found }
  }
}

/** Null: the database was not restored, or the recovery is done. */
export const recoverIfRestored = async (deps: RecoveryDependencies): Promise<RecoveryResult | null> => {
  const restore = await restoreToRecover(deps.database)
  if (restore === null) return null
  const recovered = await recover(deps, restore)
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
