import type { ReceiptWish } from '#payment/attempt.ts'
import type { Checkout } from '#payment/checkout.ts'
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

const post = async (sql: Sql, checkout: Checkout, letter: Letter, now: number): Promise<void> => {
  const about = letter.about === undefined ? '' : `.${letter.about}`
  await sql.rows(
    `INSERT INTO outbox (merchant_id, id, checkout_id, kind, event, body, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    checkout.merchantId,
    `${checkout.id}.${letter.event}${about}.${letter.kind}`,
    checkout.id,
    letter.kind,
    letter.event,
    JSON.stringify({ checkoutId: checkout.id, ...letter.body }),
    now,
  )
}

/** A checkout was closed: paid, refunded, cancelled, expired or failed. Each happens once. */
export const postClosed = (sql: Sql, checkout: Checkout, now: number): Promise<void> =>
  post(sql, checkout, { kind: 'webhook', event: `checkout.${checkout.state.status}`, body: {} }, now)

export const postReceipt = (sql: Sql, checkout: Checkout, receipt: ReceiptWish, now: number): Promise<void> =>
  post(sql, checkout, { kind: 'mail', event: 'receipt', body: receipt }, now)

/** The shopper was told that we would write: a doubt has ended, and nothing was charged. */
export const postNothingCharged = (
  sql: Sql,
  checkout: Checkout,
  orderCode: string,
  receipt: ReceiptWish,
  now: number,
): Promise<void> =>
  post(sql, checkout, { kind: 'mail', event: 'nothing_charged', about: orderCode, body: receipt }, now)

/** One letter to the merchant's server and, where we know the shopper's address, one to the shopper. */
export const postRefunded = async (
  sql: Sql,
  checkout: Checkout,
  { refundId, amountYen }: Refund,
  receipt: ReceiptWish | null,
  now: number,
): Promise<void> => {
  const letter = { event: 'refund', about: refundId }
  const body = { refundId, amountYen }
  await post(sql, checkout, { ...letter, kind: 'webhook', body }, now)
  if (receipt !== null) await post(sql, checkout, { ...letter, kind: 'mail', body: { ...body, ...receipt } }, now)
}
