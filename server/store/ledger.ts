import type { Checkout, Payment } from '#payment/checkout.ts'
import type { Sql } from './database.ts'

/** The acquirer owes us what the shopper paid; we owe it to the merchant. The two lines add up to zero. */
export const bookCharge = async (sql: Sql, checkout: Checkout, payment: Payment): Promise<void> => {
  const lines = [
    { account: 'acquirer', amountYen: checkout.amountYen },
    { account: 'merchant', amountYen: -checkout.amountYen },
  ]
  for (const { account, amountYen } of lines) {
    await sql.rows(
      `INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      checkout.merchantId,
      `charge ${payment.orderCode}`,
      account,
      checkout.id,
      amountYen,
      payment.paidAt,
    )
  }
}
