/** Recovery after a restore: records what the acquirer charged and refunded since the backup, before anybody can pay again. */
import type { Discrepancy } from '#payment/reconcile.ts'
import type { Restore } from '#payment/recovery.ts'
import { scopeName, type AccountRef } from '#payment/references.ts'
import type { AcquirerAccount } from '../../dependencies.ts'
import { COMMAND_NAMES } from '../../config/release.ts'
import { findAttemptOfAnyMerchant } from '../../store/checkout/attempts.ts'
import { findMoneyInFlight } from '../../store/checkout/money-in-flight.ts'
import { countHeldCheckouts, findHeldCheckouts, holdOpenCheckouts } from '../../store/backup/held-checkouts.ts'
import {
  beginFrom,
  findAttemptsSince,
  findCheckoutsOfOrders,
  markRecovered,
  restoreToRecover,
} from '../../store/backup/restore-marker.ts'
import { CARD_HOLD_MS } from '../../card-hold/memory.ts'
import { recordOutcome } from '../record-outcome.ts'
import { inquireOrFence } from '../resolve-doubt.ts'
import { compareAccount, readList, type Silent } from './compare-account.ts'
import {
  putAttemptInDoubt,
  restoredOrderOf,
  type RecoveryContext,
  type RecoveryDependencies,
  type UnansweredOrder,
} from './recover-attempts.ts'

export interface Recovery {
  readonly charges: number
  readonly refunds: number
  /** Attempts that may still be charged. Nobody can pay their checkouts until the acquirer has decided. */
  readonly inDoubt: number
  /** Of these, the orders that the acquirer did not answer about: it goes on being asked, or an operator settles them. */
  readonly unanswered: readonly UnansweredOrder[]
  /** Checkouts that are closed to payment until the acquirer's list says whether they were paid. */
  readonly held: number
  /** Why: one line for each account that lists too little. */
  readonly incomplete: readonly string[]
  /** Discrepancies that a person must look at. */
  readonly left: readonly Discrepancy[]
}

/** Why the recovery stopped, and what the operator can do. */
interface RecoveryProblem {
  readonly problem: string
}

export type RecoveryResult = Recovery | RecoveryProblem

const noAnswer = ({ why }: Silent): RecoveryProblem => ({
  problem: `This database was restored from a backup, and no payment is taken before it was compared. The acquirer did not say what it has charged (${why}). Try again when it answers.`,
})

/**
 * An attempt whose card was held when the backup was taken may have been charged since, or may still be charged by a late
 * request. Each is inquired about and, where the acquirer knows nothing, fenced: its order code can never be charged. Where every
 * open checkout of its account is held, an order without an answer needs no doubt of its own.
 */
const fenceAttempts = async (
  deps: RecoveryDependencies,
  context: RecoveryContext,
  isClosed: (scope: AccountRef) => boolean,
): Promise<number> => {
  let inDoubt = 0
  for (const attempt of await findAttemptsSince(deps.database, context.takenAt - 2 * CARD_HOLD_MS)) {
    const answer = await inquireOrFence(await deps.gateways.of(attempt), restoredOrderOf(attempt))
    if (answer.outcome !== 'pending' && answer.outcome !== 'unknown') continue
    if (isClosed(attempt)) continue
    await putAttemptInDoubt(deps, context, attempt, answer)
    inDoubt += 1
  }
  return inDoubt
}

/**
 * Records how the charges ended that were under way when the backup was taken. Another attempt may have paid the same
 * checkout since, and cannot be recorded while the first counts as under way.
 */
const recoverInFlight = async (deps: RecoveryDependencies, { onUnanswered }: RecoveryContext): Promise<void> => {
  for (const { movement } of await findMoneyInFlight(deps.database)) {
    const { kind, orderCode } = movement
    const attempt = kind === 'charge' ? await findAttemptOfAnyMerchant(deps.database, orderCode) : null
    if (attempt === null || !('receipt' in attempt.state)) continue
    const { receipt } = attempt.state
    const answer = await inquireOrFence(await deps.gateways.of(attempt), restoredOrderOf(attempt))
    if (answer.outcome === 'unknown') onUnanswered({ orderCode, checkoutId: attempt.checkoutId, why: answer.why })
    await recordOutcome(deps, { ...attempt, state: { receipt } }, answer, { actor: 'inquiry' })
  }
}

interface Closed {
  readonly scopes: ReadonlySet<string>
  readonly incomplete: readonly string[]
}

