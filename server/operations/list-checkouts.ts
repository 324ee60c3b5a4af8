/** Lists and details for a merchant: what its key reaches, with expiries stored first. */
import type { CheckoutStatus } from '#contract/checkout.ts'
import type { Parts } from '../parts.ts'
import { findPayingAttempt, type PayingAttempt } from '../store/attempts.ts'
import {
  listCheckouts as listStored,
  type CheckoutFilters,
  type KeyScope,
  type ListedCheckout,
} from '../store/checkout-list.ts'
import { findPastDeadlineOf } from '../store/due.ts'
import type { ListPage, PageRequest } from '../store/list-page.ts'
import { expire } from './expire.ts'
import { readCheckout, type ReadingWithRefunds } from './read-checkout.ts'

/** The worker stores expiries each second. What a list stores itself is what that has not come to yet. */
const EXPIRED_AT_ONCE = 50

const MAY_EXPIRE: readonly (CheckoutStatus | undefined)[] = [undefined, 'open', 'expired']

/**
 * A list filters by what is stored. So whatever has expired is stored first, as for every reader (a reading never says
 * expired and then paid): a merchant finds under `expired` what it would read as expired.
 */
export const listCheckouts = async (
  parts: Parts,
  scope: KeyScope,
  filters: CheckoutFilters,
  page: PageRequest,
): Promise<ListPage<ListedCheckout>> => {
  if (MAY_EXPIRE.includes(filters.status)) {
    const past = await findPastDeadlineOf(parts.database, scope, parts.clock.now(), EXPIRED_AT_ONCE)
    for (const ref of past) await expire(parts, ref)
  }
  return listStored(parts.database, scope, filters, page)
}

export interface CheckoutDetails extends ReadingWithRefunds {
  /** The attempt that has paid or may be paying; null where there is none. */
  readonly paying: PayingAttempt | null
}

/** Null for the checkout of another merchant or mode. */
export const readOwnCheckout = async (
  parts: Parts,
  { merchantId, mode }: KeyScope,
  checkoutId: string,
): Promise<ReadingWithRefunds | null> => {
  const reading = await readCheckout(parts, { merchantId, checkoutId })
  return reading === null || reading.checkout.mode !== mode ? null : reading
}

export const withPayingAttempt = async (parts: Parts, reading: ReadingWithRefunds): Promise<CheckoutDetails> => {
  const { checkout, inFlight } = reading
  const orderCode = 'payment' in checkout.state ? checkout.state.payment.orderCode : inFlight?.orderCode
  const paying =
    orderCode === undefined ? null : await findPayingAttempt(parts.database, checkout.merchantId, orderCode)
  return { ...reading, paying }
}
