/** Settling single orders after a restore: charges, refunds, and what the acquirer has not decided. */
import type { Instant } from '#contract/jst.ts'
import { isInFlight, type Attempt } from '#payment/attempt.ts'
import { UNKNOWN_CARD } from '#payment/card-number.ts'
import type { LedgerMovement } from '#payment/ledger-movement.ts'
import type { Charged, Gateway } from '#payment/ports.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Dependencies } from '../../dependencies.ts'
import { findOrder } from '../../store/checkout/attempts.ts'
import { findMoneyInFlight } from '../../store/checkout/money-in-flight.ts'
import { findAttemptsSince, type FindCheckoutOfOrder } from '../../store/backup/after-restore.ts'
import { CARD_HOLD_MS } from '../card-hold.ts'
import { withLockedCheckout, type CheckoutDependencies } from '../locked-checkout.ts'
import { recordOutcome } from '../record-outcome.ts'
import { adoptRefund } from '../refund.ts'
import { inquireOrFence } from '../resolve-doubt.ts'

export type SettleDependencies = CheckoutDependencies & Pick<Dependencies, 'gateway'>

export interface SettleContext {
  readonly checkoutOf: FindCheckoutOfOrder
  /** What was acknowledged before that is in the database. */
  readonly takenAt: Instant
}

/** The line says what to mend. */
export interface SettleProblem {
  readonly problem: string
}

export const silence = (why: string): SettleProblem => ({
  problem: `The acquirer did not say what it has charged (${why}). Try again when it answers.`,
})

/** Where nobody knows any more what the shopper reads. */
const DEFAULT_LOCALE = 'en_US'

/** The address was lost with the claim, so nothing is mailed. */
const receiptUnknown = { email: null, locale: DEFAULT_LOCALE } as const

/**
 * What became of an order. `held`: it may still be charged, and its checkout cannot be paid meanwhile. `unrecorded`: another
 * order of its checkout is undecided, and once that one has ended the checkout could be paid a second time.
 */
type SettledOrder = 'settled' | 'held' | 'left' | 'unrecorded'

const record = async (
  deps: SettleDependencies,
  attempt: Attempt,
  answer: Parameters<typeof recordOutcome>[2],
  asOf: Instant,
): Promise<SettledOrder> => {
  const order = { ...attempt, state: { receipt: receiptUnknown } }
  const recorded = await recordOutcome(deps, order, answer, { actor: 'settlement', asOf })
  const { state, validUntil } = recorded.checkout
  if ('payment' in state && state.payment.orderCode === attempt.orderCode) return 'settled'
  if (isInFlight(recorded.attempt.state)) return 'held'
  return state.status === 'open' && deps.clock.now() <= validUntil ? 'unrecorded' : 'left'
}

export const unrecorded = (orderCode: string): SettleProblem => ({
  problem: `Order ${orderCode} is or may be charged, and cannot be written down while another order of its checkout is undecided. Try again when the acquirer has decided that one.`,
})

/** An order that was started after the backup, as an attempt of the checkout that its code names. */
const adoptOrder = async (
  deps: SettleDependencies,
  ref: CheckoutRef | null,
  orderCode: string,
  startedAt: Instant,
): Promise<Attempt | null> =>
  ref === null
    ? null
    : withLockedCheckout(deps, ref, async ({ locked, save }) => {
        const { mode, amountYen } = locked.checkout
        const facts = {
          mode,
          amountYen,
          card: UNKNOWN_CARD,
          startedAt,
          consentVersion: null,
          clientNetwork: null,
          cardMark: null,
          challengeDemanded: false,
        }
        const attempt: Attempt = { ...ref, orderCode, ...facts, state: { name: 'started', clearance: null } }
        await save({ attempts: [attempt] }, { actor: 'settlement', why: 'restored' })
        return attempt
      })

