/** Answer parsers: small functions instead of the schema library, so that the card page does not ship its bytes. */
import type { BinCode } from '#contract/brands.ts'
import type { CheckoutAnswer } from '#contract/checkout.ts'
import { isLogoPlate } from '#contract/logo-plate.ts'

type JsonObject = Readonly<Record<string, unknown>>

/** The checkout as the page holds it. A status that this release does not know is kept as received. */
export type PageCheckout = Omit<CheckoutAnswer, 'status' | 'locale' | 'invoice' | 'refunds'> & {
  readonly status: string
  readonly locale?: string
  /** As received: `complete/parse-invoice.ts` parses it when a receipt shows it. */
  readonly invoice?: unknown
  /** As received: `complete/parse-refunds.ts` parses them when a receipt shows them. */
  readonly refunds?: unknown
}

/** A shop as its pages show it. */
export type PageShop = Pick<PageCheckout, 'merchant' | 'receipt'>

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isText = (value: unknown): value is string => typeof value === 'string'

/** A text that is absent, empty or of another type leaves its field out. */
const optionalText = <T extends object>(value: unknown, field: (text: string) => T): Partial<T> =>
  isText(value) && value !== '' ? field(value) : {}

const parseSetting = (value: unknown): CheckoutAnswer['merchant']['setting'] | undefined => {
  if (!isJsonObject(value) || !isText(value['colorCode'])) return undefined
  return {
    ...optionalText(value['logoUrl'], (logoUrl) => ({ logoUrl })),
    ...optionalText(value['coverImageUrl'], (coverImageUrl) => ({ coverImageUrl })),
    ...(isLogoPlate(value['logoPlate']) && { logoPlate: value['logoPlate'] }),
    colorCode: value['colorCode'],
    fontType: value['fontType'] === 'serif' ? 'serif' : 'sans-serif',
  }
}

const parseReceipt = (value: unknown): CheckoutAnswer['receipt'] | undefined => {
  if (!isJsonObject(value) || !isText(value['shopName'])) return undefined
  const text = (key: string): string => {
    const found = value[key]
    return isText(found) ? found : ''
  }
  return {
    shopName: value['shopName'],
    shopAddress: text('shopAddress'),
    shopPhoneNumber: text('shopPhoneNumber'),
    shopEmail: text('shopEmail'),
    shopUrl: text('shopUrl'),
  }
}

const parseCard = (value: unknown): Pick<CheckoutAnswer, 'card'> =>
  isJsonObject(value) && isText(value['brand']) && isText(value['number'])
    ? { card: { brand: value['brand'].toLowerCase(), number: value['number'] } }
    : {}

export const parseShop = (body: unknown): PageShop | undefined => {
  if (!isJsonObject(body) || !isJsonObject(body['merchant'])) return undefined
  const setting = parseSetting(body['merchant']['setting'])
  const receipt = parseReceipt(body['receipt'])
  return setting === undefined || receipt === undefined ? undefined : { merchant: { setting }, receipt }
}

export const parseCheckoutAnswer = (body: unknown): PageCheckout | undefined => {
  const shop = parseShop(body)
  if (!isJsonObject(body) || shop === undefined) return undefined
  const { id, status, amount, validUntil, acceptedCardBrands, links, invoice, refunds } = body
  if (!isText(id) || !isText(status) || typeof amount !== 'number' || !isText(validUntil)) return undefined
  return {
    id,
    status,
    amount,
    validUntil,
    ...optionalText(body['subject'], (subject) => ({ subject })),
    ...optionalText(body['remarks'], (remarks) => ({ remarks })),
    acceptedCardBrands: Array.isArray(acceptedCardBrands)
      ? acceptedCardBrands.filter(isText).map((brand) => brand.toLowerCase())
      : [],
    links: isJsonObject(links)
      ? {
          ...optionalText(links['cancelUrl'], (cancelUrl) => ({ cancelUrl })),
          ...optionalText(links['redirectUrl'], (redirectUrl) => ({ redirectUrl })),
        }
      : {},
    ...optionalText(body['locale'], (locale) => ({ locale })),
    ...optionalText(body['transactionId'], (transactionId) => ({ transactionId })),
    ...optionalText(body['paidAt'], (paidAt) => ({ paidAt })),
    ...parseCard(body['card']),
    ...shop,
    ...(isJsonObject(invoice) && { invoice }),
    ...(Array.isArray(refunds) && { refunds }),
    ...(body['testCardsOnly'] === true && { testCardsOnly: true }),
    paymentPending: body['paymentPending'] === true,
  }
}

export const parseBinCodes = (body: unknown): BinCode[] | undefined => {
  if (!Array.isArray(body)) return undefined
  return body.flatMap((item: unknown) =>
    isJsonObject(item) && isText(item['prefix']) && isText(item['brand'])
      ? [{ prefix: item['prefix'], brand: item['brand'].toLowerCase() }]
      : [],
  )
}

export interface ParsedError {
  readonly type: string
  readonly code: string
  readonly message: string
  readonly params: JsonObject
}

export const parseErrorBody = (body: unknown): ParsedError | undefined => {
  if (!isJsonObject(body)) return undefined
  const { type, code, message, params } = body
  if (!isText(type) || !isText(code)) return undefined
  return { type, code, message: isText(message) ? message : '', params: isJsonObject(params) ? params : {} }
}
