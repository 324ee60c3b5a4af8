import { MERCHANT_BASE, SHOPPER_BASE } from '#contract/paths.ts'
import { DEMO_LABEL } from '../../server/demo/demo.ts'
import { grouped } from './canary.ts'
import type { Request } from './client.ts'
import { atCollecting, openCheckout, paying, type Mistakes, type Situation } from './mistake.ts'
import { JSON_TYPE, SHOPPER } from './shopper.ts'

const get = (path: string, headers: Record<string, string> = SHOPPER): Request => ({
  method: 'GET',
  path,
  headers,
})
const page = ({ port }: Situation, path: string, headers: Record<string, string> = {}): Request =>
  get(path, { host: `${DEMO_LABEL}.localhost:${port}`, ...headers })

/** What they put into addresses and headers. */
export const IN_ADDRESSES: Mistakes = {
  prepare: openCheckout,
  mistakes: [
    ['the number for a checkout', 404, ({ canary }) => get(`${SHOPPER_BASE}/checkouts/${canary.number}`)],
    ['the number for an order', 409, (f) => ({ ...paying({ ...f, orderCode: f.canary.number }, {}) })],
    [
      'the number for an order to authenticate',
      409,
      ({ canary }) => ({
        method: 'PATCH',
        path: `${SHOPPER_BASE}/3ds/${canary.number}/authenticate`,
        headers: SHOPPER,
      }),
    ],
    ['the number for a call', 404, ({ canary }) => get(`${SHOPPER_BASE}/${canary.number}/${canary.cvc}`)],
    ['the number for a page', 404, (f) => page(f, `/${f.canary.number}`)],
    ['the number for a card page', 303, (f) => page(f, `/${f.canary.number}/creditcard`)],
    ['the number for a file', 404, ({ canary }) => get(`/assets/${canary.number}.js`)],
    ['the number behind a broken address', 303, ({ canary }) => get(`/%zz${canary.number}`)],
    ['the number behind a broken call', 404, ({ canary }) => get(`${SHOPPER_BASE}/checkouts/%zz${canary.number}`)],
    [
      'the number in the query of a call',
      200,
      ({ canary, checkoutId }) =>
        get(`${SHOPPER_BASE}/checkouts/${checkoutId}?number=${canary.number}&cvc=${canary.cvc}`),
    ],
    [
      'the number in the query of a link',
      303,
      (f) => page(f, `/${f.checkoutId}?number=${f.canary.number}&cvc=${f.canary.cvc}`),
    ],
    [
      'the number in the query of a link, grouped',
      303,
      (f) => page(f, `/${f.checkoutId}?number=${grouped(f.canary.number, '%20')}`),
    ],
    [
      'the number in the query of the card page',
      200,
      (f) => page(f, `/${f.checkoutId}/creditcard?number=${f.canary.number}&cvc=${f.canary.cvc}`),
    ],
    [
      'the number in the query of a preview',
      200,
      (f) => page(f, `/preview?number=${f.canary.number}&cvc=${f.canary.cvc}`),
    ],
    [
      'the number for the subject of a preview',
      200,
      (f) => ({ ...page(f, `/preview?subject=${f.canary.number}&remarks=${f.canary.cvc}`), showsItsAddress: true }),
    ],
    [
      'the number for a host',
      404,
      ({ canary, port, checkoutId }) =>
        get(`/${checkoutId}/complete/x`, { host: `${canary.number}.localhost:${port}` }),
    ],
    [
      'the number for a language',
      200,
      (f) =>
        page(f, `/${f.checkoutId}/creditcard`, { 'accept-language': f.canary.number, 'user-agent': f.canary.number }),
    ],
    ['the number in the query of the health check', 200, ({ canary }) => get(`/healthz?number=${canary.number}`)],
  ],
}

const merchant = ({ key }: Situation, body: object): Request => ({
  method: 'POST',
  path: `${MERCHANT_BASE}/checkouts`,
  headers: { ...JSON_TYPE, authorization: `Bearer ${key}` },
  body: JSON.stringify({ amount: 1980, ...body }),
})

