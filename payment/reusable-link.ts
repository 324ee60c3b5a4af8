/** Reusable link: one address that opens a fresh checkout for each visitor. What it may cost, how it ends, and who gets its last place. */
import type { MerchantMode } from '#contract/access.ts'
import { isRefusal, refuseField, type Refusal } from '#contract/errors.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Instant } from '#contract/jst.ts'
import {
  LINK_VALIDITY_YEARS_MAX,
  type ChangeReusableLinkBody,
  type CheckoutOfLink,
  type CreateReusableLinkBody,
  type LinkStatus,
} from '#contract/merchant/reusable-links.ts'
import type { Checkout } from './checkout.ts'
import { newCheckout, readValidUntil, refuseShownTexts, type NewCheckout } from './new-checkout.ts'

/** What a visitor pays: one amount, or what the visitor enters between two bounds, both included. */
export type LinkAmount =
  | { readonly by: 'merchant'; readonly yen: number }
  | { readonly by: 'shopper'; readonly min: number; readonly max: number }

export interface ReusableLink {
  readonly merchantId: string
  readonly id: string
  readonly mode: MerchantMode
  readonly amount: LinkAmount
  /** What each of its checkouts carries beside amount and deadline. */
  readonly checkout: CheckoutOfLink
  /** Null: no limit. */
  readonly maxPayments: number | null
  /** How many of its checkouts were paid, also those that were refunded later. */
  readonly payments: number
  /** Null: no end. */
  readonly validUntil: Instant | null
  readonly disabledAt: Instant | null
  readonly createdAt: Instant
}

/** A visitor has 24 hours to pay. Whoever opens a link again gets a fresh checkout. */
const LINK_CHECKOUT_MS = DAY_MS

const YEAR_MS = 365 * DAY_MS

export const statusOfLink = (
  { disabledAt, validUntil, maxPayments, payments }: ReusableLink,
  now: Instant,
): LinkStatus => {
  if (disabledAt !== null) return 'disabled'
  if (validUntil !== null && now >= validUntil) return 'ended'
  return maxPayments !== null && payments >= maxPayments ? 'full' : 'open'
}

/**
 * Whether one more payment may be charged by a link. `moving`: charges of its other checkouts that are under way or in doubt.
 * Checkouts that are merely open take no place: a stranger could otherwise use up a link by opening it.
 */
export type PlaceDecision =
  | { readonly place: 'free' }
  /** The last places are being paid: they become free if those charges fail. */
  | { readonly place: 'being paid' }
  | { readonly place: 'none'; readonly status: Exclude<LinkStatus, 'open'> }

export const decidePlace = (link: ReusableLink, moving: number, now: Instant): PlaceDecision => {
  const status = statusOfLink(link, now)
  if (status !== 'open') return { place: 'none', status }
  const { maxPayments, payments } = link
  return { place: maxPayments !== null && payments + moving >= maxPayments ? 'being paid' : 'free' }
}

const readAmount = ({ amount, amountRange }: CreateReusableLinkBody): LinkAmount | Refusal => {
  if (amountRange === undefined)
    return amount === undefined
      ? refuseField('amount', 'is missing. Send it, or amountRange for an amount that the shopper enters.')
      : { by: 'merchant', yen: amount }
  if (amount !== undefined) return refuseField('amountRange', 'stands beside amount. Send one of the two.')
  const { min, max } = amountRange
  return min > max
    ? refuseField('amountRange.max', 'is below amountRange.min. Give a larger one.')
    : { by: 'shopper', min, max }
}

/** The amounts at both ends, each with the field that names it. */
const endsOf = (amount: LinkAmount): readonly (readonly [field: string, yen: number])[] =>
  amount.by === 'merchant'
    ? [['amount', amount.yen]]
    : [
        ['amountRange.min', amount.min],
        ['amountRange.max', amount.max],
      ]

const renamed = (refusal: Refusal, field: string): Refusal =>
  refusal.params?.['field'] === 'amount' && field !== 'amount'
    ? refuseField(field, (refusal.message ?? '').replace(/^amount /, ''))
    : refusal

const readEnd = (text: string, now: Instant): Instant | Refusal =>
  readValidUntil(text, now, {
    at: now + LINK_VALIDITY_YEARS_MAX * YEAR_MS,
    said: `${LINK_VALIDITY_YEARS_MAX} years`,
  })

