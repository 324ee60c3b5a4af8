/** Test merchants: the two shops of the tests, `tea` and `books`, with their settings, keys and what their page is told. */
import type { CheckoutAnswer } from '#contract/checkout.ts'
import { DEFAULT_NOTIFICATIONS } from '#contract/notification-settings.ts'
import { THREE_DS_LIMITS } from '#contract/page.ts'
import type { NewKey } from '../../server/store/merchant/keys.ts'
import type { Merchant, MerchantSettings } from '../../server/store/merchant/merchants.ts'

export const MERCHANT_SETTINGS: MerchantSettings = {
  setting: { colorCode: '#2f6b4f', fontType: 'sans-serif' },
  receipt: {
    shopName: 'Aoyama Tea',
    shopAddress: 'Tokyo',
    shopPhoneNumber: '03-0000-0000',
    shopEmail: 'shop@example.com',
    shopUrl: 'https://shop.example.com',
  },
  allowExemption: true,
  requireFullAuthentication: false,
  registrationNumber: null,
  locale: null,
  acceptedCardBrands: null,
  linkHosts: [],
  notifications: DEFAULT_NOTIFICATIONS,
}

/** What the page is told of an open checkout. */
export const OPEN_CHECKOUT: CheckoutAnswer = {
  id: 'checkout',
  status: 'open',
  amount: 1980,
  subject: 'Tea',
  validUntil: '2026-11-22T14:59:59.999Z',
  acceptedCardBrands: ['visa'],
  links: {},
  merchant: { setting: MERCHANT_SETTINGS.setting },
  receipt: MERCHANT_SETTINGS.receipt,
  paymentPending: false,
}

/** Operator settings that every page is given. */
export const PAGE_FACTS = {
  footer: { aboutUrl: '/', privacyUrl: '/', badgeText: null },
  timeScale: 1,
  threeDS: { messageDomains: ['http://3ds.localhost:3000'], ...THREE_DS_LIMITS },
  sendsMail: false,
  release: 'v0.0.0',
}

const NOT_FORCED = { test: 0, live: 0 }

export const TEA_MERCHANT: Merchant = {
  id: 'tea-id',
  label: 'tea',
  settings: MERCHANT_SETTINGS,
  forcedChallengeUntil: NOT_FORCED,
  closedAt: null,
}
export const BOOKS_MERCHANT: Merchant = {
  id: 'books-id',
  label: 'books',
  settings: { ...MERCHANT_SETTINGS, allowExemption: false },
  forcedChallengeUntil: NOT_FORCED,
  closedAt: null,
}

export const API_KEYS = {
  tea: `sk_test_${'a'.repeat(32)}`,
  books: `sk_test_${'b'.repeat(32)}`,
  live: `sk_live_${'c'.repeat(32)}`,
}

/** A key that may do all and does not end; these facts changed. */
export const testKey = (key: string, merchantId: string, more: Partial<NewKey> = {}): NewKey => ({
  key,
  merchantId,
  mode: 'test',
  access: 'full',
  name: null,
  expiresAt: null,
  ...more,
})
