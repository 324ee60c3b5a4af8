import type { BinCode } from '#contract/brands.ts'
import type { CheckoutAnswer } from '#contract/checkout.ts'

/** Small readers instead of the schema library: the card page carries no byte that hydration does not need. */

type Fields = Readonly<Record<string, unknown>>

/** The checkout as the page holds it. A status that this release does not know is kept as it came. */
export type PageCheckout = Omit<CheckoutAnswer, 'status' | 'locale'> & {
  readonly status: string
  readonly locale?: string
}

export interface Started {
  readonly orderCode: string
  readonly threeDSRequired: boolean
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'

/** An absent, empty or unreadable text leaves its field out. */
const given = <T extends object>(value: unknown, field: (text: string) => T): Partial<T> =>
  isText(value) && value !== '' ? field(value) : {}

const readSetting = (value: unknown): CheckoutAnswer['merchant']['setting'] | undefined => {
  if (!isFields(value) || !isText(value['colorCode'])) return undefined
  return {
    ...given(value['logoUrl'], (logoUrl) => ({ logoUrl })),
    ...given(value['coverImageUrl'], (coverImageUrl) => ({ coverImageUrl })),
    colorCode: value['colorCode'],
    fontType: value['fontType'] === 'serif' ? 'serif' : 'sans-serif',
  }
}

const readReceipt = (value: unknown): CheckoutAnswer['receipt'] | undefined => {
  if (!isFields(value) || !isText(value['shopName'])) return undefined
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

const readCard = (value: unknown): Pick<CheckoutAnswer, 'card'> =>
  isFields(value) && isText(value['brand']) && isText(value['number'])
    ? { card: { brand: value['brand'].toLowerCase(), number: value['number'] } }
    : {}

export const readCheckoutAnswer = (body: unknown): PageCheckout | undefined => {
  if (!isFields(body) || !isFields(body['merchant'])) return undefined
  const { id, status, amount, validUntil, acceptedCardBrands, links } = body
  const setting = readSetting(body['merchant']['setting'])
  const receipt = readReceipt(body['receipt'])
  if (!isText(id) || !isText(status) || typeof amount !== 'number' || !isText(validUntil)) return undefined
  if (setting === undefined || receipt === undefined) return undefined
  return {
    id,
    status,
    amount,
    validUntil,
    ...given(body['subject'], (subject) => ({ subject })),
    ...given(body['remarks'], (remarks) => ({ remarks })),
    acceptedCardBrands: Array.isArray(acceptedCardBrands)
      ? acceptedCardBrands.filter(isText).map((brand) => brand.toLowerCase())
      : [],
    links: isFields(links)
      ? {
          ...given(links['cancelUrl'], (cancelUrl) => ({ cancelUrl })),
          ...given(links['redirectUrl'], (redirectUrl) => ({ redirectUrl })),
        }
      : {},
    ...given(body['locale'], (locale) => ({ locale })),
    ...given(body['transactionId'], (transactionId) => ({ transactionId })),
    ...given(body['paidAt'], (paidAt) => ({ paidAt })),
    ...readCard(body['card']),
    merchant: { setting },
    receipt,
    paymentPending: body['paymentPending'] === true,
  }
}

export const readBinCodes = (body: unknown): BinCode[] | undefined => {
  if (!Array.isArray(body)) return undefined
  return body.flatMap((item: unknown) =>
    isFields(item) && isText(item['prefix']) && isText(item['brand'])
      ? [{ prefix: item['prefix'], brand: item['brand'].toLowerCase() }]
      : [],
  )
}

export const readStartAnswer = (body: unknown): Started | undefined =>
  isFields(body) &&
  isText(body['orderCode']) &&
  body['orderCode'] !== '' &&
  typeof body['threeDSRequired'] === 'boolean'
    ? { orderCode: body['orderCode'], threeDSRequired: body['threeDSRequired'] }
    : undefined

export interface ReadError {
  readonly type: string
  readonly code: string
  readonly message: string
  readonly params: Fields
}

export const readErrorBody = (body: unknown): ReadError | undefined => {
  if (!isFields(body)) return undefined
  const { type, code, message, params } = body
  if (!isText(type) || !isText(code)) return undefined
  return { type, code, message: isText(message) ? message : '', params: isFields(params) ? params : {} }
}
