/** Lists and details for a merchant: what its key reaches, with expiries stored first. */
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
import type { ReadingWithRefunds } from './read-checkout.ts'

/** The worker stores expiries each second. What a list stores itself is what that has not come to yet. */
const EXPIRED_AT_ONCE = 50

/**
 * A list tells what a reading of each checkout would tell. So nothing is listed as expired before that is stored, as for every
 * reader (a reading never says expired and then paid), nor as open past its deadline, unless somebody holds it.
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
  return { ...reading, paying }
}
