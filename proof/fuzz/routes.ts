/** Routes under fuzz: a valid call for every route of the app. A route that is missing here fails the fuzz test. */
import { createHash } from 'node:crypto'
import { CONSOLE_BASE } from '#contract/console/paths.ts'
import { MERCHANT_BASE, SHOPPER_BASE } from '#contract/paths.ts'
import { PICTURE_IN_ASCII } from '../../server/pictures/testing/fixtures.ts'
import { requestorTransId } from '../../server/three-ds/active-server/translate.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import { BROWSER_INFO, SCREEN } from '../harness/simulated-browser.ts'
import { CARD } from '../harness/test-server.ts'
import { CONSOLE_CALLS } from './console-calls.ts'
import type { FuzzRequest, FuzzSite, KnownIds } from './fuzz-request.ts'
import { fuzzedCardNumber } from './fuzzed-cards.ts'
import { MERCHANT_CALLS } from './merchant-calls.ts'
import type { RouteCall } from './route-call.ts'

export interface FuzzedRoute {
  /** What a valid call is answered with, where its checkout and its order are at the right step. */
  readonly reached: number
  readonly valid: (site: FuzzSite, ids: KnownIds, random: SeededRandom) => FuzzRequest
}

const card = (random: SeededRandom): unknown => {
  const fields = { ...CARD, number: fuzzedCardNumber(random) }
  return random.chance(0.8) ? { card: fields } : fields
}

const FORM_TYPE = 'application/x-www-form-urlencoded'

const pageQuery = (random: SeededRandom): string =>
  random.oneOf(['', '', '?mode=test', '?locale=ja', '?locale=zh-TW&mode=test', '?utm_source=a&b=%E3%81%82'])

const previewQuery = (random: SeededRandom): string =>
  `?colorCode=%232f6b4f&subject=${random.oneOf(['Tea', '%E8%8C%B6', ''])}&screen=${random.oneOf(['', 'complete', 'refunded', 'error'])}`

/** Its token looks like an order code. */
const mailAddress = ({ orderCode }: KnownIds): string => `/mail-address/${orderCode}`

const eventForm = (random: SeededRandom, { orderCode }: KnownIds): string => {
  const event = random.oneOf(['3DSMethodFinished', '3DSMethodSkipped', 'AuthResultReady', '3DSMethodHasError', 'Other'])
  return String(new URLSearchParams({ requestorTransId: requestorTransId(orderCode), event, param: BROWSER_INFO }))
}

const linkForm = (random: SeededRandom, { orderCode }: KnownIds): string =>
  String(new URLSearchParams({ amount: random.oneOf(['1980', '１，９８０', '¥ 500']), form: orderCode }))

const cspReport = (random: SeededRandom): string =>
  JSON.stringify({ 'csp-report': { 'effective-directive': random.oneOf(['script-src', 'img-src', 'x']) } })

/** Its name is the hash of its content, whoever has uploaded it. */
const UPLOADED_PICTURE = `/pictures/${createHash('sha256').update(PICTURE_IN_ASCII).digest('hex')}.webp`

