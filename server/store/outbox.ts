/** Outbox: webhooks and mails, committed with the transition that they report. */
import type { ReceiptRequest } from '#payment/attempt.ts'
import { refOf, type Checkout } from '#payment/checkout.ts'
import type { CheckoutRef, OrderRef } from '#payment/references.ts'
import type { Refund } from '#payment/refund.ts'
import type { SqlValue, Write } from './database.ts'
import { insertRows } from './write.ts'

/** Committed with what it reports: a crash can neither lose it nor report what did not happen. */
export interface OutboxMessage extends CheckoutRef {
  readonly kind: 'webhook' | 'mail'
  readonly event: string
  /** Tells messages of one event about one checkout apart. */
  readonly about?: string
  readonly body: object
}

const COLUMNS = ['merchant_id', 'id', 'checkout_id', 'kind', 'event', 'body', 'created_at']

const rowOf = ({ merchantId, checkoutId, kind, event, about, body }: OutboxMessage, now: number): SqlValue[] => [
  merchantId,
  `${checkoutId}.${event}${about === undefined ? '' : `.${about}`}.${kind}`,
  checkoutId,
  kind,
  event,
  JSON.stringify({ checkoutId, ...body }),
  now,
]

export const messagesWrite = (messages: readonly OutboxMessage[], now: number): Write[] =>
  insertRows(
    'outbox',
    COLUMNS,
    messages.map((message) => rowOf(message, now)),
  )

/** A checkout was closed: paid, refunded, cancelled, expired or failed. Each happens once. */
export const checkoutClosedMessage = (checkout: Checkout): OutboxMessage => ({
  ...refOf(checkout),
  kind: 'webhook',
  event: `checkout.${checkout.state.status}`,
  body: {},
})

export const receiptMessage = (checkout: Checkout, receipt: ReceiptRequest): OutboxMessage => ({
  ...refOf(checkout),
  kind: 'mail',
  event: 'receipt',
  body: receipt,
})

/** The page has promised a mail: a doubt has ended, and nothing was charged. */
export const nothingChargedMessage = (
  { merchantId, checkoutId, orderCode }: OrderRef,
  receipt: ReceiptRequest,
): OutboxMessage => ({
  merchantId,
  checkoutId,
  kind: 'mail',
  event: 'nothing_charged',
  about: orderCode,
  body: receipt,
})

/** A webhook to the merchant's server and, where we know the shopper's address, a mail to the shopper. */
export const refundMessages = (refund: Refund, receipt: ReceiptRequest | null): OutboxMessage[] => {
  const { merchantId, checkoutId, refundId, amountYen } = refund
  const message = { merchantId, checkoutId, event: 'refund', about: refundId }
  const body = { refundId, amountYen }
  const webhook = { ...message, kind: 'webhook', body } as const
  return receipt === null ? [webhook] : [webhook, { ...message, kind: 'mail', body: { ...body, ...receipt } }]
}

/** Cards are being tried out at this merchant; the checkout is the one whose decline showed it. */
export const cardTestingMessage = (
  ref: CheckoutRef,
  { mode, brakedUntil, now }: { readonly mode: string; readonly brakedUntil: number; readonly now: number },
): OutboxMessage => ({
  ...ref,
  kind: 'webhook',
  event: 'alert.card_testing',
  about: String(now),
  body: { mode, brakedUntil },
})
