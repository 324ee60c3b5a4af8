import type { ReceiptRequest } from '#payment/attempt.ts'
import { refOf, type Checkout } from '#payment/checkout.ts'
import type { CheckoutRef, OrderRef } from '#payment/refs.ts'
import type { Refund } from '#payment/refund.ts'
import type { Sql } from './database.ts'

/** Committed with what it tells of, so that a crash can neither lose the news nor spread news of what did not happen. */
interface Letter {
  readonly kind: 'webhook' | 'mail'
  readonly event: string
  /** Tells apart letters of one event about one checkout. */
  readonly about?: string
  readonly body: object
}

const post = async (sql: Sql, { merchantId, checkoutId }: CheckoutRef, letter: Letter, now: number): Promise<void> => {
  const about = letter.about === undefined ? '' : `.${letter.about}`
  await sql.rows(
    `INSERT INTO outbox (merchant_id, id, checkout_id, kind, event, body, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    merchantId,
    `${checkoutId}.${letter.event}${about}.${letter.kind}`,
    checkoutId,
    letter.kind,
    letter.event,
    JSON.stringify({ checkoutId, ...letter.body }),
    now,
  )
}

/** A checkout was closed: paid, refunded, cancelled, expired or failed. Each happens once. */
export const postClosed = (sql: Sql, checkout: Checkout, now: number): Promise<void> =>
  post(sql, refOf(checkout), { kind: 'webhook', event: `checkout.${checkout.state.status}`, body: {} }, now)

export const postReceipt = (sql: Sql, checkout: Checkout, receipt: ReceiptRequest, now: number): Promise<void> =>
  post(sql, refOf(checkout), { kind: 'mail', event: 'receipt', body: receipt }, now)

/** The shopper was told that we would write: a doubt has ended, and nothing was charged. */
export const postNothingCharged = (sql: Sql, order: OrderRef, receipt: ReceiptRequest, now: number): Promise<void> =>
  post(sql, order, { kind: 'mail', event: 'nothing_charged', about: order.orderCode, body: receipt }, now)

/** One letter to the merchant's server and, where we know the shopper's address, one to the shopper. */
export const postRefunded = async (
  sql: Sql,
  refund: Refund,
  receipt: ReceiptRequest | null,
  now: number,
): Promise<void> => {
  const { refundId, amountYen } = refund
  const letter = { event: 'refund', about: refundId }
  const body = { refundId, amountYen }
  await post(sql, refund, { ...letter, kind: 'webhook', body }, now)
  if (receipt !== null) await post(sql, refund, { ...letter, kind: 'mail', body: { ...body, ...receipt } }, now)
}