/** What a shop's own server and staff put into a checkout. */
export const BY_MERCHANTS: Mistakes = {
  prepare: openCheckout,
  mistakes: [
    ['the number for a subject', 400, (f) => merchant(f, { subject: grouped(f.canary.number, '-') })],
    [
      'the card in the remarks',
      400,
      (f) => merchant(f, { remarks: `Order by telephone: ${grouped(f.canary.number, ' ')}, 12/99, ${f.canary.cvc}` }),
    ],
    ['the number for an amount', 400, (f) => merchant(f, { amount: Number(f.canary.number) })],
    ['the number for a deadline', 400, (f) => merchant(f, { validUntil: f.canary.number })],
    ['the number for a brand', 400, (f) => merchant(f, { acceptedCardBrands: [f.canary.number] })],
    ['the number for the language of a checkout', 400, (f) => merchant(f, { locale: f.canary.number })],
    ['the number for a link', 400, (f) => merchant(f, { links: { cancelUrl: f.canary.number } })],
    ['the number as a name in metadata', 400, (f) => merchant(f, { metadata: { [f.canary.number]: 5 } })],
    ['the number for a key', 401, (f) => merchant({ ...f, key: f.canary.number }, {})],
    ['the number in a key', 401, (f) => merchant({ ...f, key: `sk_test_${f.canary.number}00` }, {})],
    [
      'the number for a refund’s checkout',
      404,
      (f) => ({ ...merchant(f, { refundId: 'r' }), path: `${MERCHANT_BASE}/checkouts/${f.canary.number}/refunds` }),
    ],
  ],
}

const bridge = (
  { port }: Situation,
  path: string,
  type: string,
  body: string,
  headers: Record<string, string> = {},
): Request => ({
  method: 'POST',
  path,
  headers: { host: `3ds.localhost:${port}`, 'content-type': type, ...headers },
  body,
})
const FORM = 'application/x-www-form-urlencoded'
const SCREEN = { language: 'ja', javaEnabled: false, colorDepth: 24, height: 844, width: 390, timeZoneOffset: -540 }

/** What browsers, banks and their pages say. */
export const BY_BROWSERS: Mistakes = {
  prepare: atCollecting,
  mistakes: [
    [
      'a browser named after it',
      204,
      (f) =>
        bridge(f, `/collect/${f.ticket}/browser`, 'application/json', JSON.stringify(SCREEN), {
          'user-agent': `Phone ${f.canary.number}`,
          accept: f.canary.number,
          'accept-language': f.canary.number,
        }),
    ],
    [
      'a browser whose language it is',
      400,
      (f) =>
        bridge(
          f,
          `/collect/${f.ticket}/browser`,
          'application/json',
          JSON.stringify({ ...SCREEN, language: f.canary.number }),
        ),
    ],
    [
      'an event named after it',
      200,
      (f) =>
        bridge(
          f,
          `/events/${f.ticket}`,
          FORM,
          `requestorTransId=${f.session}&event=${f.canary.number}&cvc=${f.canary.cvc}`,
        ),
    ],
    ['a ticket named after it', 404, (f) => bridge(f, `/events/${f.canary.number}`, FORM, `event=x`)],
    [
      'a report of a blocked address',
      204,
      (f) => ({
        method: 'POST',
        path: '/csp-report',
        headers: { 'content-type': 'application/csp-report' },
        body: JSON.stringify({
          'csp-report': {
            'effective-directive': 'img-src',
            'blocked-uri': `https://x.example/${f.canary.number}?cvc=${f.canary.cvc}`,
            'document-uri': f.canary.number,
          },
        }),
      }),
    ],
    [
      'a report of a directive named after it',
      204,
      (f) => ({
        method: 'POST',
        path: '/csp-report',
        headers: { 'content-type': 'application/reports+json' },
        body: JSON.stringify([{ body: { effectiveDirective: f.canary.number } }]),
      }),
    ],
  ],
}
