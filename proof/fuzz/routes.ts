/** Routes under fuzz: a valid call for every route of the app. A route that is missing here fails the fuzz test. */
import { createHash } from 'node:crypto'
import { SHOPPER_BASE } from '#contract/paths.ts'
import { PICTURE_IN_ASCII } from '../../server/pictures/testing/fixtures.ts'
import { requestorTransId } from '../../server/three-ds/active-server/translate.ts'
import { BROWSER_INFO, SCREEN } from '../harness/simulated-browser.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import type { KnownIds } from './fuzz-request.ts'
import { JSON_TYPE, targetOf, type Address, type Body, type FuzzedRoute } from './fuzzed-route.ts'
import { MERCHANT_ROUTES } from './merchant-routes.ts'

/** Numbers that the sandbox neither answers with a fault of its own nor leaves in doubt: those are 5xx by design. */
const PAID_NUMBERS = [
  '4242424242424242',
  '4111111111111111',
  '5555555555554444',
  '5105105105105100',
  '4100000000000100',
  '3528000000000106',
  '340000000000108',
  '6440000000000104',
  '36000000000008',
] as const
const REFUSED_NUMBERS = [
  '4100000000600008',
  '4100000000100009',
  '4100000000300005',
  '4100000000400003',
  '4100000000500000',
  '4100000000740002',
  '4100000000750001',
  '4100000000751009',
  '4100000000752007',
  '4100000000760000',
  '4100000000761008',
  '4100000000762006',
] as const
/** Approved in the bank's app a moment later. */
export const CHALLENGED_NUMBER = '4100000000715004'

/** Most are paid: where half of them are not, the merchant counts as under attack and hardly any payment goes further. */
const cardNumber = (random: SeededRandom): string => {
  if (random.chance(0.04)) return CHALLENGED_NUMBER
  return random.chance(0.06) ? random.oneOf([...REFUSED_NUMBERS]) : random.oneOf([...PAID_NUMBERS])
}

const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

/** A call of the shopper's page. It may be sent to the base as well as to the merchant's own host. */
const shopperCall = (reached: number, method: string, address: Address, body?: Body): FuzzedRoute => ({
  reached,
  valid: (site, ids, random) => ({
    method,
    target: SHOPPER_BASE + targetOf(address, ids, site),
    headers: {
      host: random.chance(0.5) ? site.base : `${site.merchant}.${site.base}`,
      merchant: site.merchant,
      ...(method === 'GET' ? {} : JSON_TYPE),
    },
    body: body === undefined ? (method === 'GET' ? null : '') : JSON.stringify(body(random, ids)),
  }),
})

/** Its name is the hash of its content, whoever has uploaded it. */
const UPLOADED_PICTURE = `/pictures/${createHash('sha256').update(PICTURE_IN_ASCII).digest('hex')}.webp`

const onHost = (
  label: 'base' | 'merchant' | 'bridge',
  reached: number,
  address: Address,
  query: (random: SeededRandom) => string = () => '',
): FuzzedRoute => ({
  reached,
  valid: (site, ids, random) => ({
    method: 'GET',
    target: targetOf(address, ids, site) + query(random),
    headers: {
      host: { base: '', merchant: `${site.merchant}.`, bridge: '3ds.' }[label] + site.base,
      'accept-language': random.oneOf(['ja', 'ko-KR,ko;q=0.9', 'zh-TW', '*', 'en']),
    },
    body: null,
  }),
})

const postOnHost = (
  label: '' | '3ds.',
  reached: number,
  address: Address,
  type: Readonly<Record<string, string>>,
  body: (random: SeededRandom, ids: KnownIds) => string,
): FuzzedRoute => ({
  reached,
  valid: (site, ids, random) => ({
    method: 'POST',
    target: targetOf(address, ids, site),
    headers: { host: `${label}${site.base}`, ...type },
    body: body(random, ids),
  }),
})

const pageQuery = (random: SeededRandom): string =>
  random.oneOf(['', '', '?mode=test', '?locale=ja', '?locale=zh-TW&mode=test', '?utm_source=a&b=%E3%81%82'])

const previewQuery = (random: SeededRandom): string =>
  `?colorCode=%232f6b4f&subject=${random.oneOf(['Tea', '%E8%8C%B6', ''])}&screen=${random.oneOf(['', 'complete', 'refunded', 'error'])}`

const eventForm = (random: SeededRandom, { orderCode }: KnownIds): string => {
  const event = random.oneOf(['3DSMethodFinished', '3DSMethodSkipped', 'AuthResultReady', '3DSMethodHasError', 'Other'])
  return String(new URLSearchParams({ requestorTransId: requestorTransId(orderCode), event, param: BROWSER_INFO }))
}

const card = (random: SeededRandom): unknown => {
  const fields = {
    number: cardNumber(random),
    expiryMonth: 12,
    expiryYear: 2099,
    cvc: '737',
    email: 'taro@example.com',
    name: 'TARO YAMADA',
  }
  return random.chance(0.8) ? { card: fields } : fields
}

