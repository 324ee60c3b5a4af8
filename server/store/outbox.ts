/** Outbox: mails, committed with the transition that they report. Webhooks: events.ts. */
import type { ReceiptRequest } from '#payment/attempt.ts'
import { refOf, type Checkout } from '#payment/checkout.ts'
import type { CheckoutRef, OrderRef } from '#payment/references.ts'
import type { Refund } from '#payment/refund.ts'
import type { SqlValue, Write } from './database.ts'
import { insertRows } from './write.ts'

/** Committed with what it reports: a crash can neither lose it nor report what did not happen. */
export interface OutboxMessage extends CheckoutRef {
  readonly kind: 'mail'
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

/** A mail to the shopper, where we know an address. */
export const refundMessages = (refund: Refund, receipt: ReceiptRequest | null): OutboxMessage[] => {
  const { merchantId, checkoutId, refundId, amountYen } = refund
  const message = { merchantId, checkoutId, event: 'refund', about: refundId }
  return receipt === null ? [] : [{ ...message, kind: 'mail', body: { refundId, amountYen, ...receipt } }]
}
