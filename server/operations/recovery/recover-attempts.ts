/** Recovery after a restore, one order at a time: charges, refunds, and orders that the acquirer has not decided. */
import type { Instant } from '#contract/jst.ts'
import { isInFlight, sentOrderOf, type Attempt } from '#payment/attempt.ts'
import { stateAsRead } from '#payment/checkout.ts'
import type { LedgerMovement } from '#payment/ledger-movement.ts'
import type { Charged, Gateway, SentOrder, StatementLine } from '#payment/ports.ts'
import { chargeAsListed, refundAsListed, type Restore } from '#payment/recovery.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Dependencies } from '../../dependencies.ts'
import { findAttemptOfAnyMerchant, restoreReference } from '../../store/checkout/attempts.ts'
import { holdCheckout } from '../../store/backup/held-checkouts.ts'
import type { FindCheckoutOfOrder } from '../../store/backup/restore-marker.ts'
import { withLockedCheckout, type CheckoutDependencies } from '../locked-checkout.ts'
import { recordOutcome } from '../record-outcome.ts'
import { recordFoundRefund } from '../refund.ts'

export type RecoveryDependencies = CheckoutDependencies & Pick<Dependencies, 'gateways'>

/** An order that the acquirer did not answer about. Its checkout is closed to payment. */
export interface UnansweredOrder {
  readonly orderCode: string
  /** Null: none of ours, as far as we know. */
  readonly checkoutId: string | null
  readonly why: string
}

export interface RecoveryContext extends Restore {
  readonly checkoutOf: FindCheckoutOfOrder
  readonly onUnanswered: (order: UnansweredOrder) => void
  /** A checkout that has to stay closed to payment, whatever the acquirer lists. */
  readonly onKeptClosed: (ref: CheckoutRef) => void
}

/** What one account lists of the time since the backup. */
export interface ListedOrders {
  readonly gateway: Gateway
  /** Its charges by order code. */
  readonly charges: ReadonlyMap<string, Extract<StatementLine, { kind: 'charge' }>>
  readonly refunds: readonly Extract<StatementLine, { kind: 'refund' }>[]
  readonly pending: readonly Pick<SentOrder, 'orderCode' | 'reference'>[]
}

/** The shopper's address and language are lost with the attempt, so nothing is mailed. */
export const RECEIPT_LOST = { receipt: { email: null, locale: 'en_US' } } as const

/**
 * `recovered`: the payment or the refund is recorded. `in doubt`: it is not decided yet, and nobody can pay its checkout
 * meanwhile. `left`: nothing to record, or a case for a person.
 */
type MovementRecovery = 'recovered' | 'in doubt' | 'left'

/**
 * Records the acquirer's answer about an order. Where it cannot be recorded, because another order of the same checkout is
 * undecided, the checkout is held: when that one ends, it could be paid a second time.
 */
const record = async (
  deps: RecoveryDependencies,
  context: RecoveryContext,
  attempt: Attempt,
  answer: Parameters<typeof recordOutcome>[2],
  asOf: Instant,
): Promise<MovementRecovery> => {
  const sent = { ...attempt, state: RECEIPT_LOST }
  const { checkout, attempt: next } = await recordOutcome(deps, sent, answer, { actor: 'inquiry', asOf })
  const { state } = checkout
  if ('payment' in state && state.payment.orderCode === attempt.orderCode) return 'recovered'
  if (isInFlight(next.state)) return 'in doubt'
  if (stateAsRead({ checkout, inFlight: null }, asOf).status !== 'open') return 'left'
  await holdCheckout(deps.database, attempt, context, deps.clock.now())
  context.onKeptClosed(attempt)
  return 'in doubt'
}

