/** Record outcome: the last step of every charge, in one transaction with ledger lines, webhooks and mails. */
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

/** Ledger lines and mails, for the transaction that stores the outcome. */
const published = ({ checkout, attempt, message }: ChargeConsequences): Pick<Transitions, 'bookings' | 'mails'> => {
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
 * Read in the transaction that records the payment, and only where an invoice can come of it: a row of the merchant that was
 * kept for a second could carry a number that has just been taken away.
 */
const issuerOf = async (
  sql: Sql,
  { merchantId, taxes }: Checkout,
  { outcome }: ChargeAnswer,
): Promise<InvoiceIssuer | null> =>
  outcome === 'charged' && taxes !== null ? readInvoiceIssuer(sql, merchantId) : null

/** An order that was sent to the acquirer, with the request for a receipt that was known then. */
interface SentOrder extends OrderRef {
  readonly state: { readonly receipt: ReceiptRequest }
}

interface RecordedBy {
  readonly actor: 'shopper' | 'inquiry'
  /** What the payment gives the card back, stored with the outcome. */
  readonly returned?: Pick<Transitions, 'cardVelocity'>
  /** When the deadline is looked at; left out: now. */
  readonly asOf?: Instant
}

/** Records what the acquirer answered: attempt, checkout, ledger lines, webhooks and mails in one transaction, or none. */
export const recordOutcome = async (
  deps: CheckoutDependencies,
  order: SentOrder,
  answer: ChargeAnswer,
  { actor, returned = {}, asOf }: RecordedBy,
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
    await save({ ...moved, ...published(consequences), ...returned }, { actor, why: answer.outcome })
    return consequences
  })
  const alarm =
    recorded === null ? `the acquirer says ${recordedWord(answer.outcome)} of an order that is gone` : recorded.alarm
  if (alarm !== undefined) deps.log.alarm('payment needs a person', { order: order.orderCode, why: alarm })
  return mustExist(recorded, 'an attempt that the acquirer was asked about')
}
