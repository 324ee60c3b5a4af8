import type { BinCode } from '#contract/brands.ts'
import type { CheckoutAnswer } from '#contract/checkout.ts'
import { isWebAddress } from './web-address.ts'

/** Small readers instead of the schema library: the card page carries no byte that hydration does not need. */

type Fields = Readonly<Record<string, unknown>>

/** The checkout as the page holds it. A status that this release does not know is kept as it came. */
export type PageCheckout = Omit<CheckoutAnswer, 'status' | 'locale'> & {
  readonly status: string
  readonly locale?: string
}

export type Started =
  | { readonly threeDSRequired: false; readonly orderCode: string }
  | {
      readonly threeDSRequired: true
      readonly orderCode: string
      readonly collectUrl: string
      readonly monitoringUrl: string
    }

export type Authenticated =
  | { readonly threeDSType: 'frictionless' }
  | { readonly threeDSType: 'challenge'; readonly challengeUrl: string; readonly monitoringUrl: string }

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

/** Only http and https may be framed or polled: a `javascript:` address would run in the page itself. */
const isAddress = (value: unknown): value is string => isText(value) && isWebAddress(value)

export const readStartAnswer = (body: unknown): Started | undefined => {
  if (!isFields(body)) return undefined
  const { orderCode, threeDSRequired, collectUrl, monitoringUrl } = body
  if (!isText(orderCode) || orderCode === '') return undefined
  if (threeDSRequired === false) return { threeDSRequired, orderCode }
  if (threeDSRequired !== true || !isAddress(collectUrl) || !isAddress(monitoringUrl)) return undefined
  return { threeDSRequired, orderCode, collectUrl, monitoringUrl }
}

/** Any type but a challenge goes on to pay, where the server decides what the authentication was worth. */
export const readAuthenticateAnswer = (body: unknown): Authenticated | undefined => {
  if (!isFields(body)) return undefined
  const { threeDSType, challengeUrl, monitoringUrl } = body
  if (!isText(threeDSType)) return undefined
  if (threeDSType !== 'challenge') return { threeDSType: 'frictionless' }
  return isAddress(challengeUrl) && isAddress(monitoringUrl) ? { threeDSType, challengeUrl, monitoringUrl } : undefined
}

/** The event of a polled monitor, whatever it is. */
export const readMonitorAnswer = (body: unknown): string | undefined =>
  isFields(body) && isText(body['event']) ? body['event'] : undefined

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
