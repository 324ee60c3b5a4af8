import type { ReceiptWish } from '#payment/attempt.ts'
import type { Checkout } from '#payment/checkout.ts'
import type { Sql } from './database.ts'

interface Letter {
  readonly kind: 'webhook' | 'mail'
  readonly event: string
  readonly body: object
}

const post = async (sql: Sql, checkout: Checkout, letter: Letter, now: number): Promise<void> => {
  await sql.rows(
    `INSERT INTO outbox (merchant_id, id, checkout_id, kind, event, body, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    checkout.merchantId,
    `${checkout.id}.${letter.event}.${letter.kind}`,
    checkout.id,
    letter.kind,
    letter.event,
    JSON.stringify(letter.body),
    now,
  )
}

/** Committed with the payment itself, so that a crash can neither lose the news nor spread news of what did not happen. */
export const postPaid = async (sql: Sql, checkout: Checkout, receipt: ReceiptWish, now: number): Promise<void> => {
  await post(sql, checkout, { kind: 'webhook', event: 'checkout.paid', body: { checkoutId: checkout.id } }, now)
  await post(
    sql,
    checkout,
    { kind: 'mail', event: 'checkout.paid', body: { checkoutId: checkout.id, ...receipt } },
    now,
  )
}
