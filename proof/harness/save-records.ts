/** Saved records: puts merchants, checkouts, attempts and refunds into a database in whatever state a test needs, past every rule. */
import type { Attempt } from '#payment/attempt.ts'
import type { Checkout } from '#payment/checkout.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Refund } from '#payment/refund.ts'
import { attemptsWrite } from '../../server/store/checkout/attempts.ts'
import { checkoutStateWrite, newCheckoutWrite } from '../../server/store/checkout/checkouts.ts'
import type { Sql } from '../../server/store/engine/database.ts'
import { findMerchant, insertMerchant, type Merchant, type NewMerchant } from '../../server/store/merchant/merchants.ts'
import { readCheckoutSnapshot } from '../../server/store/checkout/checkout-reads.ts'
import { refundsWrite } from '../../server/store/checkout/refunds.ts'

export const insertCheckout = (sql: Sql, checkout: Checkout): Promise<void> => sql.writeAll(newCheckoutWrite(checkout))

export const saveCheckoutState = (sql: Sql, checkout: Checkout): Promise<void> =>
  sql.writeAll([checkoutStateWrite(checkout, 0)])

export const saveAttempt = (sql: Sql, attempt: Attempt): Promise<void> =>
  sql.writeAll(attemptsWrite([attempt], attempt.startedAt))

export const saveRefund = (sql: Sql, refund: Refund): Promise<void> => sql.writeAll(refundsWrite([refund], 'test'))

export const findCheckout = async (sql: Sql, ref: CheckoutRef): Promise<Checkout | null> =>
  (await readCheckoutSnapshot(sql, ref))?.checkout ?? null

/** The attempt of an open checkout whose money may be moving. */
export const findInFlight = async (sql: Sql, ref: CheckoutRef): Promise<Attempt | null> =>
  (await readCheckoutSnapshot(sql, ref))?.inFlight ?? null

/** With these settings, whatever it had before; one that is stored already keeps its id. */
export const saveMerchant = async (sql: Sql, merchant: NewMerchant, now: number): Promise<Merchant> => {
  await insertMerchant(sql, merchant, now)
  const settings = JSON.stringify(merchant.settings)
  await sql.rows('UPDATE merchants SET settings = $1 WHERE label = $2', settings, merchant.label)
  const saved = await findMerchant(sql, merchant.label)
  if (saved === null) throw new Error('a saved merchant came back empty')
  return saved
}