/** By method and address as the app declares them. */
const CALLS: Readonly<Record<string, RouteCall>> = {
  'GET /healthz': { reached: 200, host: 'base' },
  'GET /readyz': { reached: 200, host: 'base' },
  'GET /': { reached: 200, host: 'base' },
  'GET /about': { reached: 200, host: 'base' },
  'GET /privacy': { reached: 200, host: 'base' },
  'GET /404': { reached: 404, query: pageQuery },
  'GET /404/': { reached: 303, query: pageQuery },
  'GET /500': { reached: 500, query: pageQuery },
  'GET /500/': { reached: 303, query: pageQuery },
  'GET /preview': { reached: 200, query: previewQuery },
  'GET /preview/': { reached: 303 },
  'GET /assets/*': { reached: 200, path: (_ids, { asset }) => asset },
  'GET /pictures/:name': { reached: 200, path: () => UPLOADED_PICTURE },
  'GET /demo/:name': { reached: 200, path: () => '/demo/logo.png' },
  'GET /:checkoutId': { reached: 303, query: pageQuery },
  'GET /:checkoutId/*': { reached: 200, path: ({ checkoutId }) => `/${checkoutId}/creditcard`, query: pageQuery },
  // Of nobody's address: the link of a mail is known to its reader alone.
  'GET /mail-address/:token': { reached: 404, path: mailAddress, query: pageQuery },
  'POST /mail-address/:token': { reached: 404, path: mailAddress, body: { type: FORM_TYPE, text: () => '' } },
  'GET /links/:linkId': { reached: 200, query: pageQuery },
  'POST /links/:linkId': { reached: 303, query: pageQuery, body: { type: FORM_TYPE, text: linkForm } },
  'POST /csp-report': { reached: 204, host: 'base', body: { type: 'application/csp-report', text: cspReport } },

  'GET /api/v1/checkouts/:checkoutId': { reached: 200 },
  'DELETE /api/v1/checkouts/:checkoutId': { reached: 200 },
  'GET /api/v1/*': { reached: 405, path: () => '/api/v1/nothing' },
  'GET /api/v1/bincodes': { reached: 200 },
  'POST /api/v1/checkouts/:checkoutId/3ds': { reached: 200, json: card },
  'PATCH /api/v1/3ds/:orderCode/authenticate': { reached: 200 },
  'PATCH /api/v1/3ds/:orderCode/collect-error': { reached: 200 },
  'PATCH /api/v1/3ds/:orderCode/challenge-error': { reached: 200 },
  'GET /api/v1/3ds/:orderCode/monitor': { reached: 200 },
  'PATCH /api/v1/checkouts/:checkoutId/3ds/:orderCode/pay': {
    reached: 200,
    json: () => ({ cvc: CARD.cvc, locale: 'ja_JP', receiptEmail: CARD.email }),
  },

  ...MERCHANT_CALLS,
  ...CONSOLE_CALLS,

  'GET /collect/:ticket': { reached: 200, host: 'bridge' },
  'GET /watch/:ticket': { reached: 200, host: 'bridge' },
  'GET /challenge/:ticket': { reached: 200, host: 'bridge' },
  'POST /collect/:ticket/browser': { reached: 204, host: 'bridge', json: () => SCREEN },
  'POST /events/:ticket': { reached: 200, host: 'bridge', body: { type: FORM_TYPE, text: eventForm } },
}

/** Who calls this path, as its headers say: the merchant's server, the console, the shopper's page, or a browser that opens a page. */
const callerHeaders = (path: string, method: string, host: RouteCall['host'], site: FuzzSite, random: SeededRandom) => {
  if (path.startsWith(MERCHANT_BASE)) return { host: site.base, authorization: `Bearer ${site.key}` }
  if (path.startsWith(CONSOLE_BASE))
    return { host: `console.${site.base}`, 'sec-fetch-site': 'same-origin', merchant: site.merchant }
  const own = `${site.merchant}.${site.base}`
  // A call of the shopper's page may be sent to the base as well as to the merchant's own host.
  if (path.startsWith(SHOPPER_BASE)) return { host: random.chance(0.5) ? site.base : own, merchant: site.merchant }
  const name = host === undefined ? own : { base: site.base, bridge: `3ds.${site.base}` }[host]
  if (method !== 'GET') return { host: name }
  return { host: name, 'accept-language': random.oneOf(['ja', 'ko-KR,ko;q=0.9', 'zh-TW', '*', 'en']) }
}

const routeOf = (name: string, { reached, host, path, query, json, body, headers }: RouteCall): FuzzedRoute => {
  const [method = '', address = ''] = name.split(' ')
  // The page sends its calls without a body as empty JSON.
  const isEmptyJson = address.startsWith(SHOPPER_BASE) && method !== 'GET'
  const type = body?.type ?? (json !== undefined || isEmptyJson ? 'application/json' : undefined)
  return {
    reached,
    valid: (site, ids, random) => {
      const known = Object.entries<string>({ ...ids })
      const filled = known.reduce((text, [id, value]) => text.replace(`:${id}`, value), address)
      const target = (path?.(ids, site, random) ?? filled) + (query?.(random, ids) ?? '')
      const caller = callerHeaders(target, method, host, site, random)
      const text = json === undefined ? body?.text(random, ids) : JSON.stringify(json(random, ids))
      return {
        method,
        target,
        headers: { ...caller, ...(type === undefined ? {} : { 'content-type': type }), ...headers },
        body: text ?? (isEmptyJson ? '' : null),
      }
    },
  }
}

export const FUZZED_ROUTES: Readonly<Record<string, FuzzedRoute>> = Object.fromEntries(
  Object.entries(CALLS).map(([name, call]) => [name, routeOf(name, call)]),
)

/** Routes that draw a page: each takes as long as ten calls, so that they are sent less often. */
export const isDear = (route: string): boolean => /^GET \/(404|500|preview|:checkoutId\/\*)$/.test(route)
