import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { MERCHANT_API } from './merchant/api.ts'
import * as shopperCalls from './shopper-calls.ts'
import { MERCHANT_BASE, MERCHANT_HEADER, SHOPPER_BASE } from './paths.ts'
import { CHECKOUT_STATUSES, FONT_TYPES } from './checkout.ts'
import { WIRE_LOCALES } from './locale.ts'

const calls = { ...shopperCalls, ...MERCHANT_API }

const takes = (schema: TSchema, ...values: readonly unknown[]): void => {
  for (const value of values) assert.equal(Check(schema, value), true, JSON.stringify(value))
}
const refuses = (schema: TSchema, ...values: readonly unknown[]): void => {
  for (const value of values) assert.equal(Check(schema, value), false, JSON.stringify(value))
}

const without = (sample: object, field: string): object =>
  Object.fromEntries(Object.entries(sample).filter(([name]) => name !== field))

/** Wraps a sample of a part into a body whose other parts are right. */
type Wrap = (part: object) => unknown

/** Takes the sample; refuses it with any of its required fields missing, with a field too many, and as anything else. */
const isClosed = (schema: TSchema, sample: object, optional: readonly string[], wrap: Wrap = (part) => part): void => {
  takes(schema, wrap(sample))
  for (const field of Object.keys(sample))
    assert.equal(Check(schema, wrap(without(sample, field))), optional.includes(field), `without ${field}`)
  refuses(schema, wrap({ ...sample, surprise: 1 }), wrap([]))
}

const card = {
  number: '4242424242424242',
  expiryMonth: 11,
  expiryYear: 2030,
  cvc: '123',
  email: 'a@b.jp',
  name: 'TARO',
}
const setting = {
  logoUrl: '/l.png',
  coverImageUrl: '/c.jpg',
  logoPlate: 'dark',
  colorCode: '#29abe9',
  fontType: 'serif',
}
const receipt = { shopName: 'A', shopAddress: 'B', shopPhoneNumber: '03', shopEmail: 'a@b.jp', shopUrl: 'https://a.jp' }
const checkout = {
  id: 'abc',
  status: 'paid',
  amount: 1980,
  subject: 'Tea',
  validUntil: '2026-11-29T14:59:59.999Z',
  remarks: 'None',
  acceptedCardBrands: ['visa'],
  links: { cancelUrl: 'https://a.jp/c', redirectUrl: 'https://a.jp/r' },
  locale: 'ja_JP',
  transactionId: 't1',
  paidAt: '2026-11-22T03:00:00.000Z',
  card: { brand: 'visa', number: '•••• 4242' },
  merchant: { setting },
  receipt,
  paymentPending: false,
}

