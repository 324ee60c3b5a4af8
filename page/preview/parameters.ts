/** Preview parameters: the checkout that a preview's query describes. Every query gives one. */
import { inDisplayOrder } from '#contract/brands.ts'
import { EMAIL_MAX_LENGTH } from '#contract/card.ts'
import { endOfJstDay, parseDeadline, type Instant } from '#contract/jst.ts'
import { LOGO_PLATES } from '#contract/logo-plate.ts'
import {
  REMARKS_MAX_LENGTH,
  SHOP_ADDRESS_MAX_LENGTH,
  SHOP_NAME_MAX_LENGTH,
  SHOP_PHONE_NUMBER_MAX_LENGTH,
  SUBJECT_MAX_LENGTH,
  URL_MAX_LENGTH,
} from '#contract/text-limits.ts'
import type { InitialData } from '../initial-data.ts'
import type { PageCheckout } from '../parse-answers.ts'
import { DEFAULT_COLOUR } from '../theme.ts'
import { parseUrl } from '../urls.ts'
import type { Words } from '../words/en-US.ts'
import { decodeText, plainText } from './decode-text.ts'
import { previewedInvoice } from './previewed-invoice.ts'

type ReadParameter = (name: string) => string

const DEFAULT_AMOUNT = 1980
const DEFAULT_BRANDS = ['visa', 'master']
const BRANDS_MAX = 12
const BRAND_MAX_LENGTH = 32
/** As a checkout without a deadline gets it: the end of the 7th day. */
const DEFAULT_DAYS = 7

/** The screen decides the status, and the status what is shown, as on the real page. */
const STATUS_OF_SCREEN: ReadonlyMap<string, string> = new Map([
  ['creditcard', 'open'],
  ['complete', 'paid'],
  ['refunded', 'refunded'],
  ['error', 'expired'],
])
const ERROR_STATUSES: readonly string[] = ['expired', 'failed', 'cancelled']

const readStatus = (given: ReadParameter): string => {
  const status = STATUS_OF_SCREEN.get(given('screen')) ?? 'open'
  const wanted = given('status')
  return status === 'expired' && ERROR_STATUSES.includes(wanted) ? wanted : status
}

const readColour = (text: string): string =>
  /^#?[0-9a-f]{6}$/i.test(text) ? `#${text.replace('#', '').toLowerCase()}` : DEFAULT_COLOUR

/** Any number is shown, in whole yen: the merchant sees what its own system would send. */
const readAmount = (text: string): number => {
  const amount = text === '' ? Number.NaN : Math.trunc(Number(text))
  return Number.isSafeInteger(amount) ? amount : DEFAULT_AMOUNT
}

/** The + of an offset arrives as a space. */
const readDeadline = (text: string, now: Instant): Instant =>
  parseDeadline(text.replace(' ', '+')) ?? endOfJstDay(now, DEFAULT_DAYS)

const readBrands = (text: string): string[] => {
  const names = text.split(',').map((name) => plainText(name).toLowerCase().slice(0, BRAND_MAX_LENGTH))
  const brands = names.filter((name) => name !== '')
  return inDisplayOrder(brands.length === 0 ? DEFAULT_BRANDS : brands).slice(0, BRANDS_MAX)
}

const DATA_IMAGE = /^data:image\/[\w.+-]+(?:;[\w=-]+)*$/i

/** Over plain http anybody on the way can exchange a picture; from the own host that is no less true of the page itself. */
const isAllowedPicture = ({ protocol, origin }: URL, ownOrigin: string): boolean =>
  protocol === 'https:' || (protocol === 'http:' && origin === ownOrigin)