/**
 * First of all, before any order is recorded as not charged: where an account does not list all that was paid since the backup,
 * every checkout that was open then may have been paid, and stays closed to payment.
 */
const closeUnlisted = async (
  deps: RecoveryDependencies,
  restore: Restore,
  accounts: readonly AcquirerAccount[],
): Promise<Closed | Silent> => {
  const scopes = new Set<string>()
  const incomplete: string[] = []
  for (const account of accounts) {
    const list = await readList(deps, account.gateway, restore)
    if (list.told === 'silent') return list
    const why = list.told === 'list' ? list.incomplete : list.why
    if (why === null) continue
    incomplete.push(why)
    for (const scope of account.scopes) {
      scopes.add(scopeName(scope))
      await holdOpenCheckouts(deps.database, scope, restore, deps.clock.now())
    }
  }
  return { scopes, incomplete }
}

/** Records what the acquirer knows and this database, as it was at `takenAt`, does not. It can run again at any time. */
const recover = async (deps: RecoveryDependencies, restore: Restore): Promise<RecoveryResult> => {
  const accounts = await deps.gateways.accounts()
  const closed = await closeUnlisted(deps, restore, accounts)
  if ('told' in closed) return noAnswer(closed)
  const unanswered = new Map<string, UnansweredOrder>()
  const keptClosed = new Set<string>()
  const context: RecoveryContext = {
    ...restore,
    checkoutOf: await findCheckoutsOfOrders(deps.database),
    onUnanswered: (order) => void unanswered.set(order.orderCode, order),
    onKeptClosed: ({ checkoutId }) => void keptClosed.add(checkoutId),
  }
  await recoverInFlight(deps, context)
  // Do this before the comparison: from here on no late request can be charged.
  let inDoubt = await fenceAttempts(deps, context, (scope) => closed.scopes.has(scopeName(scope)))
  let [charges, refunds] = [0, 0]
  const left: Discrepancy[] = []
  for (const account of accounts) {
    const compared = await compareAccount(deps, context, account)
    if (compared.told === 'silent') return noAnswer(compared)
    if (compared.told === 'no list') continue
    charges += compared.charges
    refunds += compared.refunds
    inDoubt += compared.inDoubt
    left.push(...compared.left)
  }
  const held = await countHeldCheckouts(deps.database)
  const { incomplete } = closed
  return { charges, refunds, inDoubt, unanswered: [...unanswered.values()], held, incomplete, left }
}

/** Null: the database was not restored, or the recovery is done. */
export const recoverIfRestored = async (deps: RecoveryDependencies): Promise<RecoveryResult | null> => {
  const marked = await restoreToRecover(deps.database)
  if (marked === null) return null
  // A backup that was taken while checkouts were held for an earlier restore: that time is compared too.
  const earlier = (await findHeldCheckouts(deps.database)).map(({ takenAt }) => takenAt)
  const restore = { ...marked, takenAt: Math.min(marked.takenAt, ...earlier) }
  await beginFrom(deps.database, restore)
  const recovered = await recover(deps, restore)
  if (!('problem' in recovered)) await markRecovered(deps.database, deps.clock.now())
  return recovered
}

const count = (many: number, noun: string): string => `${many} ${noun}${many === 1 ? '' : 's'}`

const { program: PROGRAM } = COMMAND_NAMES

/** What an operator reads: each order without an answer, what is closed to payment and why, and the counts. */
export const recoveryLines = (recovery: Recovery): string[] => {
  const { charges, refunds, inDoubt, unanswered, held, incomplete, left } = recovery
  const closed = `${count(held, 'checkout')} closed to payment`
  return [
    ...unanswered.map(
      ({ orderCode, checkoutId, why }) =>
        `no answer about order ${orderCode} of checkout ${checkoutId ?? 'unknown'} (${why}): it is asked about again; to settle it by hand: ${PROGRAM} doubt settle ${orderCode}`,
    ),
    ...(held === 0
      ? []
      : [
          `${closed}: they may have been paid since the backup (${incomplete.join('; ') || 'another order of theirs is undecided'}). They are compared again every hour; to open them by hand: ${PROGRAM} doubt release`,
        ]),
    `restored: ${count(charges, 'charge')} and ${count(refunds, 'refund')} that the backup did not hold are settled; ${inDoubt} in doubt; ${closed}; ${count(left.length, 'break')} left for a person (${PROGRAM} reconcile)`,
  ]
}