test('the calls are those of the specification and of the merchant API, each at its address', () => {
  const addresses = Object.entries(calls).flatMap(([name, value]) =>
    typeof value === 'object' && 'method' in value ? [`${name}: ${value.method} ${value.path} ${value.status}`] : [],
  )
  assert.deepEqual(
    addresses.toSorted(),
    [
      'readCheckout: GET /checkouts/:checkoutId 200',
      'cancelCheckout: DELETE /checkouts/:checkoutId 200',
      'listBinCodes: GET /bincodes 200',
      'startPayment: POST /checkouts/:checkoutId/3ds 200',
      'authenticate: PATCH /3ds/:orderCode/authenticate 200',
      'reportCollectError: PATCH /3ds/:orderCode/collect-error 200',
      'reportChallengeError: PATCH /3ds/:orderCode/challenge-error 200',
      'monitorChallenge: GET /3ds/:orderCode/monitor 200',
      'pay: PATCH /checkouts/:checkoutId/3ds/:orderCode/pay 200',
      'readMe: GET /me 200',
      'createCheckout: POST /checkouts 201',
      'readMerchantCheckout: GET /checkouts/:checkoutId 200',
      'refundCheckout: POST /checkouts/:checkoutId/refunds 201',
      'listCheckouts: GET /checkouts 200',
      'readTimeline: GET /checkouts/:checkoutId/timeline 200',
      'cancelMerchantCheckout: POST /checkouts/:checkoutId/cancel 200',
      'listCheckoutRefunds: GET /checkouts/:checkoutId/refunds 200',
      'readRefund: GET /checkouts/:checkoutId/refunds/:refundId 200',
      'listRefunds: GET /refunds 200',
      'drawQrCode: GET /checkouts/:checkoutId/qr.svg 200',
      'createReusableLink: POST /links 201',
      'readReusableLink: GET /links/:linkId 200',
      'listReusableLinks: GET /links 200',
      'changeReusableLink: PATCH /links/:linkId 200',
      'drawLinkQrCode: GET /links/:linkId/qr.svg 200',
      'readSummary: GET /summary 200',
      'exportMovements: GET /exports/movements.csv 200',
      'readFigures: GET /figures 200',
      'exportFigures: GET /exports/figures.csv 200',
      'exportCheckouts: GET /exports/checkouts.csv 200',
      'listReconciliations: GET /reconciliations 200',
      'readReconciliation: GET /reconciliations/:reconciliationId 200',
      'readAttention: GET /attention 200',
      'readSettings: GET /settings 200',
      'changeSettings: PATCH /settings 200',
      'replacePicture: PUT /settings/:picture 200',
      'removePicture: DELETE /settings/:picture 200',
      'sendReceipt: POST /checkouts/:checkoutId/receipt 200',
      'changeWebhook: PATCH /webhooks/:webhookId 200',
      'createWebhook: POST /webhooks 201',
      'listDeliveries: GET /webhooks/:webhookId/deliveries 200',
      'listEvents: GET /events 200',
      'listWebhooks: GET /webhooks 200',
      'pingWebhook: POST /webhooks/:webhookId/ping 201',
      'readWebhook: GET /webhooks/:webhookId 200',
      'redeliverEvent: POST /events/:eventId/redeliver 201',
      'removeWebhook: DELETE /webhooks/:webhookId 200',
      'replayWebhook: POST /webhooks/:webhookId/replay 201',
      'rollWebhook: POST /webhooks/:webhookId/roll 200',
    ].toSorted(),
  )
  assert.deepEqual([SHOPPER_BASE, MERCHANT_BASE, MERCHANT_HEADER], ['/api/v1', '/merchant/v1', 'merchant'])
})

test('each call of the merchant API names the access that it needs, and no call of the page needs one', () => {
  const accesses = Object.entries(calls).flatMap(([name, value]) =>
    typeof value === 'object' && 'access' in value ? [`${name}: ${value.access}`] : [],
  )
  assert.deepEqual(accesses.toSorted(), [
    'cancelMerchantCheckout: sales',
    'changeReusableLink: sales',
    'changeSettings: full',
    'changeWebhook: full',
    'createCheckout: sales',
    'createReusableLink: sales',
    'createWebhook: full',
    'drawLinkQrCode: read',
    'drawQrCode: read',
    'exportCheckouts: read',
    'exportFigures: read',
    'exportMovements: read',
    'listCheckoutRefunds: read',
    'listCheckouts: read',
    'listDeliveries: full',
    'listEvents: full',
    'listReconciliations: read',
    'listRefunds: read',
    'listReusableLinks: read',
    'listWebhooks: full',
    'pingWebhook: full',
    'readAttention: read',
    'readFigures: read',
    'readMe: read',
    'readMerchantCheckout: read',
    'readReconciliation: read',
    'readRefund: read',
    'readReusableLink: read',
    'readSettings: read',
    'readSummary: read',
    'readTimeline: read',
    'readWebhook: full',
    'redeliverEvent: full',
    'refundCheckout: full',
    'removePicture: full',
    'removeWebhook: full',
    'replacePicture: full',
    'replayWebhook: full',
    'rollWebhook: full',
    'sendReceipt: sales',
  ])
})

