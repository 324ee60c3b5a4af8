/** Misplaced cards in what a shop's own server and staff send: checkouts, lists, settings and pictures. */
import { MERCHANT_BASE } from '#contract/paths.ts'
import { jpegSegment } from '../../server/pictures/jpeg-segments.ts'
import { exifWith, fixture, tinyPng, webpChunks } from '../../server/pictures/testing/fixtures.ts'
import { webpFile } from '../../server/pictures/webp.ts'
import { groupInFours } from './canary.ts'
import type { HttpRequest } from './http-client.ts'
import { misplaced, withOpenCheckout, type MisplacedCard } from './misplaced-card.ts'
import { merchantRequest } from './shopper-requests.ts'

const createRequest = (body: object, { key }: MisplacedCard): HttpRequest =>
  merchantRequest('POST', '/checkouts', key, { amount: 1980, ...body })

const IN_NEW_CHECKOUTS = misplaced<object>(withOpenCheckout, createRequest, [
  ['the number for a subject', 400, ({ number }) => ({ subject: groupInFours(number, '-') })],
  [
    'the card in the remarks',
    400,
    ({ number, cvc }) => ({ remarks: `Order by telephone: ${groupInFours(number, ' ')}, 12/99, ${cvc}` }),
  ],
  ['the number for a reference', 400, ({ number }) => ({ reference: groupInFours(number, ' ') })],
  ['the number for an amount', 400, ({ number }) => ({ amount: Number(number) })],
  ['the number for a deadline', 400, ({ number }) => ({ validUntil: number })],
  ['the number for a brand', 400, ({ number }) => ({ acceptedCardBrands: [number] })],
  ['the number for the language of a checkout', 400, ({ number }) => ({ locale: number })],
  ['the number for a link', 400, ({ number }) => ({ links: { cancelUrl: number } })],
  ['the number as a name in metadata', 400, ({ number }) => ({ metadata: { [number]: 5 } })],
])

/** In the headers and the path of a call that creates, with these parts of it changed. */
const IN_CREATE_CALLS = misplaced<Partial<HttpRequest>>(
  withOpenCheckout,
  ({ headers, ...changes }, context) => {
    const request = createRequest({}, context)
    return { ...request, ...changes, headers: { ...request.headers, ...headers } }
  },
  [
    ['the number for an idempotency key', 400, ({ number }) => ({ headers: { 'idempotency-key': number } })],
    ['the number for a key', 401, ({ number }) => ({ headers: { authorization: `Bearer ${number}` } })],
    ['the number in a key', 401, ({ number }) => ({ headers: { authorization: `Bearer sk_test_${number}00` } })],
    [
      'the number for a refund’s checkout',
      404,
      ({ number }) => ({ path: `${MERCHANT_BASE}/checkouts/${number}/refunds`, body: '{"refundId":"r"}' }),
    ],
  ],
)

const IN_LISTS = misplaced<string>(
  withOpenCheckout,
  (path, { key }) => ({ method: 'GET', path: MERCHANT_BASE + path, headers: { authorization: `Bearer ${key}` } }),
  [
    ['the number to look for by reference', 200, ({ number }) => `/checkouts?reference=${number}`],
    ['the number to look for by last digits', 400, ({ number }) => `/checkouts?lastFour=${number}`],
    ['the number for a filter', 400, ({ number, cvc }) => `/checkouts?${number}=${cvc}`],
    ['the number for a place in a list', 400, ({ number }) => `/refunds?after=${number}`],
    ['the number for a day of the export', 400, ({ number }) => `/exports/movements.csv?from=${number}`],
  ],
)

const IN_SETTINGS = misplaced<readonly [body: object, ifMatch?: string]>(
  withOpenCheckout,
  ([body, ifMatch = '*'], { key }) => merchantRequest('PATCH', '/settings', key, body, { 'if-match': ifMatch }),
  [
    ['the number for a shop’s name', 400, ({ number }) => [{ shopName: number }]],
    [
      'the card in a shop’s address',
      400,
      ({ number, cvc }) => [{ shopAddress: `${groupInFours(number, ' ')}, 12/99, ${cvc}` }],
    ],
    ['the number for a shop’s telephone', 400, ({ number }) => [{ shopPhoneNumber: groupInFours(number, '-') }]],
    ['the number in a shop’s e-mail address', 400, ({ number }) => [{ shopEmail: `${number}@example.com` }]],
    [
      'the number in the address of mails to a shop',
      400,
      ({ number }) => [{ notifications: { address: `${number}@example.com` } }],
    ],
    [
      'the number in the address of a shop’s site',
      400,
      ({ number }) => [{ shopUrl: `https://example.com/?${number}` }],
    ],
    ['the number for a host of links', 400, ({ number }) => [{ linkHosts: [`${number}.example.com`] }]],
    ['the number for a registration number', 400, ({ number }) => [{ registrationNumber: number }]],
    ['the number for a colour', 400, ({ number }) => [{ colorCode: number }]],
    ['the number for the name of a setting', 400, ({ number }) => [{ [number]: 1 }]],
    ['the number for the ETag of settings', 412, ({ number }) => [{ fontType: 'serif' }, `"${number}"`]],
  ],
)

const cardText = ({ number, cvc }: MisplacedCard): Buffer => Buffer.from(`card ${number} ${cvc}`)

const inComment = (data: Buffer): Buffer => {
  const file = fixture('gray.jpg')
  return Buffer.concat([file.subarray(0, 2), jpegSegment(0xfe, data), file.subarray(2), data])
}

const inXmp = (data: Buffer): Buffer =>
  webpFile([...webpChunks(fixture('canvas-lossy-alpha.webp')), { type: 'XMP ', data }])

/** In the texts of a shop's picture: a photograph of an order form, say, with its note. */
const IN_PICTURES = misplaced<Buffer>(
  withOpenCheckout,
  (body, { key }) => ({
    method: 'PUT',
    path: `${MERCHANT_BASE}/settings/logo`,
    headers: { authorization: `Bearer ${key}`, 'content-length': String(body.length) },
    body,
  }),
  [
    ['the card in a text of a PNG', 200, (card) => tinyPng({ type: 'tEXt', data: cardText(card) })],
    ['the card in a comment of a JPEG and behind it', 200, (card) => inComment(cardText(card))],
    ['the card in the XMP of a WebP', 200, (card) => inXmp(cardText(card))],
    [
      'the card in a picture that is refused',
      400,
      (card) => tinyPng({ type: 'tEXt', data: cardText(card) }, { type: 'eXIf', data: exifWith(6) }),
    ],
    ['the card for a picture', 400, cardText],
  ],
)

const IN_PICTURE_NAMES = misplaced<string>(withOpenCheckout, (path) => ({ method: 'GET', path }), [
  ['the number for the name of a picture', 404, ({ number }) => `/pictures/${number}.png`],
])

export const IN_MERCHANT_CALLS = [
  ...IN_NEW_CHECKOUTS,
  ...IN_CREATE_CALLS,
  ...IN_LISTS,
  ...IN_SETTINGS,
  ...IN_PICTURES,
  ...IN_PICTURE_NAMES,
]