/** Stores an attempt that was started after the backup was taken. The beginning of its order code names its checkout. */
export const recordFoundAttempt = async (
  deps: CheckoutDependencies,
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

/** The attempt of an order that the acquirer has, stored now where the backup lacks it. Null: its checkout is not in the backup. */
const attemptFor = async (
  deps: RecoveryDependencies,
  { checkoutOf }: RecoveryContext,
  order: Pick<SentOrder, 'orderCode' | 'reference' | 'startedAt'>,
): Promise<Attempt | null> => {
  const { orderCode, reference, startedAt } = order
  const attempt =
    (await findAttemptOfAnyMerchant(deps.database, orderCode)) ??
    (await recordFoundAttempt(deps, checkoutOf(orderCode), order, startedAt))
  if (attempt === null || attempt.reference !== null || reference === null) return attempt
  await restoreReference(deps.database, attempt, reference)
  return { ...attempt, reference }
}

const recoverCharge = async (
  deps: RecoveryDependencies,
  context: RecoveryContext,
  order: SentOrder,
  charged: Charged,
): Promise<MovementRecovery> => {
  const { approvedAt } = charged
  const attempt = await attemptFor(deps, context, { ...order, startedAt: approvedAt })
  if (attempt === null) return 'left'
  // The deadline is checked at the time of the backup or of the charge, whichever is earlier. Checked at the time of the
  // acquirer's answer, a payment that was claimed in the last second of its link would count as too late.
  return record(deps, context, attempt, charged, Math.min(approvedAt, context.takenAt))
}

/** Puts an order in doubt that the acquirer lists and does not answer about. The worker goes on asking, or a person settles it. */
const putUnansweredInDoubt = async (
  deps: RecoveryDependencies,
  context: RecoveryContext,
  order: SentOrder,
  why: string,
): Promise<MovementRecovery> => {
  const attempt = await attemptFor(deps, context, order)
  context.onUnanswered({ orderCode: order.orderCode, checkoutId: attempt?.checkoutId ?? null, why })
  return attempt === null ? 'left' : record(deps, context, attempt, { outcome: 'unknown', why }, context.takenAt)
}

export const recoverMovement = async (
  deps: RecoveryDependencies,
  context: RecoveryContext,
  { gateway, charges, refunds }: ListedOrders,
  { movement, acquirerYen: amountYen }: { readonly movement: LedgerMovement; readonly acquirerYen: number },
): Promise<MovementRecovery> => {
  const { orderCode } = movement
  const attempt = await findAttemptOfAnyMerchant(deps.database, orderCode)
  // Listed and paid here: nothing is missing, whatever an inquiry says. Counted as recovered, it would be compared for ever.
  if (movement.kind === 'charge' && attempt?.state.name === 'charged') return 'left'
  const listed = charges.get(orderCode)
  const reference = attempt?.reference ?? listed?.reference ?? null
  if (movement.kind === 'charge') {
    // Of an attempt that is lost, the time of its charge: asked as if it were new, an acquirer whose keys have lapsed since would
    // take the inquiry for another charge.
    const startedAt = attempt?.startedAt ?? listed?.movedAt ?? context.takenAt
    const order = { orderCode, amountYen, reference, startedAt, isRestored: true } as const
    const inquiry = chargeAsListed(await gateway.inquire(order), listed)
    if (inquiry.outcome === 'charged') return recoverCharge(deps, context, order, inquiry)
    return inquiry.outcome === 'unknown' ? putUnansweredInDoubt(deps, context, order, inquiry.why) : 'left'
  }
  if (attempt === null || reference === null || movement.kind !== 'refund') return 'left'
  const { refundId } = movement
  const line = refunds.find((each) => each.orderCode === orderCode && each.refundId === refundId)
  const asked = { orderCode, reference, refundId, amountYen, requestedAt: line?.movedAt ?? context.takenAt }
  const inquiry = refundAsListed(await gateway.inquireRefund(asked), line)
  if (inquiry.outcome !== 'refunded') return 'left'
  const { merchantId, checkoutId } = attempt
  const recorded = await recordFoundRefund(deps, { merchantId, checkoutId, refundId }, inquiry)
  if (recorded?.state.name === 'refunded') return 'recovered'
  if (!isInFlight(attempt.state)) return 'left'
  // Its payment is in doubt: the refund is recorded when that is over, by the next comparison.
  await holdCheckout(deps.database, attempt, context, deps.clock.now())
  context.onKeptClosed(attempt)
  return 'in doubt'
}

/** Puts every order that the acquirer has not decided in doubt, so that nobody can pay its checkout meanwhile. */
export const putPendingInDoubt = async (
  deps: RecoveryDependencies,
  context: RecoveryContext,
  { pending }: ListedOrders,
): Promise<number> => {
  const now = deps.clock.now()
  let inDoubt = 0
  for (const order of pending) {
    const { orderCode } = order
    if ((await findAttemptOfAnyMerchant(deps.database, orderCode)) !== null) continue
    const attempt = await recordFoundAttempt(deps, context.checkoutOf(orderCode), order, now)
    if (attempt === null) continue
    await record(deps, context, attempt, { outcome: 'pending' }, context.takenAt)
    inDoubt += 1
  }
  return inDoubt
}

/** Puts an attempt of the backup in doubt that may still be charged. */
export const putAttemptInDoubt = (
  deps: RecoveryDependencies,
  context: RecoveryContext,
  attempt: Attempt,
  answer: { readonly outcome: 'pending' } | { readonly outcome: 'unknown'; readonly why: string },
): Promise<MovementRecovery> => {
  const { orderCode, checkoutId } = attempt
  if (answer.outcome === 'unknown') context.onUnanswered({ orderCode, checkoutId, why: answer.why })
  return record(deps, context, attempt, answer, context.takenAt)
}

/** What an attempt of the backup is asked about with: a restore may have lost its reference. */
export const restoredOrderOf = (attempt: Attempt): SentOrder => ({ ...sentOrderOf(attempt), isRestored: true })
