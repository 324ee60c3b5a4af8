/** Outbox: webhooks and mails, committed with the transition that they report. */
import type { ReceiptRequest } from '#payment/attempt.ts'
import { refOf, type Checkout } from '#payment/checkout.ts'
import type { CheckoutRef, OrderRef } from '#payment/references.ts'
import type { Refund } from '#payment/refund.ts'
import type { Sql } from './database.ts'

/** Committed with what it reports: a crash can neither lose it nor report what did not happen. */
interface OutboxMessage {
  readonly kind: 'webhook' | 'mail'
  readonly event: string
  /** Tells messages of one event about one checkout apart. */
  readonly about?: string
  readonly body: object
}

const insertMessage = async (
  sql: Sql,
  { merchantId, checkoutId }: CheckoutRef,
  message: OutboxMessage,
  now: number,
): Promise<void> => {
  const about = message.about === undefined ? '' : `.${message.about}`
  await sql.rows(
    `INSERT INTO outbox (merchant_id, id, checkout_id, kind, event, body, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    merchantId,
    `${checkoutId}.${message.event}${about}.${message.kind}`,
    checkoutId,
    message.kind,
    message.event,
    JSON.stringify({ checkoutId, ...message.body }),
    now,
  )
}

/** A checkout was closed: paid, refunded, cancelled, expired or failed. Each happens once. */
export const postCheckoutClosed = (sql: Sql, checkout: Checkout, now: number): Promise<void> =>
  insertMessage(sql, refOf(checkout), { kind: 'webhook', event: `checkout.${checkout.state.status}`, body: {} }, now)

export const postReceipt = (sql: Sql, checkout: Checkout, receipt: ReceiptRequest, now: number): Promise<void> =>
  insertMessage(sql, refOf(checkout), { kind: 'mail', event: 'receipt', body: receipt }, now)

/** The page has promised a mail: a doubt has ended, and nothing was charged. */
export const postNothingCharged = (sql: Sql, order: OrderRef, receipt: ReceiptRequest, now: number): Promise<void> =>
  insertMessage(sql, order, { kind: 'mail', event: 'nothing_charged', about: order.orderCode, body: receipt }, now)

/** A webhook to the merchant's server and, where we know the shopper's address, a mail to the shopper. */
export const postRefund = async (
  sql: Sql,
  refund: Refund,
  receipt: ReceiptRequest | null,
  now: number,
): Promise<void> => {
  const { refundId, amountYen } = refund
  const message = { event: 'refund', about: refundId }
  const body = { refundId, amountYen }
  await insertMessage(sql, refund, { ...message, kind: 'webhook', body }, now)
  if (receipt !== null)
    await insertMessage(sql, refund, { ...message, kind: 'mail', body: { ...body, ...receipt } }, now)
}

/** Cards are being tried out at this merchant; the checkout is the one whose decline showed it. */
export const postCardTesting = (
  sql: Sql,
  ref: CheckoutRef,
  { mode, brakedUntil }: { readonly mode: string; readonly brakedUntil: number },
  now: number,
): Promise<void> =>
  insertMessage(
    sql,
    ref,
    { kind: 'webhook', event: 'alert.card_testing', about: String(now), body: { mode, brakedUntil } },
    now,
  )
