/** Addresses of shoppers in the database: forgotten with time, and erased where somebody asks for it. */
import type { Instant } from '#contract/jst.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Database, Sql } from '../engine/database.ts'
import { text } from '../engine/columns.ts'

const FORGOTTEN_AT_ONCE = 50

/** Of attempts that have ended with a charge: their state holds where the receipt went. */
const emptyPaidAttempt = async (sql: Sql, { merchantId, checkoutId }: CheckoutRef): Promise<void> => {
  const rows = await sql.rows(
    `SELECT order_code, details FROM attempts WHERE merchant_id = $1 AND checkout_id = $2 AND state = 'charged'`,
    merchantId,
    checkoutId,
  )
  for (const row of rows)
    await sql.rows(
      `UPDATE attempts SET details = $4 WHERE merchant_id = $1 AND order_code = $2 AND details = $3`,
      merchantId,
      text(row, 'order_code'),
      text(row, 'details'),
      withoutAddress(text(row, 'details')),
    )
}

const isReceipt = (value: unknown): value is { email: string | null } =>
  typeof value === 'object' && value !== null && 'email' in value

const withoutAddress = (details: string): string =>
  JSON.stringify(JSON.parse(details), (key, value: unknown) =>
    key === 'receipt' && isReceipt(value) ? { ...value, email: null } : value,
  )

const OLD_ADDRESSES = `SELECT merchant_id, id FROM checkouts WHERE shopper_email IS NOT NULL AND created_at < $1
  ORDER BY created_at LIMIT $2`

/** Where the receipts of checkouts that were created before this time went. True when there may be more of them. */
export const forgetOldAddresses = async (database: Database, before: Instant): Promise<boolean> => {
  // Looked at first: a transaction takes the lock of SQLite also where there is nothing to forget.
  if ((await database.rows(OLD_ADDRESSES, before, 1)).length === 0) return false
  return database.transact(async (sql) => {
    const rows = await sql.rows(`${OLD_ADDRESSES} ${sql.skipLocked}`, before, FORGOTTEN_AT_ONCE)
    for (const row of rows) {
      const ref = { merchantId: text(row, 'merchant_id'), checkoutId: text(row, 'id') }
      await emptyPaidAttempt(sql, ref)
      await sql.rows(
        'UPDATE checkouts SET shopper_email = NULL WHERE merchant_id = $1 AND id = $2',
        ref.merchantId,
        ref.checkoutId,
      )
    }
    return rows.length === FORGOTTEN_AT_ONCE
  })
}
