/** Two ways to read a checkout: as it is stored, and after the inquiries that are due. */
import type { MerchantMode } from '#contract/access.ts'
import { inquiryDue } from '#payment/attempt.ts'
import { isPastDeadline, type CheckoutReading } from '#payment/checkout.ts'
import type { CheckoutRef } from '#payment/references.ts'
import { refundInquiryDue, type Refund } from '#payment/refund.ts'
import { errorFacts } from '../log.ts'
import type { Dependencies } from '../dependencies.ts'
import { readCheckoutSnapshot } from '../store/checkout/checkout-reads.ts'
import { refundsOfCheckout } from '../store/checkout/refunds.ts'
import { lockIfFree } from '../store/checkout/transitions.ts'
import { expire } from './expire.ts'
import { inquireRefundsIfDue } from './refund.ts'
import { inquireIfDue } from './resolve-doubt.ts'

/** Reads a checkout as it is stored. `now` is taken first: taken later, it could pass a deadline that a claim has just met. */
export const readCheckout = async (
  { clock, database }: Dependencies,
  ref: CheckoutRef,
): Promise<CheckoutReading | null> => {
  const now = clock.now()
  const snapshot = await readCheckoutSnapshot(database, ref)
  return snapshot === null ? null : { ...snapshot, now }
}

export interface ReadingWithRefunds extends CheckoutReading {
  readonly refunds: readonly Refund[]
}

const readWithRefunds = async (deps: Dependencies, ref: CheckoutRef): Promise<ReadingWithRefunds | null> => {
  const reading = await readCheckout(deps, ref)
  if (reading === null) return null
  // Only a paid checkout can have refunds.
  const isPaid = 'payment' in reading.checkout.state
  return { ...reading, refunds: isPaid ? await refundsOfCheckout(deps.database, ref) : [] }
}

const isInquiryDue = ({ inFlight, refunds, now }: ReadingWithRefunds): boolean =>
  (inFlight !== null && inquiryDue(inFlight, now) !== undefined) ||
  refunds.some((refund) => refundInquiryDue(refund, now) !== undefined)

const READ_INQUIRY_TIMEOUT_MS = 1000

/**
 * Makes the inquiries that are due. It waits one second for a slow acquirer, and not at all for a row that another transaction
 * holds: such a wait keeps its connection after the reader has gone, until the pool is empty.
 */
const inquireForReader = async (deps: Dependencies, ref: CheckoutRef, reading: ReadingWithRefunds): Promise<void> => {
  const inquiries = [
    inquireIfDue(deps, reading, lockIfFree),
    inquireRefundsIfDue(deps, ref, reading.refunds, { lock: lockIfFree }),
  ]
  const inquired = Promise.all(inquiries).catch((error: unknown) => {
    deps.log.warn('an inquiry failed', errorFacts(error))
  })
  await Promise.race([inquired, deps.clock.sleep(READ_INQUIRY_TIMEOUT_MS)])
}

/**
 * Reads a checkout for a shopper or a merchant after the inquiries that are due. `mode`: that of the merchant's key, which
 * reads no checkout of the other mode; without it any mode is read.
 */
export const readAfterInquiry = async (
  deps: Dependencies,
  { merchantId, checkoutId, mode }: CheckoutRef & { readonly mode?: MerchantMode },
): Promise<ReadingWithRefunds | null> => {
  const ref = { merchantId, checkoutId }
  let reading = await readWithRefunds(deps, ref)
  if (mode !== undefined && reading?.checkout.mode !== mode) return null
  if (reading !== null && isInquiryDue(reading)) {
    await inquireForReader(deps, ref, reading)
    reading = await readWithRefunds(deps, ref)
  }
  if (reading === null || !isPastDeadline(reading, reading.now)) return reading
  // A claim that met the deadline may not be committed yet: told "expired" now, the reader could be told "paid" later. So the
  // expiry is stored first, under the lock of the checkout. While another transaction holds it, nothing has expired.
  await expire(deps, ref)
  const stored = await readWithRefunds(deps, ref)
  return stored === null ? null : { ...stored, now: Math.min(reading.now, stored.checkout.validUntil) }
}