/** By method and address as the app declares them. */
export const FUZZED_ROUTES: Readonly<Record<string, FuzzedRoute>> = {
  'GET /healthz': onHost('base', 200, '/healthz'),
  'GET /readyz': onHost('base', 200, '/readyz'),
  'GET /': onHost('base', 200, '/'),
  'GET /about': onHost('base', 200, '/about'),
  'GET /privacy': onHost('base', 200, '/privacy'),
  'GET /404': onHost('merchant', 404, '/404', pageQuery),
  'GET /404/': onHost('merchant', 303, '/404/', pageQuery),
  'GET /500': onHost('merchant', 500, '/500', pageQuery),
  'GET /500/': onHost('merchant', 303, '/500/', pageQuery),
  'GET /preview': onHost('merchant', 200, '/preview', previewQuery),
  'GET /preview/': onHost('merchant', 303, '/preview/'),
  'GET /assets/*': onHost('merchant', 200, (_ids, { asset }) => asset),
  'GET /pictures/:name': onHost('merchant', 200, UPLOADED_PICTURE),
  'GET /demo/:name': onHost('merchant', 200, '/demo/logo.png'),
  'GET /:checkoutId': onHost('merchant', 303, ({ checkoutId }) => `/${checkoutId}`, pageQuery),
  'GET /:checkoutId/*': onHost('merchant', 200, ({ checkoutId }) => `/${checkoutId}/creditcard`, pageQuery),
  // Of nobody's address: the link of a mail is known to its reader alone.
  'GET /mail-address/:token': onHost('merchant', 404, ({ ticket }) => `/mail-address/${ticket}`, pageQuery),
  'POST /mail-address/:token': {
    reached: 404,
    valid: (site, { ticket }) => ({
      method: 'POST',
      target: `/mail-address/${ticket}`,
      headers: { host: `${site.merchant}.${site.base}`, ...FORM_TYPE },
      body: '',
    }),
  },
  'POST /csp-report': postOnHost('', 204, '/csp-report', { 'content-type': 'application/csp-report' }, (random) =>
    JSON.stringify({ 'csp-report': { 'effective-directive': random.oneOf(['script-src', 'img-src', 'x']) } }),
  ),

  'GET /api/v1/checkouts/:checkoutId': shopperCall(200, 'GET', ({ checkoutId }) => `/checkouts/${checkoutId}`),
  'DELETE /api/v1/checkouts/:checkoutId': shopperCall(200, 'DELETE', ({ checkoutId }) => `/checkouts/${checkoutId}`),
  'GET /api/v1/*': shopperCall(405, 'GET', '/nothing'),
  'GET /api/v1/bincodes': shopperCall(200, 'GET', '/bincodes'),
  'POST /api/v1/checkouts/:checkoutId/3ds': shopperCall(
    200,
    'POST',
    ({ checkoutId }) => `/checkouts/${checkoutId}/3ds`,
    card,
  ),
  'PATCH /api/v1/3ds/:orderCode/authenticate': shopperCall(
    200,
    'PATCH',
    ({ orderCode }) => `/3ds/${orderCode}/authenticate`,
  ),
  'PATCH /api/v1/3ds/:orderCode/collect-error': shopperCall(
    200,
    'PATCH',
    ({ orderCode }) => `/3ds/${orderCode}/collect-error`,
  ),
  'PATCH /api/v1/3ds/:orderCode/challenge-error': shopperCall(
    200,
    'PATCH',
    ({ orderCode }) => `/3ds/${orderCode}/challenge-error`,
  ),
  'GET /api/v1/3ds/:orderCode/monitor': shopperCall(200, 'GET', ({ orderCode }) => `/3ds/${orderCode}/monitor`),
  'PATCH /api/v1/checkouts/:checkoutId/3ds/:orderCode/pay': shopperCall(
    200,
    'PATCH',
    ({ checkoutId, orderCode }) => `/checkouts/${checkoutId}/3ds/${orderCode}/pay`,
    () => ({ cvc: '737', locale: 'ja_JP', receiptEmail: 'taro@example.com' }),
  ),

  ...MERCHANT_ROUTES,

  'GET /collect/:ticket': onHost('bridge', 200, ({ ticket }) => `/collect/${ticket}`),
  'GET /watch/:ticket': onHost('bridge', 200, ({ ticket }) => `/watch/${ticket}`),
  'GET /challenge/:ticket': onHost('bridge', 200, ({ ticket }) => `/challenge/${ticket}`),
  'POST /collect/:ticket/browser': postOnHost(
    '3ds.',
    204,
    ({ ticket }) => `/collect/${ticket}/browser`,
    JSON_TYPE,
    () => JSON.stringify(SCREEN),
  ),
  'POST /events/:ticket': postOnHost('3ds.', 200, ({ ticket }) => `/events/${ticket}`, FORM_TYPE, eventForm),
}

/** Routes that draw a page: each takes as long as ten calls, so that they are sent less often. */
export const isDear = (route: string): boolean => /^GET \/(404|500|preview|:checkoutId\/\*)$/.test(route)
