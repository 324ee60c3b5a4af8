/** Settle doubt: an operator records how a charge ended that no inquiry can answer about. */
import type { Instant } from '#contract/jst.ts'
import type { Attempt } from '#payment/attempt.ts'
import { notByHand, type NotByHand } from '#payment/doubt.ts'
import { isId } from '../../ids.ts'
import { findHeldCheckouts } from '../../store/backup/held-checkouts.ts'
import { findCheckoutsOfOrders } from '../../store/backup/restore-marker.ts'
import { findAttemptOfAnyMerchant, restoreReference } from '../../store/checkout/attempts.ts'
import type { CheckoutDependencies } from '../locked-checkout.ts'
import { recordOutcome } from '../record-outcome.ts'
import { RECEIPT_LOST, recordFoundAttempt } from './recover-attempts.ts'

export type SettledDoubt =
  | { readonly as: 'not_charged'; readonly why: string }
  | {
      readonly as: 'charged'
      readonly why: string
      /** The acquirer's id of the charge. */
      readonly transactionId: string
      /** The acquirer's reference, where the attempt has none. */
      readonly reference: string | null
      readonly approvedAt: Instant
    }

/**
 * `not found`: no such order. `not in doubt`: it has an outcome, or is under way. `too early`: the server still asks. `another in
 * doubt`: another order of its checkout is, and only one of them can have paid it.
 */
export type SettleResult = 'settled' | 'not found' | 'another in doubt' | NotByHand

/** Records what the operator has read in the acquirer's own records. The log of changes names the operator and the reason. */
export const settleDoubt = async (
  deps: CheckoutDependencies,
  orderCode: string,
  settled: SettledDoubt,
): Promise<SettleResult> => {
  const attempt = await findAttemptOfAnyMerchant(deps.database, orderCode)
  if (attempt === null) return settled.as === 'charged' ? settleLost(deps, orderCode, settled) : 'not found'
  const { state } = attempt
  const doubt = state.name === 'unknown' ? state : null
  const reference = attempt.reference ?? (settled.as === 'charged' ? settled.reference : null)
  const refusal = notByHand(doubt, { as: settled.as, hasReference: reference !== null }, deps.clock.now())
  if (refusal !== undefined || doubt === null) return refusal ?? 'not in doubt'
  return record(deps, { ...attempt, state: doubt }, settled, reference)
}

type ChargedByHand = Extract<SettledDoubt, { as: 'charged' }>

/**
 * An order that a restore has lost: the operator has found it in the acquirer's records. Its checkout is held, so that nobody can
 * have paid it since.
 */
const settleLost = async (
  deps: CheckoutDependencies,
  orderCode: string,
  settled: ChargedByHand,
): Promise<SettleResult> => {
  const held = await findHeldCheckouts(deps.database)
  const ref =
    held.length > 0 && isId(orderCode) ? (await findCheckoutsOfOrders(deps.database, 'held'))(orderCode) : null
  if (ref === null) return 'not found'
  const { reference, approvedAt } = settled
  if (reference === null) return 'no reference'
  const attempt = await recordFoundAttempt(deps, ref, { orderCode, reference }, approvedAt)
  if (attempt === null) return 'not found'
  const takenAt = Math.min(...held.map((each) => each.takenAt))
  return record(deps, { ...attempt, state: RECEIPT_LOST }, settled, reference, Math.min(approvedAt, takenAt))
}

const record = async (
  deps: CheckoutDependencies,
  order: Omit<Attempt, 'state'> & Parameters<typeof recordOutcome>[1],
  settled: SettledDoubt,
  reference: string | null,
  asOf?: Instant,
): Promise<'settled' | 'another in doubt'> => {
  const by = {
    actor: 'operator',
    why: `${settled.as}: ${settled.why}`,
    ...(asOf === undefined ? {} : { asOf }),
  } as const
  if (settled.as === 'not_charged') {
    await recordOutcome(deps, order, { outcome: 'not_charged' }, by)
    return 'settled'
  }
  if (order.reference === null && reference !== null) await restoreReference(deps.database, order, reference)
  const { transactionId, approvedAt } = settled
  const { amountYen } = order
  const { checkout } = await recordOutcome(
    deps,
    order,
    { outcome: 'charged', transactionId, approvedAt, amountYen },
    by,
  )
  return checkout.state.status === 'open' ? 'another in doubt' : 'settled'
}