test('a call without a body takes nothing and an empty object, and refuses everything else', () => {
  const { readCheckout, cancelCheckout, listBinCodes, authenticate, readMerchantCheckout, readMe } = calls
  const { reportCollectError, reportChallengeError, monitorChallenge } = calls
  const bodiless = [readCheckout, cancelCheckout, listBinCodes, authenticate, readMerchantCheckout, readMe]
  for (const { body } of [...bodiless, reportCollectError, reportChallengeError, monitorChallenge]) {
    takes(body, null, {})
    refuses(body, { orderCode: 'abc' }, [], '', 0, false, undefined)
  }
})

test('a picture is the logo or the cover, and its answer says where and what it is', () => {
  const { params, answer } = calls.replacePicture
  for (const path of [params, calls.removePicture.params]) {
    takes(path, { picture: 'logo' }, { picture: 'cover' })
    refuses(path, { picture: 'banner' }, { picture: '' }, {})
  }
  isClosed(answer, { url: 'https://tea.a.jp/pictures/a.png', contentType: 'image/png', width: 1, height: 1 }, [])
  takes(calls.removePicture.body, null, {})
  isClosed(calls.removePicture.answer, {}, [])
})

const id = (length: number): string => 'a'.repeat(length)

test('an id in an address has at most 200 characters', () => {
  takes(calls.readCheckout.params, { checkoutId: id(200) })
  refuses(calls.readCheckout.params, { checkoutId: id(201) }, {}, { checkoutId: 1 })
  takes(calls.authenticate.params, { orderCode: id(200) })
  refuses(calls.authenticate.params, { orderCode: id(201) }, {})
  takes(calls.pay.params, { checkoutId: id(200), orderCode: id(200) })
  refuses(calls.pay.params, { checkoutId: id(201), orderCode: 'a' }, { checkoutId: 'a', orderCode: id(201) })
  refuses(calls.pay.params, { checkoutId: 'a' }, { orderCode: 'a' })
})

test('start takes exactly one card with exactly its six fields', () => {
  const { body } = calls.startPayment
  isClosed(body, { card }, [])
  isClosed(body, card, [], (part) => ({ card: part }))
  refuses(body, card, { card: null }, { card: JSON.stringify(card) })
})

const each = (field: string, values: readonly unknown[]): object[] =>
  values.map((value) => ({ card: { ...card, [field]: value } }))
const email = (length: number): string => `${'a'.repeat(length - 5)}@b.jp`

test('start refuses a card whose fields are out of range', () => {
  const { body } = calls.startPayment
  takes(
    body,
    ...each(
      'number',
      [14, 15, 16].map((length) => '4'.repeat(length)),
    ),
  )
  refuses(body, ...each('number', ['4'.repeat(13), '4'.repeat(17), '', '4242 4242 4242 4242', 4242424242424242, null]))
  takes(body, ...each('expiryMonth', [1, 12]))
  refuses(body, ...each('expiryMonth', [0, 13, -1, 1.5, '1', '01', null]))
  takes(body, ...each('expiryYear', [2000, 2026, 2100]))
  refuses(body, ...each('expiryYear', [1999, 2101, 26, 2030.5, '2030']))
  takes(body, ...each('cvc', ['000', '123', '1234']))
  refuses(body, ...each('cvc', ['12', '12345', '12a', '123\n', '', 123, null]))
  takes(body, ...each('email', [email(6), email(254)]))
  refuses(body, ...each('email', ['', 'a@', email(255), null]))
  takes(body, ...each('name', ['AB', 'a'.repeat(45)]))
  refuses(body, ...each('name', ['', 'A', 'a'.repeat(46), 12, null]))
})

test('pay takes a security code, an address for the receipt and a locale that may be absent', () => {
  const { body } = calls.pay
  const sample = { cvc: '123', locale: 'ja_JP', receiptEmail: 'a@b.jp' }
  isClosed(body, sample, ['locale'])
  for (const cvc of ['12', '12345', '', 123]) refuses(body, { ...sample, cvc })
  takes(body, { ...sample, cvc: '1234' }, { ...sample, locale: 'x'.repeat(35) })
  refuses(body, { ...sample, locale: 'x'.repeat(36) }, { ...sample, locale: null }, { ...sample, amount: 1 })
  refuses(body, { ...sample, receiptEmail: 'a@' }, { ...sample, receiptEmail: 'a'.repeat(255) })
  takes(body, { ...sample, receiptEmail: 'a'.repeat(254) })
})