const settleCharge = async (
  deps: SettleDependencies,
  { checkoutOf, takenAt }: SettleContext,
  orderCode: string,
  charged: Charged,
): Promise<SettledOrder> => {
  const { approvedAt } = charged
  const attempt =
    (await findOrder(deps.database, orderCode)) ??
    (await adoptOrder(deps, checkoutOf(orderCode), orderCode, approvedAt))
  if (attempt === null) return 'left'
  // Whatever was charged after the backup was claimed in time: a link that was open then, and whose claim came on its last
  // second, is not looked at as of the acquirer's answer.
  return record(deps, attempt, charged, Math.min(approvedAt, takenAt))
}

export const settleMovement = async (
  deps: SettleDependencies,
  context: SettleContext,
  movement: LedgerMovement,
): Promise<SettledOrder | 'silent'> => {
  if (movement.kind === 'charge') {
    const inquiry = await deps.gateway.inquire(movement.orderCode)
    if (inquiry.outcome === 'charged') return settleCharge(deps, context, movement.orderCode, inquiry)
    return inquiry.outcome === 'unknown' ? 'silent' : 'left'
  }
  const inquiry = await deps.gateway.inquireRefund(movement)
  if (inquiry.outcome === 'unknown') return 'silent'
  const attempt = await findOrder(deps.database, movement.orderCode)
  if (inquiry.outcome !== 'refunded' || attempt === null) return 'left'
  const { merchantId, checkoutId } = attempt
  const adopted = await adoptRefund(deps, { merchantId, checkoutId, refundId: movement.refundId }, inquiry)
  return adopted?.state.name === 'refunded' ? 'settled' : 'left'
}

const readPending = async (gateway: Gateway): Promise<readonly string[] | SettleProblem> => {
  const pending: string[] = []
  for (let after: string | null = null; ;) {
    const page = await gateway.statement(after)
    // Half a list is none: an order that is missing in it may still be charged, beside the one that its shopper pays next.
    if (page.outcome === 'unknown') return silence(page.why)
    pending.push(...(page.pending ?? []))
    after = page.after
    if (after === null) return pending
  }
}

/** What may still be charged belongs to a checkout that nobody may pay meanwhile. */
export const holdPending = async (
  deps: SettleDependencies,
  { checkoutOf, takenAt }: SettleContext,
): Promise<number | SettleProblem> => {
  const pending = await readPending(deps.gateway)
  if ('problem' in pending) return pending
  const now = deps.clock.now()
  let held = 0
  for (const orderCode of pending) {
    if ((await findOrder(deps.database, orderCode)) !== null) continue
    const attempt = await adoptOrder(deps, checkoutOf(orderCode), orderCode, now)
    if (attempt === null) continue
    const became = await record(deps, attempt, { outcome: 'pending' }, takenAt)
    if (became === 'unrecorded') return unrecorded(orderCode)
    held += 1
  }
  return held
}

/**
 * Attempts whose card was still held when the backup was taken may have been charged since, or may be charged by a request
 * that is late. Asked about and, where there is nothing, fenced: nothing can be charged under their order codes any more.
 */
export const fenceAttempts = async (deps: SettleDependencies, takenAt: Instant): Promise<number | SettleProblem> => {
  let held = 0
  for (const attempt of await findAttemptsSince(deps.database, takenAt - 2 * CARD_HOLD_MS)) {
    const answer = await inquireOrFence(deps.gateway, attempt.orderCode)
    if (answer.outcome !== 'pending' && answer.outcome !== 'unknown') continue
    const became = await record(deps, attempt, answer, takenAt)
    if (became === 'unrecorded') return unrecorded(attempt.orderCode)
    held += 1
  }
  return held
}

/**
 * Charges that were under way when the backup was taken have ended since, and the same checkout may have been paid by
 * another order: while the first counts as under way, that one could not be recorded.
 */
export const settleInFlight = async (deps: SettleDependencies): Promise<void> => {
  for (const { kind, orderCode } of await findMoneyInFlight(deps.database)) {
    const attempt = kind === 'charge' ? await findOrder(deps.database, orderCode) : null
    if (attempt === null || !('receipt' in attempt.state)) continue
    const { receipt } = attempt.state
    const answer = await inquireOrFence(deps.gateway, orderCode)
    await recordOutcome(deps, { ...attempt, state: { receipt } }, answer, { actor: 'settlement' })
  }
}
