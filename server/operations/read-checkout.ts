/** Read: a checkout as it stands, after the inquiry that is due. */
import type { Instant } from '#contract/jst.ts'
import { isPastDeadline, type CheckoutSnapshot } from '#payment/checkout.ts'
import type { CheckoutRef } from '#payment/references.ts'
import { errorFacts } from '../log.ts'
import type { Parts } from '../parts.ts'
import { lockIfFree, readCheckoutSnapshot } from '../store/transitions.ts'
import { expire } from './expire.ts'
import { inquireRefundsIfDue } from './refund.ts'
import { inquireIfDue } from './resolve-doubt.ts'

/** A checkout as it was at `now`, which is never later than the reading itself. */
export interface CheckoutReading extends CheckoutSnapshot {
  readonly now: Instant
}

/** `now` comes first: taken after the reading, it could pass the deadline that a claim in between has met. */
export const readNow = async ({ clock, database }: Parts, ref: CheckoutRef): Promise<CheckoutReading | null> => {
  const now = clock.now()
  const snapshot = await readCheckoutSnapshot(database, ref)
  return snapshot === null ? null : { ...snapshot, now }
}

const READ_INQUIRY_TIMEOUT_MS = 1000

/**
 * Reads a checkout for a shopper or a merchant. It makes the inquiry that is due but does not wait long for a slow acquirer,
 * and not at all for a row that another transaction holds: it would keep its connection even after we stop waiting, until
 * the pool is empty.
 */
export const readCheckout = async (parts: Parts, ref: CheckoutRef): Promise<CheckoutReading | null> => {
  const inquiries = [inquireIfDue(parts, ref, lockIfFree), inquireRefundsIfDue(parts, ref, { lock: lockIfFree })]
  const inquired = Promise.all(inquiries).catch((error: unknown) => {
    parts.log.warn('an inquiry failed', errorFacts(error))
  })
  await Promise.race([inquired, parts.clock.sleep(READ_INQUIRY_TIMEOUT_MS)])
  const reading = await readNow(parts, ref)
  return reading !== null && isPastDeadline(reading, reading.now) ? readExpired(parts, ref, reading.now) : reading
}

/**
 * A claim that met the deadline may not be committed yet: whoever is told "expired" now could be told "paid" later. So the
 * expiry is stored first, under the lock of the checkout; while another transaction holds it, nothing has expired.
 */
const readExpired = async (parts: Parts, ref: CheckoutRef, now: Instant): Promise<CheckoutReading | null> => {
  await expire(parts, ref)
  const snapshot = await readCheckoutSnapshot(parts.database, ref)
  return snapshot === null ? null : { ...snapshot, now: Math.min(now, snapshot.checkout.validUntil) }
}
