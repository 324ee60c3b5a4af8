/** Late day marks: name the days whose figures a transaction changes after they are over, so that the worker sums them again. */
import type { Instant } from '#contract/jst.ts'
import type { Attempt } from '#payment/attempt.ts'
import type { Checkout } from '#payment/checkout.ts'
import { lateDays } from '#payment/day-figures.ts'
import type { Write } from '../engine/database.ts'
import { insertRows } from '../engine/write.ts'
import type { Booking } from './ledger.ts'

/** A checkout with its attempts, as they stand behind its lock. */
interface Standing {
  readonly checkout: Checkout
  readonly attempts: readonly Attempt[]
  readonly version: number
}

const COLUMNS = ['merchant_id', 'mode', 'day', 'checkout_id', 'version']

/** The attempts of a checkout once these next states are stored. */
const afterwards = (standing: readonly Attempt[], next: readonly Attempt[]): Attempt[] => [
  ...standing.filter(({ orderCode }) => next.every((attempt) => attempt.orderCode !== orderCode)),
  ...next,
]

/** No statement for what changes today's figures alone, which is nearly every payment. */
export const lateDaysWrite = (
  { checkout: { merchantId, id, mode }, attempts, version }: Standing,
  next: { readonly attempts: readonly Attempt[]; readonly bookings: readonly Booking[] },
  now: Instant,
): Write[] => {
  const days = lateDays({
    before: attempts,
    after: afterwards(attempts, next.attempts),
    bookedAt: next.bookings.map(({ bookedAt }) => bookedAt),
    now,
  })
  return insertRows(
    'day_figures_late',
    COLUMNS,
    days.map((day) => [merchantId, mode, day, id, version]),
  )
}
