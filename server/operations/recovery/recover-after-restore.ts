/** Settle: writes down what the acquirer knows and a restored backup does not, before anybody can pay it once more. */
import type { Instant } from '#contract/jst.ts'
import type { LedgerMovement } from '#payment/ledger-movement.ts'
import type { Discrepancy } from '#payment/reconcile.ts'
import { COMMAND_NAMES } from '../../config/release.ts'
import { findCheckoutsOfOrders, restoresSettled, unsettledRestore } from '../../store/backup/after-restore.ts'
import { reconcile } from '../reconcile.ts'
import {
  fenceAttempts,
  holdPending,
  settleInFlight,
  settleMovement,
  silence,
  unrecorded,
  type SettleContext,
  type SettleDependencies,
  type SettleProblem,
} from './recover-attempts.ts'

export interface Settlement {
  readonly charges: number
  readonly refunds: number
  /** Orders that may still be charged: their checkouts cannot be paid until the acquirer has said so. */
  readonly inDoubt: number
  /** What is left for a person. */
  readonly left: readonly Discrepancy[]
}

export type Settled = Settlement | SettleProblem

/** Charged there and not booked here: what a backup cannot hold. What ended here with money is missing in our books alone. */
const movementOf = (found: Discrepancy): LedgerMovement[] => {
  if (found.kind === 'unknown order') return [found.movement]
  return found.kind === 'missing in ledger' && found.state !== 'charged' && found.state !== 'refunded'
    ? [found.movement]
    : []
}

const compare = async ({ database, gateway }: SettleDependencies): Promise<readonly Discrepancy[] | SettleProblem> => {
  const found: Discrepancy[] = []
  const unanswered: string[] = []
  const compared = await reconcile(
    database,
    gateway,
    (each) => found.push(each),
    (each) => each.kind === 'unanswered' && unanswered.push(`order ${each.movement.orderCode}: ${each.why}`),
  )
  if (compared.outcome === 'unknown') return silence(compared.why)
  const [first] = unanswered
  return first === undefined ? found : silence(first)
}

/** One round over what was found. Charges first: a refund belongs to a payment. */
const settleFound = async (
  deps: SettleDependencies,
  context: SettleContext,
  found: readonly Discrepancy[],
): Promise<Readonly<Record<LedgerMovement['kind'], number>> | SettleProblem> => {
  const settled = { charge: 0, refund: 0 }
  const movements = found.flatMap(movementOf)
  for (const kind of ['charge', 'refund'] as const)
    for (const movement of movements.filter((each) => each.kind === kind)) {
      const { orderCode } = movement
      const became = await settleMovement(deps, context, movement)
      if (became === 'silent') return silence(`order ${orderCode}`)
      if (became === 'unrecorded') return unrecorded(orderCode)
      if (became === 'settled') settled[kind] += 1
    }
  return settled
}

/** Settles what the acquirer knows and this database, as it was at `takenAt`, does not. May be run again at any time. */
const settle = async (deps: SettleDependencies, takenAt: Instant): Promise<Settled> => {
  await settleInFlight(deps)
  // Before the rest is compared: a request that is late cannot be charged any more.
  const heldAttempts = await fenceAttempts(deps, takenAt)
  if (typeof heldAttempts !== 'number') return heldAttempts
  const context = { checkoutOf: await findCheckoutsOfOrders(deps.database), takenAt }
  // Before it too: what is decided from now on is asked about as any other doubt.
  const heldOrders = await holdPending(deps, context)
  if (typeof heldOrders !== 'number') return heldOrders
  const settled = { charges: 0, refunds: 0, inDoubt: heldAttempts + heldOrders }
  // Until a round finds nothing that it can settle: what was charged while the one before it ran is in the next.
  for (;;) {
    const found = await compare(deps)
    if ('problem' in found) return found
    const round = await settleFound(deps, context, found)
    if ('problem' in round) return round
    settled.charges += round.charge
    settled.refunds += round.refund
    if (round.charge + round.refund === 0) return { ...settled, left: found }
  }
}

/** Null where the database was not restored, or was settled since. */
export const settleIfRestored = async (deps: SettleDependencies): Promise<Settled | null> => {
  const restore = await unsettledRestore(deps.database)
  if (restore === null) return null
  const settled = await settle(deps, restore.takenAt)
  if (!('problem' in settled)) await restoresSettled(deps.database, deps.clock.now())
  return 'problem' in settled
    ? {
        problem: `This database was restored from a backup, and no payment is taken before it was compared. ${settled.problem}`,
      }
    : settled
}

const count = (many: number, noun: string): string => `${many} ${noun}${many === 1 ? '' : 's'}`

export const settlementLine = ({ charges, refunds, inDoubt, left }: Settlement): string =>
  `restored: ${count(charges, 'charge')} and ${count(refunds, 'refund')} that the backup did not hold are settled; ${inDoubt} in doubt; ${count(left.length, 'break')} left for a person (${COMMAND_NAMES.program} reconcile)`
