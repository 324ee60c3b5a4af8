/** Mail: what a shopper is written about a payment, a refund, or a doubt that ended without a charge. */
import type { MailFacts } from '#contract/mail-facts.ts'
import type { Instant } from '#contract/jst.ts'
import type { Attempt, ReceiptRequest } from './attempt.ts'
import type { CardFace } from './card-number.ts'
import { refOf, type Checkout, type Payment } from './checkout.ts'
import { invoiceOf, returnInvoiceOf } from './invoice.ts'
import type { CheckoutRef } from './references.ts'
import type { Refund } from './refund.ts'

/** `reissue`: a receipt that its merchant sends again. */
export const MAIL_KINDS = ['receipt', 'reissue', 'refund', 'nothing_charged'] as const
export type MailKind = (typeof MAIL_KINDS)[number]

export const isMailKind = (text: string): text is MailKind => MAIL_KINDS.some((kind) => kind === text)

/** Stored in the transaction of what it tells: a crash can neither lose the mail nor send one about nothing. */
export interface NewMail extends CheckoutRef {
  readonly kind: MailKind
  /** Distinguishes mails of one kind about one checkout. */
  readonly about?: string
  readonly receipt: ReceiptRequest
  readonly facts: MailFacts
}

const shownCard = (card: CardFace | null): MailFacts['card'] =>
  card === null ? null : { brand: card.brand, lastFour: card.lastFour }

const paymentFacts = ({ mode, amountYen, subject }: Checkout, { card, transactionId, paidAt }: Payment) => ({
  mode,
  amountYen,
  subject,
  card: shownCard(card),
  transactionId,
  paidAt,
})

const receiptFacts = (checkout: Checkout, payment: Payment): MailFacts => ({
  kind: 'receipt',
  ...paymentFacts(checkout, payment),
  invoice: invoiceOf(checkout),
})

export const receiptMail = (checkout: Checkout, payment: Payment, receipt: ReceiptRequest): NewMail => ({
  ...refOf(checkout),
  kind: 'receipt',
  receipt,
  facts: receiptFacts(checkout, payment),
})

const REISSUE_INTERVAL_MS = 60_000

/** The receipt again. A second request within a minute is the same mail, so nobody can flood a shopper's mailbox. */
export const reissueMail = (checkout: Checkout, payment: Payment, receipt: ReceiptRequest, now: Instant): NewMail => ({
  ...receiptMail(checkout, payment, receipt),
  kind: 'reissue',
  about: String(Math.floor(now / REISSUE_INTERVAL_MS)),
})

/** The page has promised a mail: a doubt has ended, and nothing was charged. */
export const nothingChargedMail = (checkout: Checkout, attempt: Attempt, receipt: ReceiptRequest): NewMail => {
  const { mode, amountYen, subject } = checkout
  return {
    ...refOf(checkout),
    kind: 'nothing_charged',
    about: attempt.orderCode,
    receipt,
    facts: { kind: 'nothing_charged', mode, amountYen, subject, card: shownCard(attempt.card) },
  }
}

/** Null: the shopper's address is unknown. */
export const refundMail = (
  checkout: Checkout,
  refund: Refund,
  { receipt, refundedAt }: { readonly receipt: ReceiptRequest | null; readonly refundedAt: Instant },
): NewMail | null => {
  const { state } = checkout
  if (receipt === null || !('payment' in state)) return null
  return {
    ...refOf(checkout),
    kind: 'refund',
    about: refund.refundId,
    receipt,
    facts: {
      kind: 'refund',
      ...paymentFacts(checkout, state.payment),
      refundedYen: refund.amountYen,
      refundedAt,
      invoice: returnInvoiceOf(checkout, { taxes: refund.taxes, refundedAt }),
    },
  }
}
