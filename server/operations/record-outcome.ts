/** Record outcome: the last step of every charge, in one transaction with ledger lines and outbox rows. */
import type { ReceiptRequest } from '#payment/attempt.ts'
import { applyChargeAnswer, type ChargeAnswer, type ChargeConsequences } from '#payment/charge.ts'
import type { OrderRef } from '#payment/references.ts'
import type { Parts } from '../parts.ts'
import type { Sql } from '../store/database.ts'
import { bookCharge } from '../store/ledger.ts'
import { postNothingCharged, postReceipt } from '../store/outbox.ts'
import { attemptOf, mustExist, withLockedCheckout, type CheckoutTransaction } from './locked-checkout.ts'

/** Writes ledger lines and outbox rows in the transaction that stores the outcome. */
const publish = async (
  { sql, now }: CheckoutTransaction,
  { checkout, attempt, message }: ChargeConsequences,
): Promise<void> => {
  switch (message?.kind) {
    case 'paid':
      await bookCharge(sql, checkout, message.payment)
      return postReceipt(sql, checkout, message.receipt, now)
    case 'nothing charged':
      return postNothingCharged(sql, attempt, message.receipt, now)
    case undefined:
      return undefined
  }
}

/** An order that was sent to the acquirer, with the request for a receipt that was known then. */
interface SentOrder extends OrderRef {
  readonly state: { readonly receipt: ReceiptRequest }
}

interface RecordedBy {
  readonly actor: 'shopper' | 'settlement'
  /** What belongs to the outcome and is stored with it. */
  readonly saveAlso?: ((sql: Sql) => Promise<void>) | undefined
}

/** Records what the acquirer answered: attempt, checkout, ledger lines and outbox rows in one transaction, or none. */
export const recordOutcome = async (
  parts: Parts,
  order: SentOrder,
  answer: ChargeAnswer,
  { actor, saveAlso = async () => {} }: RecordedBy,
): Promise<ChargeConsequences> => {
  const recorded = await withLockedCheckout(parts, order, async (transaction) => {
    const { locked, now, save } = transaction
    const attempt = attemptOf(locked, order.orderCode)
    if (attempt === null) return null
    const consequences = applyChargeAnswer(locked, attempt, { answer, receipt: order.state.receipt, now })
    await save({ checkout: consequences.checkout, attempts: [consequences.attempt] }, { actor, why: answer.outcome })
    await publish(transaction, consequences)
    await saveAlso(transaction.sql)
    return consequences
  })
  const alarm = recorded === null ? `the acquirer says ${answer.outcome} of an order that is gone` : recorded.alarm
  if (alarm !== undefined) parts.log.alarm('payment needs a person', { order: order.orderCode, why: alarm })
  return mustExist(recorded, 'an attempt that the acquirer was asked about')
}
