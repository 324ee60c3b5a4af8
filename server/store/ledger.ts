import type { Checkout, Payment } from '#payment/checkout.ts'
import type { Refund } from '#payment/refund.ts'
import type { Sql } from './database.ts'

interface Entry {
  readonly merchantId: string
  readonly checkoutId: string
  readonly name: string
  /** What the acquirer owes us after it, more or less than before; we owe the merchant as much. */
  readonly amountYen: number
  readonly bookedAt: number
}

/** The two lines of an entry add up to zero. Its name is a key: what is booked twice is refused. */
const book = async (sql: Sql, { merchantId, checkoutId, name, amountYen, bookedAt }: Entry): Promise<void> => {
  const lines = [
    { account: 'acquirer', lineYen: amountYen },
    { account: 'merchant', lineYen: -amountYen },
  ]
  for (const { account, lineYen } of lines) {
    await sql.rows(
      `INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      merchantId,
      name,
      account,
      checkoutId,
      lineYen,
      bookedAt,
    )
  }
}

export const bookCharge = (sql: Sql, checkout: Checkout, payment: Payment): Promise<void> =>
  book(sql, {
    merchantId: checkout.merchantId,
    checkoutId: checkout.id,
    name: `charge ${payment.orderCode}`,
    amountYen: checkout.amountYen,
    bookedAt: payment.paidAt,
  })

export const bookRefund = (sql: Sql, refund: Refund, refundedAt: number): Promise<void> =>
  book(sql, {
    merchantId: refund.merchantId,
    checkoutId: refund.checkoutId,
    name: `refund ${refund.orderCode} ${refund.refundId}`,
    amountYen: -refund.amountYen,
    bookedAt: refundedAt,
  })
