/** Settle: writes down what the acquirer knows and a restored backup does not, before anybody can pay it once more. */
import type { Instant } from '#contract/jst.ts'
import type { Attempt } from '#payment/attempt.ts'
import { UNKNOWN_CARD } from '#payment/card-number.ts'
import type { LedgerMovement } from '#payment/ledger-movement.ts'
import type { Charged, Gateway } from '#payment/ports.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Discrepancy } from '#payment/reconcile.ts'
import { SPELLING } from '../config/release.ts'
import type { Parts } from '../parts.ts'
import { findOrder } from '../store/attempts.ts'
import { findMoneyInFlight } from '../store/money-in-flight.ts'
import { findAttemptsSince, findCheckoutsOfOrders, type FindCheckoutOfOrder } from '../store/restored-orders.ts'
import { restoresSettled, unsettledRestore } from '../store/restores.ts'
import { CARD_HOLD_MS } from './card-hold.ts'
import { withLockedCheckout, type CheckoutParts } from './locked-checkout.ts'
import { reconcile } from './reconcile.ts'
import { recordOutcome } from './record-outcome.ts'
import { adoptRefund } from './refund.ts'
import { inquireOrFence } from './resolve-doubt.ts'

export type SettleParts = CheckoutParts & Pick<Parts, 'gateway'>

export interface Settlement {
  readonly charges: number
  readonly refunds: number
  /** Orders that may still be charged: their checkouts cannot be paid until the acquirer has said so. */
  readonly inDoubt: number
  /** What is left for a person. */
  readonly left: readonly Discrepancy[]
}

type Settled = Settlement | { readonly problem: string }

/** Where nobody knows any more what the shopper reads. */
const DEFAULT_LOCALE = 'en_US'

/** The address was lost with the claim, so nothing is mailed. */
const receiptUnknown = { email: null, locale: DEFAULT_LOCALE } as const

const record = async (
  parts: SettleParts,
  attempt: Attempt,
  answer: Parameters<typeof recordOutcome>[2],
  asOf: Instant,
) => recordOutcome(parts, { ...attempt, state: { receipt: receiptUnknown } }, answer, { actor: 'settlement', asOf })

/** An order that was started after the backup, as an attempt of the checkout that its code names. */
const adoptOrder = async (
  parts: SettleParts,
  ref: CheckoutRef | null,
  orderCode: string,
  startedAt: Instant,
): Promise<Attempt | null> =>
  ref === null
    ? null
    : withLockedCheckout(parts, ref, async ({ locked, save }) => {
        const { mode, amountYen } = locked.checkout
        const facts = { mode, amountYen, card: UNKNOWN_CARD, startedAt, consentVersion: null, clientNetwork: null }
        const attempt: Attempt = { ...ref, orderCode, ...facts, state: { name: 'started', clearance: null } }
        await save({ attempts: [attempt] }, { actor: 'settlement', why: 'restored' })
        return attempt
      })

const settleCharge = async (
  parts: SettleParts,
  checkoutOf: FindCheckoutOfOrder,
  orderCode: string,
  charged: Charged,
): Promise<boolean> => {
  const { approvedAt } = charged
  const attempt =
    (await findOrder(parts.database, orderCode)) ??
    (await adoptOrder(parts, checkoutOf(orderCode), orderCode, approvedAt))
  if (attempt === null) return false
  const { state } = (await record(parts, attempt, charged, approvedAt)).checkout
  return 'payment' in state && state.payment.orderCode === orderCode
}

const settleMovement = async (
  parts: SettleParts,
  checkoutOf: FindCheckoutOfOrder,
  movement: LedgerMovement,
): Promise<boolean> => {
  if (movement.kind === 'charge') {
    const inquiry = await parts.gateway.inquire(movement.orderCode)
    return inquiry.outcome === 'charged' && settleCharge(parts, checkoutOf, movement.orderCode, inquiry)
  }
  const inquiry = await parts.gateway.inquireRefund(movement)
  const attempt = await findOrder(parts.database, movement.orderCode)
  if (inquiry.outcome !== 'refunded' || attempt === null) return false
  const { merchantId, checkoutId } = attempt
  const adopted = await adoptRefund(parts, { merchantId, checkoutId, refundId: movement.refundId }, inquiry)
  return adopted?.state.name === 'refunded'
}

/** Charged there and not booked here: what a backup cannot hold. */
const movementOf = (found: Discrepancy): LedgerMovement[] =>
  found.kind === 'unknown order' || found.kind === 'missing in ledger' ? [found.movement] : []

