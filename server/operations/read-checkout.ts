/** Read: a checkout as it stands, after the inquiry that is due. */
import type { Instant } from '#contract/jst.ts'
import type { MerchantMode } from '#contract/access.ts'
import { inquiryDue } from '#payment/attempt.ts'
import { isPastDeadline } from '#payment/checkout.ts'
import type { CheckoutReading } from '#payment/merchant-view.ts'
import type { CheckoutRef } from '#payment/references.ts'
import { refundInquiryDue, type Refund } from '#payment/refund.ts'
import { errorFacts } from '../log.ts'
import type { Dependencies } from '../dependencies.ts'
import { readCheckoutSnapshot } from '../store/checkout/readings.ts'
import { refundsOfCheckout } from '../store/checkout/refunds.ts'
import { lockIfFree } from '../store/checkout/transitions.ts'
import { expire } from './expire.ts'
import { inquireRefundsIfDue } from './refund.ts'
import { inquireIfDue } from './resolve-doubt.ts'

/** `now` comes first: taken after the reading, it could pass the deadline that a claim in between has met. */
export const readNow = async ({ clock, database }: Dependencies, ref: CheckoutRef): Promise<CheckoutReading | null> => {
  const now = clock.now()
  const snapshot = await readCheckoutSnapshot(database, ref)
  return snapshot === null ? null : { ...snapshot, now }
}

/** As it stands after the inquiry that is due, for whoever goes on with it. */
export const readAfterInquiry = async (deps: Dependencies, ref: CheckoutRef): Promise<CheckoutReading | null> => {
  const reading = await readNow(deps, ref)
  return (await inquireIfDue(deps, reading)) ? readNow(deps, ref) : reading
}

export interface ReadingWithRefunds extends CheckoutReading {
  readonly refunds: readonly Refund[]
}

const readWithRefunds = async (deps: Dependencies, ref: CheckoutRef): Promise<ReadingWithRefunds | null> => {
  const reading = await readNow(deps, ref)
  if (reading === null) return null
  // Only what was paid can have been given back.
  const isPaid = 'payment' in reading.checkout.state
  return { ...reading, refunds: isPaid ? await refundsOfCheckout(deps.database, ref) : [] }
}

const isInquiryDue = ({ inFlight, refunds, now }: ReadingWithRefunds): boolean =>
  (inFlight !== null && inquiryDue(inFlight, now) !== undefined) ||
  refunds.some((refund) => refundInquiryDue(refund, now) !== undefined)

const READ_INQUIRY_TIMEOUT_MS = 1000

/**
 * Makes the inquiries that are due, but does not wait long for a slow acquirer, and not at all for a row that another
 * transaction holds: it would keep its connection even after we stop waiting, until the pool is empty.
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
 * Reads a checkout for a shopper or a merchant, once; a second time after the inquiries that were due. To a key one of the other
 * mode is none: nothing is inquired about it.
 */
export const readCheckout = async (
  deps: Dependencies,
  ref: CheckoutRef,
  mode?: MerchantMode,
): Promise<ReadingWithRefunds | null> => {
  let reading = await readWithRefunds(deps, ref)
  if (mode !== undefined && reading?.checkout.mode !== mode) return null
  if (reading !== null && isInquiryDue(reading)) {
    await inquireForReader(deps, ref, reading)
    reading = await readWithRefunds(deps, ref)
  }
  return reading !== null && isPastDeadline(reading, reading.now) ? readExpired(deps, ref, reading.now) : reading
}

/**
 * A claim that met the deadline may not be committed yet: whoever is told "expired" now could be told "paid" later. So the
 * expiry is stored first, under the lock of the checkout; while another transaction holds it, nothing has expired.
 */
const readExpired = async (deps: Dependencies, ref: CheckoutRef, now: Instant): Promise<ReadingWithRefunds | null> => {
  await expire(deps, ref)
  const reading = await readWithRefunds(deps, ref)
  return reading === null ? null : { ...reading, now: Math.min(now, reading.checkout.validUntil) }
}
