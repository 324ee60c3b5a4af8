/** Recovery after a restore, one attempt at a time: charges, refunds, and orders that the acquirer has not decided. */
import type { Instant } from '#contract/jst.ts'
import { isInFlight, sentOrderOf, type Attempt } from '#payment/attempt.ts'
import type { LedgerMovement } from '#payment/ledger-movement.ts'
import type { Charged, Gateway, Period, SentOrder } from '#payment/ports.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Dependencies } from '../../dependencies.ts'
import { findAttemptOfAnyMerchant, restoreReference } from '../../store/checkout/attempts.ts'
import { findMoneyInFlight } from '../../store/checkout/money-in-flight.ts'
import { findAttemptsSince, type FindCheckoutOfOrder } from '../../store/backup/restore-marker.ts'
import { CARD_HOLD_MS } from '../card-hold.ts'
import { withLockedCheckout, type CheckoutDependencies } from '../locked-checkout.ts'
import { recordOutcome } from '../record-outcome.ts'
import { adoptRefund } from '../refund.ts'
import { inquireOrFence } from '../resolve-doubt.ts'

export type RecoveryDependencies = CheckoutDependencies & Pick<Dependencies, 'gateways'>

export interface RecoveryContext {
  readonly checkoutOf: FindCheckoutOfOrder
  /** When the backup was taken: the database holds everything that was acknowledged before. */
  readonly takenAt: Instant
  /** Nobody has charged with the lost database since then. */
  readonly restoredAt: Instant
}

/** What one account lists of the time since the backup. */
export interface ListedOrders {
  readonly gateway: Gateway
  /** The acquirer's reference by order code. */
  readonly references: ReadonlyMap<string, string>
  readonly pending: readonly Pick<SentOrder, 'orderCode' | 'reference'>[]
}

/** Why the recovery stopped, and what the operator can do. */
export interface RecoveryProblem {
  readonly problem: string
}

export const noAnswer = (why: string): RecoveryProblem => ({
  problem: `The acquirer did not say what it has charged (${why}). Try again when it answers.`,
})

/** The shopper's language is lost with the claim. */
const DEFAULT_LOCALE = 'en_US'

/** The shopper's address is lost with the claim, so nothing is mailed. */
const receiptUnknown = { email: null, locale: DEFAULT_LOCALE } as const

/**
 * `recovered`: the payment or the refund is recorded. `held`: the attempt may still be charged, and nobody can pay its checkout
 * meanwhile. `left`: nothing to record, or a case for a person. `unrecorded`: the attempt cannot be recorded while another
 * attempt of its checkout is undecided; when that one ends, the checkout could be paid a second time.
 */
type MovementRecovery = 'recovered' | 'held' | 'left' | 'unrecorded'

const record = async (
  deps: RecoveryDependencies,
  attempt: Attempt,
  answer: Parameters<typeof recordOutcome>[2],
  asOf: Instant,
): Promise<MovementRecovery> => {
  const sent = { ...attempt, state: { receipt: receiptUnknown } }
  const recorded = await recordOutcome(deps, sent, answer, { actor: 'inquiry', asOf })
  const { state, validUntil } = recorded.checkout
  if ('payment' in state && state.payment.orderCode === attempt.orderCode) return 'recovered'
  if (isInFlight(recorded.attempt.state)) return 'held'
  return state.status === 'open' && deps.clock.now() <= validUntil ? 'unrecorded' : 'left'
}

export const unrecorded = (orderCode: string): RecoveryProblem => ({
  problem: `Order ${orderCode} is or may be charged, and cannot be written down while another order of its checkout is undecided. Try again when the acquirer has decided that one.`,
})

/** Stores an attempt that was started after the backup was taken. The beginning of its order code names its checkout. */
const adoptAttempt = async (
  deps: RecoveryDependencies,
  ref: CheckoutRef | null,
  { orderCode, reference }: Pick<SentOrder, 'orderCode' | 'reference'>,
  startedAt: Instant,
): Promise<Attempt | null> =>
  ref === null
    ? null
    : withLockedCheckout(deps, ref, async ({ locked, save }) => {
        const { mode, amountYen } = locked.checkout
        const facts = {
          mode,
          amountYen,
          card: null,
          startedAt,
          consentVersion: null,
          clientNetwork: null,
          cardMark: null,
          challengeDemanded: false,
          reference,
        }
        const attempt: Attempt = { ...ref, orderCode, ...facts, state: { name: 'started', clearance: null } }
        await save({ attempts: [attempt] }, { actor: 'inquiry', why: 'restored' })
        return attempt
      })

const recoverCharge = async (
  deps: RecoveryDependencies,
  { checkoutOf, takenAt }: RecoveryContext,
  order: SentOrder,
  charged: Charged,
): Promise<MovementRecovery> => {
  const { approvedAt } = charged
  const { orderCode } = order
  const attempt =
    (await findAttemptOfAnyMerchant(deps.database, orderCode)) ??
    (await adoptAttempt(deps, checkoutOf(orderCode), order, approvedAt))
  if (attempt === null) return 'left'
  if (attempt.reference === null && order.reference !== null)
    await restoreReference(deps.database, attempt, order.reference)
  // The deadline is checked at the time of the backup or of the charge, whichever is earlier. Checked at the time of the
  // acquirer's answer, a payment that was claimed in the last second of its link would count as too late.
  return record(deps, attempt, charged, Math.min(approvedAt, takenAt))
}

