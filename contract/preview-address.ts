/** Address of a preview: the query that shows a shop's page as these facts would make it. */
import lz from 'lz-string'
import type { CheckoutAnswer, MerchantSetting, ReceiptFacts } from './checkout.ts'
import type { Taxes } from './invoice-figures.ts'
import type { PageLocale } from './locale.ts'

/** A preview's texts and small pictures travel in its query. */
export const PREVIEW_QUERY_MAX = 16 * 1024

export const PREVIEW_SCREENS = ['creditcard', 'complete', 'refunded', 'error'] as const
export type PreviewScreen = (typeof PREVIEW_SCREENS)[number]

export interface PreviewedShop {
  /** Addresses of pictures are below the shop's own host, over https, or hold the picture themselves (data:). */
  readonly setting: MerchantSetting
  /** An empty fact is not shown. */
  readonly receipt: ReceiptFacts
  readonly acceptedCardBrands: readonly string[]
  /** Null: the receipt is a plain one. */
  readonly registrationNumber: string | null
}

/** What is sold. Without a deadline the preview shows that of a checkout which names none. */
export interface PreviewedSale {
  readonly amount: number
  readonly subject?: string | undefined
  readonly remarks?: string | undefined
  /** A day in Japan or an instant, as a new checkout names it. */
  readonly validUntil?: string | undefined
  readonly links?: CheckoutAnswer['links'] | undefined
  /** With a registration number and a subject they make the receipt an invoice. */
  readonly taxes?: Taxes | undefined
}

export interface PreviewedView {
  readonly screen: PreviewScreen
  /** Why the error screen is shown; expired unless given. */
  readonly status?: 'expired' | 'failed' | 'cancelled'
  /** The visitor's language unless given. */
  readonly locale?: PageLocale
  readonly mode?: 'test' | 'live'
}

export interface PreviewedPage {
  readonly shop: PreviewedShop
  readonly sale: PreviewedSale
  readonly view: PreviewedView
}

/** Compressed, as the specification has subject, shop name and remarks. A preview takes an empty text for none. */
const packed = (text: string): string => (text === '' ? '' : lz.compressToEncodedURIComponent(text))

/**
 * In the order of their weight: where the query would be longer than the server takes, the first that does not fit is left out,
 * and so are those behind it that do not fit either.
 */
const parametersOf = (
  origin: string,
  { shop, sale, view }: PreviewedPage,
): [name: string, value: string | undefined][] => {
  const { setting, receipt } = shop
  const picture = (address: string | undefined): string | undefined =>
    address === undefined ? undefined : new URL(address, origin).href
  const packedUnlessMissing = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : packed(text)
  return [
    ['screen', view.screen],
    ['status', view.status],
    ['locale', view.locale],
    ['mode', view.mode],
    ['colorCode', setting.colorCode],
    ['fontType', setting.fontType],
    ['logoPlate', setting.logoPlate],
    ['amount', String(sale.amount)],
    ['validUntil', sale.validUntil],
    ['brands', shop.acceptedCardBrands.join(',')],
    ['registrationNumber', shop.registrationNumber ?? undefined],
    ['taxes', sale.taxes?.map(({ rate, amount }) => `${rate}:${amount}`).join(',')],
    ['shopName', packed(receipt.shopName)],
    ['subject', packedUnlessMissing(sale.subject)],
    ['shopAddress', packed(receipt.shopAddress)],
    ['shopPhoneNumber', packed(receipt.shopPhoneNumber)],
    ['shopEmail', packed(receipt.shopEmail)],
    ['shopUrl', packed(receipt.shopUrl)],
    ['cancelUrl', packedUnlessMissing(sale.links?.cancelUrl)],
    ['redirectUrl', packedUnlessMissing(sale.links?.redirectUrl)],
    ['remarks', packedUnlessMissing(sale.remarks)],
    ['logoUrl', picture(setting.logoUrl)],
    ['coverImageUrl', picture(setting.coverImageUrl)],
  ]
}

/** `origin`: scheme, host and port of the shop's pages. */
export const previewAddress = (origin: string, page: PreviewedPage): string => {
  const query = parametersOf(origin, page).reduce((before, [name, value]) => {
    if (value === undefined) return before
    const longer = `${before}${before === '' ? '?' : '&'}${new URLSearchParams([[name, value]])}`
    return longer.length > PREVIEW_QUERY_MAX ? before : longer
  }, '')
  return `${origin}/preview${query}`
}