const readPending = async (gateway: Gateway): Promise<string[]> => {
  const pending: string[] = []
  for (let after: string | null = null; ;) {
    const page = await gateway.statement(after)
    if (page.outcome === 'unknown') return pending
    pending.push(...(page.pending ?? []))
    after = page.after
    if (after === null) return pending
  }
}

/** What may still be charged belongs to a checkout that nobody may pay meanwhile. */
const holdPending = async (parts: SettleParts, checkoutOf: FindCheckoutOfOrder, now: Instant): Promise<number> => {
  let held = 0
  for (const orderCode of await readPending(parts.gateway)) {
    if ((await findOrder(parts.database, orderCode)) !== null) continue
    const attempt = await adoptOrder(parts, checkoutOf(orderCode), orderCode, now)
    if (attempt === null) continue
    await record(parts, attempt, { outcome: 'pending' }, now)
    held += 1
  }
  return held
}

/**
 * Attempts whose card was still held when the backup was taken may have been charged since, or may be charged by a request
 * that is late. Asked about and, where there is nothing, fenced: nothing can be charged under their order codes any more.
 */
const fenceAttempts = async (parts: SettleParts, takenAt: Instant): Promise<number> => {
  let held = 0
  for (const attempt of await findAttemptsSince(parts.database, takenAt - 2 * CARD_HOLD_MS)) {
    const answer = await inquireOrFence(parts.gateway, attempt.orderCode)
    if (answer.outcome !== 'pending' && answer.outcome !== 'unknown') continue
    await record(parts, attempt, answer, takenAt)
    held += 1
  }
  return held
}

/**
 * Charges that were under way when the backup was taken have ended since, and the same checkout may have been paid by
 * another order: while the first counts as under way, that one could not be recorded.
 */
const settleInFlight = async (parts: SettleParts): Promise<void> => {
  for (const { kind, orderCode } of await findMoneyInFlight(parts.database)) {
    const attempt = kind === 'charge' ? await findOrder(parts.database, orderCode) : null
    if (attempt === null || !('receipt' in attempt.state)) continue
    const { receipt } = attempt.state
    const answer = await inquireOrFence(parts.gateway, orderCode)
    await recordOutcome(parts, { ...attempt, state: { receipt } }, answer, { actor: 'settlement' })
  }
}

/** Settles what the acquirer knows and this database, as it was at `takenAt`, does not. May be run again at any time. */
export const settle = async (parts: SettleParts, takenAt: Instant): Promise<Settled> => {
  const { database, gateway } = parts
  await settleInFlight(parts)
  // Before the rest is compared: a request that is late cannot be charged any more.
  const heldAttempts = await fenceAttempts(parts, takenAt)
  const found: Discrepancy[] = []
  const compared = await reconcile(database, gateway, (each) => found.push(each))
  if (compared.outcome === 'unknown')
    return { problem: `The acquirer did not say what it has charged (${compared.why}). Try again when it answers.` }
  const checkoutOf = await findCheckoutsOfOrders(database)
  const heldOrders = await holdPending(parts, checkoutOf, parts.clock.now())
  const settled = { charge: 0, refund: 0 }
  // Charges first: a refund belongs to a payment.
  const movements = found.flatMap(movementOf)
  for (const kind of ['charge', 'refund'] as const)
    for (const movement of movements.filter((each) => each.kind === kind))
      if (await settleMovement(parts, checkoutOf, movement)) settled[kind] += 1
  const left: Discrepancy[] = []
  const again = await reconcile(database, gateway, (each) => left.push(each))
  if (again.outcome === 'unknown')
    return { problem: `The acquirer fell silent while it was compared with (${again.why}). Try again when it answers.` }
  return { charges: settled.charge, refunds: settled.refund, inDoubt: heldAttempts + heldOrders, left }
}

/** Null where the database was not restored, or was settled since. */
export const settleIfRestored = async (parts: SettleParts): Promise<Settled | null> => {
  const restore = await unsettledRestore(parts.database)
  if (restore === null) return null
  const settled = await settle(parts, restore.takenAt)
  if (!('problem' in settled)) await restoresSettled(parts.database, parts.clock.now())
  return 'problem' in settled
    ? {
        problem: `This database was restored from a backup, and no payment is taken before it was compared. ${settled.problem}`,
      }
    : settled
}

const count = (many: number, noun: string): string => `${many} ${noun}${many === 1 ? '' : 's'}`

export const settlementLine = ({ charges, refunds, inDoubt, left }: Settlement): string =>
  `restored: ${count(charges, 'charge')} and ${count(refunds, 'refund')} that the backup did not hold are settled; ${inDoubt} in doubt; ${count(left.length, 'break')} left for a person (${SPELLING.program} reconcile)`
