/**
 * Opened checkouts of reusable links, before a card is sent: nothing of them is stored. Their id says which link, which amount and
 * when, and the rest is read from the link. The start of the first attempt stores the checkout together with the attempt.
 */
import { domainToUnicode } from 'node:url'
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import { refOf, type Checkout, type CheckoutReading } from '#payment/checkout.ts'
import { canBeOpenedAt, openedCheckout, type ReusableLink } from '#payment/reusable-link.ts'
import type { Dependencies } from '../../dependencies.ts'
import { openedIdOf, readOpenedId } from '../../ids.ts'
import { storeOpenedCheckout } from '../../store/checkout/checkouts.ts'
import { findOpenedLink, type OpenedLink } from '../../store/checkout/reusable-links.ts'
import { lockCheckout } from '../../store/checkout/transitions.ts'
import type { Merchant } from '../../store/merchant/merchants.ts'
import { withLockedCheckout, type CheckoutDependencies, type CheckoutTransaction } from '../locked-checkout.ts'
import { readAfterInquiry, type ReadingWithRefunds } from '../read-checkout.ts'

type Shop = Pick<Merchant, 'id' | 'settings'>

/** What a visitor asks for. `form`: the id of the drawn form. */
interface Visit {
  readonly yen: number
  readonly form: string
}

/**
 * The id of the checkout that a visitor opens. It is made of the form and the amount: a second click, and a visitor who comes back
 * to the form after paying, reach the same checkout and do not pay twice. A refusal: the link can no longer be paid so.
 */
export const openByVisitor = (
  { clock }: Pick<Dependencies, 'clock'>,
  { settings }: Pick<Shop, 'settings'>,
  { link, acquirer }: OpenedLink,
  { yen, form }: Visit,
): string | Refusal => {
  const id = openedIdOf(link.id, yen, form)
  const given = { id, now: clock.now(), settings, acquirer, unicodeHost: domainToUnicode }
  const checkout = openedCheckout(link, readOpenedId(id), given)
  return checkout !== undefined && isRefusal(checkout) ? checkout : id
}

interface Opened {
  readonly link: ReusableLink
  readonly reading: ReadingWithRefunds
}

/** The checkout that this id says; null: it says none. To be called where no checkout of this id is stored. */
export const findOpened = async (
  { clock, database }: Pick<Dependencies, 'clock' | 'database'>,
  { id: merchantId, settings }: Shop,
  checkoutId: string,
): Promise<Opened | null> => {
  const now = clock.now()
  const { linkPrefix, ...said } = readOpenedId(checkoutId)
  // Before anything is read: almost every id that was made up says a time to come.
  if (!canBeOpenedAt(said.openedAt, null, now)) return null
  const found = await findOpenedLink(database, merchantId, linkPrefix)
  if (found === null || !canBeOpenedAt(said.openedAt, found.restoredAt, now)) return null
  const { link, acquirer } = found
  const checkout = openedCheckout(link, said, { id: checkoutId, now, settings, acquirer, unicodeHost: domainToUnicode })
  if (checkout === undefined || isRefusal(checkout)) return null
  return { link, reading: { checkout, inFlight: null, refunds: [], now } }
}

/** A checkout as its shopper reads it, stored or only opened. */
export const readForShopper = async (
  deps: Dependencies,
  shop: Shop,
  checkoutId: string,
): Promise<ReadingWithRefunds | null> =>
  (await readAfterInquiry(deps, { merchantId: shop.id, checkoutId })) ??
  (await findOpened(deps, shop, checkoutId))?.reading ??
  null

/** A cancel of what is not stored stores nothing: there is nothing to charge, and a stranger could fill the database so. */
export const cancelOpened = async (
  deps: Dependencies,
  shop: Shop,
  checkoutId: string,
): Promise<CheckoutReading | Refusal> => {
  const reading = (await findOpened(deps, shop, checkoutId))?.reading
  if (reading === undefined) return refuse('checkout_not_found')
  const { checkout, now } = reading
  return { ...reading, checkout: { ...checkout, state: { status: 'cancelled', closedAt: now } } }
}

/** A start was refused: what its transaction has stored is taken back. */
class StartRefused extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super('the first start of an opened checkout was refused')
    this.refusal = refusal
  }
}

/**
 * The first start of an opened checkout, in the transaction that stores the checkout; of two at once one stores it. A refused
 * start is rolled back: strangers could otherwise fill the database by starts that are refused.
 */
export const startOpened = async <Started extends object>(
  deps: CheckoutDependencies,
  opened: Checkout,
  start: (transaction: CheckoutTransaction) => Promise<Started | Refusal>,
): Promise<Started | Refusal | null> => {
  const startOrNothing = async (transaction: CheckoutTransaction): Promise<Started> => {
    const started = await start(transaction)
    if (isRefusal(started)) throw new StartRefused(started)
    return started
  }
  try {
    return await withLockedCheckout(deps, refOf(opened), startOrNothing, async (sql, ref) => {
      await storeOpenedCheckout(sql, opened)
      return lockCheckout(sql, ref)
    })
  } catch (error) {
    if (error instanceof StartRefused) return error.refusal
    throw error
  }
}
