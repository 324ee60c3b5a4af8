/** Record outcome: the last step of every charge: states, ledger lines, events and mails in one transaction. */
import type { Instant } from '#contract/jst.ts'
import { recordedWord, withKnownCard, type ReceiptRequest } from '#payment/attempt.ts'
import type { Checkout, InvoiceIssuer } from '#payment/checkout.ts'
import { applyChargeAnswer, type ChargeAnswer, type ChargeConsequences } from '#payment/charge.ts'
import { nothingChargedMail, receiptMail } from '#payment/mail.ts'
import type { OrderRef } from '#payment/references.ts'
import { chargeBooking } from '../store/checkout/ledger.ts'
import type { Sql } from '../store/engine/database.ts'
import { readInvoiceIssuer } from '../store/merchant/merchants.ts'
import type { Transitions } from '../store/checkout/transitions.ts'
import { attemptOf, mustExist, withLockedCheckout, type CheckoutDependencies } from './locked-checkout.ts'

/** The ledger lines and mails to store with the outcome. */
const ledgerAndMails = ({
  checkout,
  attempt,
  message,
}: ChargeConsequences): Pick<Transitions, 'bookings' | 'mails'> => {
  switch (message?.kind) {
    case 'paid':
      return {
        bookings: [chargeBooking(checkout, message.payment)],
        mails: [receiptMail(checkout, message.payment, message.receipt)],
      }
    case 'nothing charged':
      return { mails: [nothingChargedMail(checkout, attempt, message.receipt)] }
    case undefined:
      return {}
  }
}

/**
 * Read in the transaction that records the payment, and only where the receipt can be an invoice. The merchant's row in memory
 * is up to a second old, and could hold a registration number that has just been removed.
 */
const issuerOf = async (
  sql: Sql,
  { merchantId, taxes }: Checkout,
  { outcome }: ChargeAnswer,
): Promise<InvoiceIssuer | null> =>
  outcome === 'charged' && taxes !== null ? readInvoiceIssuer(sql, merchantId) : null

/** An order that was sent to the acquirer, with the receipt request that was known then. */
interface OrderWithReceipt extends OrderRef {
  readonly state: { readonly receipt: ReceiptRequest }
}

interface RecordedBy {
  readonly actor: 'shopper' | 'inquiry' | 'operator'
  /** For the log of changes; left out: the outcome. */
  readonly why?: string
  /** Sets the velocity count of the card back to zero, with the outcome. */
  readonly velocityCredit?: Pick<Transitions, 'cardVelocity'>
  /** The time at which the deadline is checked; by default now. */
  readonly asOf?: Instant
}

/** Records the acquirer's answer: attempt, checkout, ledger lines, events and mails in one transaction, or none of them. */
export const recordOutcome = async (
  deps: CheckoutDependencies,
  order: OrderWithReceipt,
  answer: ChargeAnswer,
  { actor, why = answer.outcome, velocityCredit = {}, asOf }: RecordedBy,
): Promise<ChargeConsequences> => {
  const recorded = await withLockedCheckout(deps, order, async ({ locked, sql, now, save }) => {
    const stored = attemptOf(locked, order.orderCode)
    if (stored === null) return null
    const attempt = withKnownCard(stored, answer.outcome === 'charged' ? answer.card : undefined)
    const invoiceIssuer = await issuerOf(sql, locked.checkout, answer)
    const consequences = applyChargeAnswer(locked, attempt, {
      answer,
      receipt: order.state.receipt,
      invoiceIssuer,
      now,
      asOf: asOf ?? now,
    })
    const moved = { checkout: consequences.checkout, attempts: [consequences.attempt] }
    await save({ ...moved, ...ledgerAndMails(consequences), ...velocityCredit }, { actor, why })
    return consequences
  })
  const alarm =
    recorded === null ? `the acquirer says ${recordedWord(answer.outcome)} of an order that is gone` : recorded.alarm
  if (alarm !== undefined) deps.log.alarm('payment needs a person', { order: order.orderCode, why: alarm })
  return mustExist(recorded, 'an attempt that the acquirer was asked about')
}
