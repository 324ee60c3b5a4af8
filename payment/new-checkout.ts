/** New checkout: turns a validated body into an open checkout, or refuses by the name of the field. */
import { CARD_BRANDS } from '#contract/brands.ts'
import { refuseField, type Refusal } from '#contract/errors.ts'
import { DAY_MS, endOfJstDay, parseDeadline, type Instant } from '#contract/jst.ts'
import { isLoopback } from '#contract/loopback.ts'
import {
  VALIDITY_DAYS_DEFAULT,
  VALIDITY_DAYS_MAX,
  type CreateCheckoutBody,
  type MerchantMode,
} from '#contract/merchant.ts'
import { holdsEmbossedNumber } from './card-number-detector.ts'
import type { Checkout } from './checkout.ts'
import { isMixedScriptHost } from './mixed-script-host.ts'
import { refuseTaxes } from './taxes.ts'

/** What a link has in place of the id, which its merchant does not know before. */
const CHECKOUT_ID = '{CHECKOUT_ID}'

/**
 * A link is a place a shopper is sent to with our name behind it: https only, and plain http on the merchant's own machine.
 * It is stored as the URL parser writes it, so that everybody who reads it later reads the same.
 */
const readLink = (
  field: string,
  given: string | undefined,
  { id, unicodeHost }: Pick<NewCheckout, 'id' | 'unicodeHost'>,
): string | null | Refusal => {
  if (given === undefined) return null
  const text = given.replaceAll(CHECKOUT_ID, id)
  // The URL parser passes over line breaks and zero bytes that a browser, a header or a database would not.
  if (!URL.canParse(text) || /\p{Cc}/u.test(text))
    return refuseField(field, 'must be an absolute address such as https://shop.example.com/thanks.')
  const url = new URL(text)
  const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  if (!allowed || url.username !== '' || url.password !== '') {
    return refuseField(field, 'must begin with https:// and hold no user name (http:// only on localhost).')
  }
  if (isMixedScriptHost(unicodeHost(url.hostname)))
    return refuseField(field, 'has a host that mixes letters of different scripts. Use the host in one script.')
  return url.href
}

const isRefusedLink = (link: string | null | Refusal): link is Refusal => link !== null && typeof link !== 'string'

/** What people write to people: somebody who takes an order by telephone writes the card down here. */
const refuseText = (field: string, text: string | undefined): Refusal | undefined => {
  // PostgreSQL cannot hold it in a text.
  if (text?.includes('\0') === true) return refuseField(field, 'holds the character U+0000. Leave it out.')
  if (text !== undefined && holdsEmbossedNumber(text))
    return refuseField(field, 'holds a card number. Leave it out; the shopper enters it on the page.')
  return undefined
}

const refuseTaxesOf = ({ amount, subject = '', taxes }: CreateCheckoutBody): Refusal | undefined => {
  if (taxes === undefined) return undefined
  if (subject.trim() === '')
    return refuseField('subject', 'is missing. With taxes the receipt can be an invoice, which must say what was sold.')
  return refuseTaxes(taxes, amount)
}

const deadline = (text: string | undefined, now: Instant): Instant | Refusal => {
  if (text === undefined) return endOfJstDay(now, VALIDITY_DAYS_DEFAULT)
  const instant = parseDeadline(text)
  if (instant === undefined)
    return refuseField(
      'validUntil',
      'must be a date such as 2026-12-31 or an instant such as 2026-12-31T18:00:00+09:00.',
    )
  if (instant <= now)
    return refuseField('validUntil', 'is in the past. Give a later date, or leave it out for seven days.')
  if (instant > endOfJstDay(now + VALIDITY_DAYS_MAX * DAY_MS))
    return refuseField('validUntil', `is more than ${VALIDITY_DAYS_MAX} days ahead.`)
  return instant
}

/** Turns punycode (`xn--…`) into what a reader sees. */
type UnicodeHost = (host: string) => string

export interface NewCheckout {
  readonly merchantId: string
  readonly id: string
  readonly mode: MerchantMode
  readonly now: Instant
  readonly unicodeHost: UnicodeHost
}

/** A body that has passed its schema becomes an open checkout, or a refusal that names the field. */
export const newCheckout = (
  body: CreateCheckoutBody,
  { merchantId, id, mode, now, unicodeHost }: NewCheckout,
): Checkout | Refusal => {
  const validUntil = deadline(body.validUntil, now)
  if (typeof validUntil !== 'number') return validUntil
  const wrong =
    refuseText('subject', body.subject) ??
    refuseText('remarks', body.remarks) ??
    refuseText('reference', body.reference) ??
    refuseTaxesOf(body)
  if (wrong !== undefined) return wrong
  const cancelUrl = readLink('links.cancelUrl', body.links?.cancelUrl, { id, unicodeHost })
  if (isRefusedLink(cancelUrl)) return cancelUrl
  const redirectUrl = readLink('links.redirectUrl', body.links?.redirectUrl, { id, unicodeHost })
  if (isRefusedLink(redirectUrl)) return redirectUrl
  return {
    merchantId,
    id,
    mode,
    amountYen: body.amount,
    subject: body.subject ?? null,
    remarks: body.remarks ?? null,
    validUntil,
    acceptedCardBrands: body.acceptedCardBrands ?? CARD_BRANDS,
    cancelUrl,
    redirectUrl,
    locale: body.locale ?? null,
    metadata: body.metadata ?? {},
    reference: body.reference ?? null,
    taxes: body.taxes ?? null,
    createdAt: now,
    state: { status: 'open' },
  }
}
