/**
 * Opened checkouts of reusable links, before a card is sent: nothing of them is stored. Their id says which link, which amount and
 * when, and the rest is read from the link. The start of the first attempt stores the checkout together with the attempt.
 */
import { domainToUnicode } from 'node:url'
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import { MINUTE_MS } from '#contract/jst.ts'
import { refOf, stateAsRead, type Checkout, type CheckoutReading } from '#payment/checkout.ts'
import { canBeOpenedAt, FORM_AGE_MAX_MS, openedCheckout, type ReusableLink } from '#payment/reusable-link.ts'
import type { Dependencies } from '../../dependencies.ts'
import { newForm, openedIdOf, readOpenedId } from '../../ids.ts'
import { cancelOpening, isCancelledOpening } from '../../store/checkout/cancelled-openings.ts'
import { storeOpenedCheckout } from '../../store/checkout/checkouts.ts'
import { findLinkToOpen, type LinkToOpen } from '../../store/checkout/reusable-links.ts'
import { lockCheckout, type LockCheckout } from '../../store/checkout/transitions.ts'
import type { Merchant } from '../../store/merchant/merchants.ts'
import { cancel } from '../cancel.ts'
import { withLockedCheckout, type CheckoutDependencies, type CheckoutTransaction } from '../locked-checkout.ts'
import type { ReadingWithRefunds } from '../read-checkout.ts'

type Shop = Pick<Merchant, 'id' | 'settings'>

/** What a visitor asks for. `form`: the id of the drawn form. */
interface Visit {
  readonly yen: number
  readonly form: string
}

/**
 * The id of the checkout that a visitor opens. It is made of the form and the amount: a second click, and a visitor who comes back
 * to the form after paying, reach the same checkout and do not pay twice. `stale`: a fresh form must be drawn, and the visitor asked
 * again, since the checkout of this one may have been paid before a restore, or could be paid for a moment only. A refusal: the link can
 * no longer be paid so.
 */
export const openByVisitor = (
  { clock }: Pick<Dependencies, 'clock'>,
  { settings }: Pick<Shop, 'settings'>,
  { link, acquirer, restoredAt }: LinkToOpen,
  { yen, form }: Visit,
): { readonly checkoutId: string } | 'stale' | Refusal => {
  const [now, id] = [clock.now(), openedIdOf(link.id, yen, form)]
  const said = readOpenedId(id)
  if (!canBeOpenedAt(said.openedAt, restoredAt, now) || now - said.openedAt > FORM_AGE_MAX_MS) return 'stale'
  const given = { id, now, settings, acquirer, unicodeHost: domainToUnicode }
  const checkout = openedCheckout(link, said, given)
  return checkout !== undefined && isRefusal(checkout) ? checkout : { checkoutId: id }
}

/** A form that is drawn now. Not of the minute of a restore: what it opens could not be told from what was opened before. */
export const drawForm = (
  { clock, random }: Pick<Dependencies, 'clock' | 'random'>,
  { restoredAt }: Pick<LinkToOpen, 'restoredAt'>,
): string => newForm(Math.max(clock.now(), restoredAt === null ? 0 : restoredAt + MINUTE_MS), random.id())

/** A checkout that a reusable link has opened and no card was sent for. */
interface UnstoredCheckout {
  readonly link: ReusableLink
  readonly reading: ReadingWithRefunds
}

/** Whether an id that is not stored can be of an opened checkout, by what it says alone. Almost none that was made up at random can. */
export const canBeUnstored = ({ clock }: Pick<Dependencies, 'clock'>, checkoutId: string): boolean =>
  canBeOpenedAt(readOpenedId(checkoutId).openedAt, null, clock.now())

/** The checkout that this id says; null: it says none. To be called where no checkout of this id is stored. */
export const findUnstored = async (
  { clock, database }: Pick<Dependencies, 'clock' | 'database'>,
  { id: merchantId, settings }: Shop,
  checkoutId: string,
): Promise<UnstoredCheckout | null> => {
  const now = clock.now()
  const { linkPrefix, ...said } = readOpenedId(checkoutId)
  if (!canBeUnstored({ clock }, checkoutId)) return null
  const found = await findLinkToOpen(database, merchantId, linkPrefix, checkoutId)
  if (found === null || !canBeOpenedAt(said.openedAt, found.restoredAt, now)) return null
  const { link, acquirer, cancelledAt } = found
  const checkout = openedCheckout(link, said, { id: checkoutId, now, settings, acquirer, unicodeHost: domainToUnicode })
  if (checkout === undefined || isRefusal(checkout)) return null
  const asCancelled =
    cancelledAt === null ? checkout : { ...checkout, state: { status: 'cancelled' as const, closedAt: cancelledAt } }
  return { link, reading: { checkout: asCancelled, inFlight: null, refunds: [], now } }
}

/** The lock of what is not stored: it is stored, unless it is by now. Of two at once one stores it, and the other one waits. */
const storeAndLock =
  (opened: Checkout): LockCheckout =>
  async (sql, ref) => {
    await storeOpenedCheckout(sql, opened)
    return lockCheckout(sql, ref)
  }

/** Whether one more cancel of a checkout of this link may be stored now. */
type MayCancel = (linkId: string) => boolean

/** Stores that this checkout is cancelled. Undefined: its first card has come meanwhile. */
const cancelUnbegun = async (deps: Dependencies, opened: Checkout): Promise<Checkout | undefined> => {
  const cancelled = await withLockedCheckout(
    deps,
    refOf(opened),
    async ({ locked, sql, now }): Promise<Checkout | 'begun'> => {
      if (locked.attempts.length > 0) return 'begun'
      await cancelOpening(sql, refOf(opened), now)
      return { ...opened, state: { status: 'cancelled', closedAt: now } }
    },
    // The row is the lock against a first card, and is gone when this transaction ends.
    storeAndLock(opened),
  )
  return cancelled === 'begun' || cancelled === null ? undefined : cancelled
}

/**
 * A cancel of what no card was sent for stores the id alone, for as long as it could be paid: whoever was told that it is cancelled is
 * not charged by another tab. Read as it was where it is not open, and where so many are cancelled that a stranger would fill the
 * database.
 */
export const cancelUnstored = async (
  deps: Dependencies,
  shop: Shop,
  checkoutId: string,
  mayCancel: MayCancel,
): Promise<CheckoutReading | Refusal> => {
  const unstored = await findUnstored(deps, shop, checkoutId)
  if (unstored === null) return refuse('checkout_not_found')
  const { link, reading } = unstored
  if (stateAsRead(reading, reading.now).status !== 'open' || !mayCancel(link.id)) return reading
  const checkout = await cancelUnbegun(deps, reading.checkout)
  return checkout === undefined ? cancel(deps, refOf(reading.checkout)) : { ...reading, checkout }
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
export const startUnstored = async <Started extends object>(
  deps: CheckoutDependencies,
  opened: Checkout,
  start: (transaction: CheckoutTransaction) => Promise<Started | Refusal>,
): Promise<Started | Refusal | null> => {
  const startOrNothing = async (transaction: CheckoutTransaction): Promise<Started> => {
    if (await isCancelledOpening(transaction.sql, refOf(opened)))
      throw new StartRefused(refuse('checkout_closed', { status: 'cancelled' }))
    const started = await start(transaction)
    if (isRefusal(started)) throw new StartRefused(started)
    return started
  }
  try {
    return await withLockedCheckout(deps, refOf(opened), startOrNothing, storeAndLock(opened))
  } catch (error) {
    if (error instanceof StartRefused) return error.refusal
    throw error
  }
}
