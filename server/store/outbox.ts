/** Outbox: webhooks, committed with the transition that they report. */
import { refOf, type Checkout } from '#payment/checkout.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Refund } from '#payment/refund.ts'
import type { SqlValue, Write } from './database.ts'
import { insertRows } from './write.ts'

/** Committed with what it reports: a crash can neither lose it nor report what did not happen. */
export interface OutboxMessage extends CheckoutRef {
  readonly kind: 'webhook'
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

/** A webhook to the merchant's server. */
export const refundMessage = ({ merchantId, checkoutId, refundId, amountYen }: Refund): OutboxMessage => ({
  merchantId,
  checkoutId,
  kind: 'webhook',
  event: 'refund',
  about: refundId,
  body: { refundId, amountYen },
})

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