export const recoverMovement = async (
  deps: RecoveryDependencies,
  context: RecoveryContext,
  { gateway, references }: ListedOrders,
  { movement, acquirerYen: amountYen }: { readonly movement: LedgerMovement; readonly acquirerYen: number },
): Promise<MovementRecovery | 'silent'> => {
  const { orderCode } = movement
  const attempt = await findAttemptOfAnyMerchant(deps.database, orderCode)
  const reference = attempt?.reference ?? references.get(orderCode) ?? null
  if (movement.kind === 'charge') {
    const startedAt = attempt?.startedAt ?? deps.clock.now()
    const order = { orderCode, amountYen, reference, startedAt, isRestored: true } as const
    const inquiry = await gateway.inquire(order)
    if (inquiry.outcome === 'charged') return recoverCharge(deps, context, order, inquiry)
    return inquiry.outcome === 'unknown' ? 'silent' : 'left'
  }
  if (attempt === null || reference === null || movement.kind !== 'refund') return 'left'
  const { refundId } = movement
  const inquiry = await gateway.inquireRefund({
    orderCode,
    reference,
    refundId,
    amountYen,
    requestedAt: deps.clock.now(),
  })
  if (inquiry.outcome === 'unknown') return 'silent'
  if (inquiry.outcome !== 'refunded') return 'left'
  const { merchantId, checkoutId } = attempt
  const adopted = await adoptRefund(deps, { merchantId, checkoutId, refundId: movement.refundId }, inquiry)
  return adopted?.state.name === 'refunded' ? 'recovered' : 'left'
}

/** Reads what an account lists of the time since the backup. */
export const readListedOrders = async (
  gateway: Gateway,
  period: Period,
  restoredAt: Instant,
): Promise<ListedOrders | RecoveryProblem> => {
  const references = new Map<string, string>()
  const pending: Pick<SentOrder, 'orderCode' | 'reference'>[] = []
  for (let after: string | null = null; ;) {
    const page = await gateway.statement(period, after)
    // An incomplete list is unusable: an order that it lacks may still be charged after its shopper has paid again.
    if (page.outcome === 'unknown') return noAnswer(page.why)
    // A charge that is not listed yet would be paid a second time.
    if (page.completeUntil !== undefined && page.completeUntil < restoredAt)
      return noAnswer(`its list is complete until ${new Date(page.completeUntil).toISOString()}, before the restore`)
    for (const line of page.lines) if (line.kind === 'charge') references.set(line.orderCode, line.reference)
    pending.push(...(page.pending ?? []))
    after = page.after
    if (after === null) return { gateway, references, pending }
  }
}

/** Puts every order that the acquirer has not decided in doubt, so that nobody can pay its checkout meanwhile. */
export const holdPending = async (
  deps: RecoveryDependencies,
  { checkoutOf, takenAt }: RecoveryContext,
  { pending }: ListedOrders,
): Promise<number | RecoveryProblem> => {
  const now = deps.clock.now()
  let held = 0
  for (const order of pending) {
    const { orderCode } = order
    if ((await findAttemptOfAnyMerchant(deps.database, orderCode)) !== null) continue
    const attempt = await adoptAttempt(deps, checkoutOf(orderCode), order, now)
    if (attempt === null) continue
    const result = await record(deps, attempt, { outcome: 'pending' }, takenAt)
    if (result === 'unrecorded') return unrecorded(orderCode)
    held += 1
  }
  return held
}

/**
 * An attempt whose card was held when the backup was taken may have been charged since, or may still be charged by a late
 * request. Each is inquired about and, where the acquirer knows nothing, fenced: its order code can never be charged.
 */
export const fenceAttempts = async (
  deps: RecoveryDependencies,
  takenAt: Instant,
): Promise<number | RecoveryProblem> => {
  let held = 0
  for (const attempt of await findAttemptsSince(deps.database, takenAt - 2 * CARD_HOLD_MS)) {
    const gateway = await deps.gateways.of(attempt)
    const answer = await inquireOrFence(gateway, { ...sentOrderOf(attempt), isRestored: true })
    if (answer.outcome !== 'pending' && answer.outcome !== 'unknown') continue
    const result = await record(deps, attempt, answer, takenAt)
    if (result === 'unrecorded') return unrecorded(attempt.orderCode)
    held += 1
  }
  return held
}

/**
 * Records how the charges ended that were under way when the backup was taken. Another attempt may have paid the same
 * checkout since, and cannot be recorded while the first counts as under way.
 */
export const recoverInFlight = async (deps: RecoveryDependencies): Promise<void> => {
  for (const { movement } of await findMoneyInFlight(deps.database)) {
    const { kind, orderCode } = movement
    const attempt = kind === 'charge' ? await findAttemptOfAnyMerchant(deps.database, orderCode) : null
    if (attempt === null || !('receipt' in attempt.state)) continue
    const { receipt } = attempt.state
    const gateway = await deps.gateways.of(attempt)
    const answer = await inquireOrFence(gateway, { ...sentOrderOf(attempt), isRestored: true })
    await recordOutcome(deps, { ...attempt, state: { receipt } }, answer, { actor: 'inquiry' })
  }
}
