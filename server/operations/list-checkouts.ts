/** List of a merchant's checkouts, all of them page by page, and the details of one. */
import { isPastDeadline, refOf } from '#payment/checkout.ts'
import type { SearchTerm } from '#payment/checkout-search.ts'
import type { CheckoutDetails } from '#payment/merchant-view.ts'
import type { Dependencies } from '../dependencies.ts'
import { findPayingAttempt } from '../store/checkout/attempts.ts'
import type { CheckoutFilters } from '../store/checkout/checkout-list-conditions.ts'
import { listCheckouts as listFiltered, type ListedCheckout } from '../store/checkout/checkout-list.ts'
import { searchCheckouts } from '../store/checkout/checkout-search.ts'
import type { KeyScope } from '../store/merchant/keys.ts'
import type { NextPiece } from '../store/reports/movements.ts'
import { findPastDeadlineOf } from '../store/checkout/due-checkouts.ts'
import type { ListPage, PageRequest, Place } from '../store/engine/list-page.ts'
import { expire } from './expire.ts'
import { disputesOfCheckout } from '../store/checkout/disputes.ts'
import type { ReadingWithRefunds } from './read-checkout.ts'

/** The worker stores expiries each second. A list stores only those that the worker has not reached yet. */
const EXPIRED_AT_ONCE = 50

/** What a list is asked for. `terms`: what a searched text may mean; null: no text is searched. */
export interface ListedBy {
  readonly filters: CheckoutFilters
  readonly terms: readonly SearchTerm[] | null
}

/**
 * A list shows what a reading of each checkout would show. So an expiry is stored before it is listed (no reader is told expired
 * and then paid), and no checkout is listed as open past its deadline, unless another transaction holds it.
 */
export const listCheckouts = async (
  deps: Dependencies,
  scope: KeyScope,
  { filters, terms }: ListedBy,
  page: PageRequest,
): Promise<ListPage<ListedCheckout>> => {
  const now = deps.clock.now()
  const listStored = (): Promise<ListPage<ListedCheckout>> =>
    terms === null
      ? listFiltered(deps.database, scope, filters, page, now)
      : searchCheckouts(deps.database, scope, { terms, filters }, page, now)
  if (filters.status === 'expired')
    for (const ref of await findPastDeadlineOf(deps.database, scope, now, EXPIRED_AT_ONCE)) await expire(deps, ref)
  const listed = await listStored()
  const past = listed.items.filter((each) => isPastDeadline(each, now))
  if (past.length === 0) return listed
  for (const { checkout } of past) await expire(deps, refOf(checkout))
  return listStored()
}

/** Rows of one page: they are read and written in a few milliseconds; then payments get their turn. */
const AT_ONCE = 100

/** All that are asked for, page by page: a year is never in memory at once. */
export async function* checkoutPages(
  deps: Dependencies,
  scope: KeyScope,
  listedBy: ListedBy,
  nextPiece: NextPiece,
): AsyncGenerator<readonly ListedCheckout[], void> {
  let after: Place | null = null
  do {
    await nextPiece()
    const page: ListPage<ListedCheckout> = await listCheckouts(deps, scope, listedBy, { after, limit: AT_ONCE })
    yield page.items
    after = page.after
  } while (after !== null)
}

export const withPayingAttempt = async (deps: Dependencies, reading: ReadingWithRefunds): Promise<CheckoutDetails> => {
  const { checkout, inFlight } = reading
  const orderCode = 'payment' in checkout.state ? checkout.state.payment.orderCode : inFlight?.orderCode
  const paying = orderCode === undefined ? null : await findPayingAttempt(deps.database, checkout.merchantId, orderCode)
  const disputes = checkout.state.status === 'open' ? [] : await disputesOfCheckout(deps.database, refOf(checkout))
  return { ...reading, paying, disputes }
}
