/** New checkout: turns a validated body into an open checkout, or refuses and names the field. */
import { CARD_BRANDS, type CardBrand } from '#contract/brands.ts'
import { refuseField, type Refusal } from '#contract/errors.ts'
import { drawsNothing, turningProblem } from '#contract/shown-text.ts'
import { DAY_MS, endOfJstDay, parseDeadline, type Instant } from '#contract/jst.ts'
import type { WireLocale } from '#contract/locale.ts'
import type { MerchantMode } from '#contract/access.ts'
import { VALIDITY_DAYS_DEFAULT, VALIDITY_DAYS_MAX, type CreateCheckoutBody } from '#contract/merchant/checkouts.ts'
import { brandsTaken, refuseAmount, type AcquirerKind } from './acquirer-limits.ts'
import { holdsEmbossedNumber } from './card-number-detector.ts'
import type { Checkout } from './checkout.ts'
import { readLink, type UnicodeHost } from './link-address.ts'
import { refuseTaxes } from './taxes.ts'

/** Placeholder in a link for the id, which the merchant does not know yet. */
const CHECKOUT_ID = '{CHECKOUT_ID}'

/** The link with the id filled in; null: no link was given. */
const readLinkOf = (
  field: string,
  given: string | undefined,
  { id, mode, settings: { linkHosts }, unicodeHost }: NewCheckout,
): string | null | Refusal =>
  given === undefined ? null : readLink(field, given.replaceAll(CHECKOUT_ID, id), { mode, linkHosts, unicodeHost })

const isRefusedLink = (link: string | null | Refusal): link is Refusal => link !== null && typeof link !== 'string'

/** Free text: a person who takes an order by telephone may write the card number here. */
const refuseText = (field: string, text: string | undefined): Refusal | undefined => {
  // PostgreSQL cannot store it in a text.
  if (text?.includes('\0') === true) return refuseField(field, 'holds the character U+0000. Leave it out.')
  if (text !== undefined && holdsEmbossedNumber(text))
    return refuseField(field, 'holds a card number. Leave it out; the shopper enters it on the page.')
  return undefined
}

type ShownTexts = Pick<CreateCheckoutBody, 'subject' | 'remarks' | 'taxes'>

/**
 * What a shopper would not see, or see turned around. Asked where a merchant writes the texts, and not where a link opens with
 * those of an earlier release: it would open no more.
 */
export const refuseShownTexts = ({ subject = '', remarks = '', taxes }: ShownTexts): Refusal | undefined => {
  for (const [field, text] of [['subject', subject] as const, ['remarks', remarks] as const]) {
    const problem = turningProblem(text)
    if (problem !== undefined) return refuseField(field, problem)
  }
  return taxes !== undefined && drawsNothing(subject)
    ? refuseField('subject', 'is missing. With taxes the receipt can be an invoice, which must say what was sold.')
    : undefined
}

/** A deadline that a merchant has sent. `latest`: how far ahead it may be, and how that is said. */
export const readValidUntil = (
  text: string,
  now: Instant,
  latest: { readonly at: Instant; readonly said: string },
): Instant | Refusal => {
  const instant = parseDeadline(text)
  if (instant === undefined)
    return refuseField(
      'validUntil',
      'must be a date such as 2026-12-31 or an instant such as 2026-12-31T18:00:00+09:00.',
    )
  if (instant <= now) return refuseField('validUntil', 'is in the past. Give a later date, or leave it out.')
  if (instant > latest.at) return refuseField('validUntil', `is more than ${latest.said} ahead. Give an earlier date.`)
  return instant
}

const deadline = (text: string | undefined, now: Instant): Instant | Refusal =>
  text === undefined
    ? endOfJstDay(now, VALIDITY_DAYS_DEFAULT)
    : readValidUntil(text, now, {
        at: endOfJstDay(now + VALIDITY_DAYS_MAX * DAY_MS),
        said: `${VALIDITY_DAYS_MAX} days`,
      })

/** The shop's settings for new checkouts. An open checkout keeps those with which it was created. */
export interface CheckoutSettings {
  /** For a checkout without a locale; null: the shopper's browser decides. */
  readonly locale: WireLocale | null
  /** For a checkout without brands; null: all. */
  readonly acceptedCardBrands: readonly CardBrand[] | null
  readonly linkHosts: readonly string[]
}

export interface NewCheckout {
  readonly merchantId: string
  readonly id: string
  readonly mode: MerchantMode
  /** The reusable link that opens it; null: the merchant does. */
  readonly linkId: string | null
  readonly now: Instant
  readonly settings: CheckoutSettings
  /** The acquirer of the shop in this mode; null: the sandbox. */
  readonly acquirer: AcquirerKind | null
  readonly unicodeHost: UnicodeHost
}

export const newCheckout = (body: CreateCheckoutBody, given: NewCheckout): Checkout | Refusal => {
  const { merchantId, id, mode, now, settings, acquirer } = given
  const validUntil = deadline(body.validUntil, now)
  if (typeof validUntil !== 'number') return validUntil
  const wrong =
    refuseText('subject', body.subject) ??
    refuseText('remarks', body.remarks) ??
    refuseText('reference', body.reference) ??
    (body.taxes === undefined ? undefined : refuseTaxes(body.taxes, body.amount)) ??
    refuseAmount(body.amount, acquirer)
  if (wrong !== undefined) return wrong
  const cancelUrl = readLinkOf('links.cancelUrl', body.links?.cancelUrl, given)
  if (isRefusedLink(cancelUrl)) return cancelUrl
  const redirectUrl = readLinkOf('links.redirectUrl', body.links?.redirectUrl, given)
  if (isRefusedLink(redirectUrl)) return redirectUrl
  const brands = brandsTaken(body.acceptedCardBrands ?? settings.acceptedCardBrands ?? CARD_BRANDS, acquirer)
  if ('refused' in brands) return brands
  return {
    merchantId,
    id,
    mode,
    amountYen: body.amount,
    subject: body.subject ?? null,
    remarks: body.remarks ?? null,
    validUntil,
    acceptedCardBrands: brands,
    cancelUrl,
    redirectUrl,
    locale: body.locale ?? settings.locale,
    metadata: body.metadata ?? {},
    reference: body.reference ?? null,
    taxes: body.taxes ?? null,
    createdAt: now,
    linkId: given.linkId,
    heldSince: null,
    state: { status: 'open' },
  }
}
