/** List of a merchant's checkouts, and the details of one. */
import { isPastDeadline, refOf } from '#payment/checkout.ts'
import type { CheckoutDetails } from '#payment/merchant-view.ts'
import type { Dependencies } from '../dependencies.ts'
import { findPayingAttempt } from '../store/checkout/attempts.ts'
import {
  listCheckouts as listStored,
  type CheckoutFilters,
  type ListedCheckout,
} from '../store/checkout/checkout-list.ts'
import type { KeyScope } from '../store/merchant/keys.ts'
import { findPastDeadlineOf } from '../store/checkout/due-checkouts.ts'
import type { ListPage, PageRequest } from '../store/engine/list-page.ts'
import { expire } from './expire.ts'
import { disputesOfCheckout } from '../store/checkout/disputes.ts'
import type { ReadingWithRefunds } from './read-checkout.ts'

/** The worker stores expiries each second. A list stores only those that the worker has not reached yet. */
const EXPIRED_AT_ONCE = 50

/**
 * A list shows what a reading of each checkout would show. So an expiry is stored before it is listed (no reader is told expired
 * and then paid), and no checkout is listed as open past its deadline, unless another transaction holds it.
 */
export const listCheckouts = async (
  deps: Dependencies,
  scope: KeyScope,
  filters: CheckoutFilters,
  page: PageRequest,
): Promise<ListPage<ListedCheckout>> => {
  const now = deps.clock.now()
  if (filters.status === 'expired')
    for (const ref of await findPastDeadlineOf(deps.database, scope, now, EXPIRED_AT_ONCE)) await expire(deps, ref)
  const listed = await listStored(deps.database, scope, filters, page, now)
  const past = listed.items.filter((each) => isPastDeadline(each, now))
  if (past.length === 0) return listed
  for (const { checkout } of past) await expire(deps, refOf(checkout))
  return listStored(deps.database, scope, filters, page, now)
}

export const withPayingAttempt = async (deps: Dependencies, reading: ReadingWithRefunds): Promise<CheckoutDetails> => {
  const { checkout, inFlight } = reading
  const orderCode = 'payment' in checkout.state ? checkout.state.payment.orderCode : inFlight?.orderCode
  const paying = orderCode === undefined ? null : await findPayingAttempt(deps.database, checkout.merchantId, orderCode)
  const disputes = checkout.state.status === 'open' ? [] : await disputesOfCheckout(deps.database, refOf(checkout))
  return { ...reading, paying, disputes }
}