/** A new link, or why none of its checkouts could be opened: the rules are those of a checkout. */
export const newReusableLink = (
  body: CreateReusableLinkBody,
  given: Omit<NewCheckout, 'linkId'>,
): ReusableLink | Refusal => {
  const { amount: _amount, amountRange: _range, maxPayments = null, validUntil: until, ...checkout } = body
  const amount = readAmount(body)
  if (isRefusal(amount)) return amount
  if (amount.by === 'shopper' && checkout.taxes !== undefined)
    return refuseField('taxes', 'needs amount: of an amount that the shopper enters nobody knows the taxes.')
  const validUntil = until === undefined ? null : readEnd(until, given.now)
  if (validUntil !== null && typeof validUntil !== 'number') return validUntil
  const { merchantId, id, mode, now } = given
  const shown = refuseShownTexts(checkout)
  if (shown !== undefined) return shown
  for (const [field, yen] of endsOf(amount)) {
    const trial = newCheckout({ ...checkout, amount: yen }, { ...given, linkId: id })
    if (isRefusal(trial)) return renamed(trial, field)
  }
  return {
    merchantId,
    id,
    mode,
    amount,
    checkout,
    maxPayments,
    payments: 0,
    validUntil,
    disabledAt: null,
    createdAt: now,
  }
}

/** A limit below what was paid already is allowed: the link is then full. */
export const changedLink = (link: ReusableLink, body: ChangeReusableLinkBody, now: Instant): ReusableLink | Refusal => {
  const { maxPayments = link.maxPayments, validUntil: until, enabled } = body
  const changed = until === undefined || until === null ? until : readEnd(until, now)
  if (changed !== undefined && changed !== null && typeof changed !== 'number') return changed
  const disabledAt = enabled === undefined ? link.disabledAt : enabled ? null : (link.disabledAt ?? now)
  return { ...link, maxPayments, validUntil: changed === undefined ? link.validUntil : changed, disabledAt }
}

/** Why a visitor cannot pay this amount; undefined: it lies within the bounds. */
export const outsideBounds = (amount: LinkAmount, yen: number): 'too little' | 'too much' | undefined => {
  const { min, max } = amount.by === 'shopper' ? amount : { min: amount.yen, max: amount.yen }
  if (yen < min) return 'too little'
  return yen > max ? 'too much' : undefined
}

/**
 * How old a form may be that is sent. What it opens can then be paid for four hours more; one that was left open for longer would leave
 * its visitor minutes. Sooner, somebody who has paid and comes back to the form would be asked for another payment.
 */
export const FORM_AGE_MAX_MS = 20 * HOUR_MS

/** How far ahead of ours the clock of the server may be that has drawn a form. */
const FORM_AHEAD_MAX_MS = 10 * MINUTE_MS

/**
 * Whether a checkout that is not stored can have been opened then. Not in the future: its maker would choose how long it can be
 * paid. Not before a restore from a backup: it may have been paid in the time that the backup does not hold, and would be paid
 * again.
 */
export const canBeOpenedAt = (openedAt: Instant, restoredAt: Instant | null, now: Instant): boolean =>
  openedAt <= now + FORM_AHEAD_MAX_MS && (restoredAt === null || openedAt > restoredAt)

/**
 * The checkout of a visitor who has sent no card yet, made of its link: it is not stored. It can be paid for a day, and
 * not after the end of the link. Undefined: a link has none of this amount.
 */
export const openedCheckout = (
  link: ReusableLink,
  { yen, openedAt }: { readonly yen: number; readonly openedAt: Instant },
  given: Omit<NewCheckout, 'merchantId' | 'mode' | 'linkId'>,
): Checkout | Refusal | undefined => {
  if (outsideBounds(link.amount, yen) !== undefined) return undefined
  const { merchantId, mode, id: linkId } = link
  const until = openedAt + LINK_CHECKOUT_MS
  const body = { ...link.checkout, amount: yen, validUntil: new Date(until).toISOString() }
  const checkout = newCheckout(body, { ...given, merchantId, mode, linkId, now: openedAt })
  if (isRefusal(checkout)) return checkout
  const status = statusOfLink(link, given.now)
  return {
    ...checkout,
    validUntil: Math.min(until, link.validUntil ?? until),
    createdAt: given.now,
    state: status === 'full' || status === 'disabled' ? { status: 'cancelled', closedAt: given.now } : checkout.state,
  }
}