test('a checkout as read holds what the page shows and nothing more', () => {
  const optional = ['subject', 'remarks', 'locale', 'transactionId', 'paidAt', 'card']
  for (const { answer } of [calls.readCheckout, calls.cancelCheckout, calls.pay]) {
    isClosed(answer, checkout, optional)
    isClosed(answer, checkout.links, ['cancelUrl', 'redirectUrl'], (links) => ({ ...checkout, links }))
    isClosed(answer, checkout.card, [], (part) => ({ ...checkout, card: part }))
    isClosed(answer, checkout.merchant, [], (merchant) => ({ ...checkout, merchant }))
    isClosed(answer, setting, ['logoUrl', 'coverImageUrl', 'logoPlate'], (part) => ({
      ...checkout,
      merchant: { setting: part },
    }))
    isClosed(answer, receipt, [], (part) => ({ ...checkout, receipt: part }))
  }
})

const withSetting = (part: object): object => ({ ...checkout, merchant: { setting: { ...setting, ...part } } })

test('a checkout as read has a known status, whole yen within the limits, a known locale and a plain colour', () => {
  const { answer } = calls.readCheckout
  for (const status of CHECKOUT_STATUSES) takes(answer, { ...checkout, status })
  for (const status of ['disputed', 'OPEN', '', null]) refuses(answer, { ...checkout, status })
  for (const amount of [1, 9_999_999]) takes(answer, { ...checkout, amount })
  for (const amount of [0, -1, 10_000_000, 1.5, '1980', null, NaN]) refuses(answer, { ...checkout, amount })
  for (const locale of WIRE_LOCALES) takes(answer, { ...checkout, locale })
  for (const locale of ['ja', 'ja-JP', 'en_GB', '']) refuses(answer, { ...checkout, locale })
  for (const colorCode of ['#000000', '#FFffFF']) takes(answer, withSetting({ colorCode }))
  for (const colorCode of ['29abe9', '#29abe', '#29abe9f', '#29abeg', '#29abe9;x', 'red'])
    refuses(answer, withSetting({ colorCode }))
  for (const fontType of FONT_TYPES) takes(answer, withSetting({ fontType }))
  refuses(answer, withSetting({ fontType: 'monospace' }))
})

test('the answers of the 3-D Secure calls refuse missing and unknown fields as well', () => {
  const start = {
    orderCode: 'o1',
    threeDSRequired: true,
    collectUrl: 'https://3ds.a.jp/c',
    monitoringUrl: 'https://3ds.a.jp/m',
  }
  isClosed(calls.startPayment.answer, start, ['collectUrl', 'monitoringUrl'])
  refuses(calls.startPayment.answer, { ...start, threeDSRequired: 'true' })
  const challenge = { threeDSType: 'challenge', checkCode: 'c', challengeUrl: 'u', monitoringUrl: 'm', orderCode: 'o1' }
  isClosed(calls.authenticate.answer, challenge, ['challengeUrl', 'monitoringUrl'])
  takes(calls.authenticate.answer, { ...challenge, threeDSType: 'frictionless' })
  refuses(calls.authenticate.answer, { ...challenge, threeDSType: 'Challenge' })
  isClosed(calls.monitorChallenge.answer, { event: 'AuthResultReady' }, [])
  takes(calls.monitorChallenge.answer, { event: 'AuthResultNotReady' })
  refuses(calls.monitorChallenge.answer, { event: '3DS_AUTH_RESULT_READY' })
  for (const { answer } of [calls.reportCollectError, calls.reportChallengeError]) isClosed(answer, {}, [])
})

test('a bin code is a prefix and a brand', () => {
  const { answer } = calls.listBinCodes
  takes(answer, [])
  isClosed(answer, { prefix: '4', brand: 'visa' }, [], (part) => [part])
  refuses(answer, {}, [{ prefix: 4, brand: 'visa' }])
})