/** Images only: a URL of any other scheme, such as `javascript:`, is ignored. */
const readImage = (text: string, ownOrigin: string): string | undefined => {
  const url = parseUrl(text)
  if (url !== undefined && isAllowedPicture(url, ownOrigin)) return url.href
  const comma = text.indexOf(',')
  const head = text.slice(0, Math.max(comma, 0)).replaceAll(' ', '+')
  if (!DATA_IMAGE.test(head)) return undefined
  const data = text.slice(comma)
  return head + (/;base64$/i.test(head) ? data.replaceAll(' ', '+') : data)
}

const paymentFacts = (status: string, brand: string, now: Instant): Partial<PageCheckout> =>
  status === 'paid' || status === 'refunded'
    ? {
        transactionId: 'txn_0000000000',
        paidAt: new Date(now).toISOString(),
        card: { brand, number: '•••• 4242' },
      }
    : {}

const whenGiven = <V, T extends object>(value: V | undefined, field: (value: V) => T): Partial<T> =>
  value === undefined ? {} : field(value)

export const parsePreviewQuery = (
  search: string,
  { now, preview: { origin } }: Pick<InitialData, 'now' | 'preview'>,
  words: Words['preview'],
): PageCheckout => {
  const query = new URLSearchParams(search)
  const raw = (name: string): string => query.get(name) ?? ''
  const given: ReadParameter = (name) => raw(name).trim()
  const text = (name: string, most: number): string | undefined => {
    const read = decodeText(raw(name), most)
    return read === '' ? undefined : read
  }
  /** A fact of the shop that is given empty is not shown; one that is not given has a placeholder. */
  const fact = (name: string, most: number, placeholder: string): string =>
    query.has(name) ? (text(name, most) ?? '') : placeholder
  const status = readStatus(given)
  const brands = readBrands(given('brands'))
  const [firstBrand = ''] = brands
  const amount = readAmount(given('amount'))
  const subject = text('subject', SUBJECT_MAX_LENGTH)
  const shopName = text('shopName', SHOP_NAME_MAX_LENGTH) ?? words.shopName
  return {
    id: 'preview',
    status,
    amount,
    ...(subject !== undefined && { subject }),
    validUntil: new Date(readDeadline(given('validUntil'), now)).toISOString(),
    ...whenGiven(text('remarks', REMARKS_MAX_LENGTH), (remarks) => ({ remarks })),
    acceptedCardBrands: brands,
    links: {
      ...whenGiven(text('cancelUrl', URL_MAX_LENGTH), (cancelUrl) => ({ cancelUrl })),
      ...whenGiven(text('redirectUrl', URL_MAX_LENGTH), (redirectUrl) => ({ redirectUrl })),
    },
    ...paymentFacts(status, firstBrand, now),
    ...(status === 'paid' &&
      whenGiven(
        previewedInvoice({
          number: given('registrationNumber'),
          taxes: given('taxes'),
          amount,
          subject,
          shopName,
          now,
        }),
        (invoice) => ({ invoice }),
      )),
    merchant: {
      setting: {
        ...whenGiven(readImage(raw('logoUrl'), origin), (logoUrl) => ({ logoUrl })),
        ...whenGiven(
          LOGO_PLATES.find((plate) => plate === given('logoPlate')),
          (logoPlate) => ({ logoPlate }),
        ),
        ...whenGiven(readImage(raw('coverImageUrl'), origin), (coverImageUrl) => ({ coverImageUrl })),
        colorCode: readColour(given('colorCode')),
        fontType: given('fontType') === 'serif' ? 'serif' : 'sans-serif',
      },
    },
    receipt: {
      shopName,
      shopAddress: fact('shopAddress', SHOP_ADDRESS_MAX_LENGTH, words.shopAddress),
      shopPhoneNumber: fact('shopPhoneNumber', SHOP_PHONE_NUMBER_MAX_LENGTH, '03-0000-0000'),
      shopEmail: fact('shopEmail', EMAIL_MAX_LENGTH, 'shop@example.com'),
      shopUrl: fact('shopUrl', URL_MAX_LENGTH, 'https://example.com'),
    },
    paymentPending: false,
  }
}
