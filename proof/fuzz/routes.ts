/** Routes under fuzz: a valid call for every route of the app. A route that is missing here fails the fuzz test. */
import { createHash } from 'node:crypto'
import { MERCHANT_BASE, SHOPPER_BASE } from '#contract/paths.ts'
import { PICTURE_IN_ASCII } from '../../server/pictures/testing/fixtures.ts'
import { requestorTransId } from '../../server/three-ds/active-server/translate.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import { BROWSER_INFO, SCREEN } from '../harness/simulated-browser.ts'
import { CARD } from '../harness/test-server.ts'
import { cardBody } from './card-bodies.ts'
import type { FuzzRequest, FuzzSite, KnownIds } from './fuzz-request.ts'

export interface FuzzedRoute {
  /** What a valid call is answered with, where its checkout and its order are at the right step. */
  readonly reached: number
  readonly valid: (site: FuzzSite, ids: KnownIds, random: SeededRandom) => FuzzRequest
}

/** The valid call of a route: its method and its path are those of the route's name, with ids for the parameters. */
interface RouteCall {
  readonly reached: number
  /** Of a page: the merchant's own host unless given. */
  readonly host?: 'base' | 'bridge'
  /** In place of the path in the route's name. */
  readonly path?: (ids: KnownIds, site: FuzzSite, random: SeededRandom) => string
  readonly query?: (random: SeededRandom, ids: KnownIds) => string
  /** Sent as JSON. */
  readonly json?: (random: SeededRandom, ids: KnownIds) => unknown
  /** Sent as it is, with its content type. */
  readonly body?: { readonly type: string; readonly text: (random: SeededRandom, ids: KnownIds) => string }
  readonly headers?: Readonly<Record<string, string>>
}

/** The address of every registered webhook. */
export const FUZZED_WEBHOOK = 'https://shop.example.com/fuzzed'

const FORM_TYPE = 'application/x-www-form-urlencoded'

const pageQuery = (random: SeededRandom): string =>
  random.oneOf(['', '', '?mode=test', '?locale=ja', '?locale=zh-TW&mode=test', '?utm_source=a&b=%E3%81%82'])

const previewQuery = (random: SeededRandom): string =>
  `?colorCode=%232f6b4f&subject=${random.oneOf(['Tea', '%E8%8C%B6', ''])}&screen=${random.oneOf(['', 'complete', 'refunded', 'error'])}`

/** Filters that some checkout has. */
const LIST_QUERIES = ['', '&status=open', '&lastFour=4242&status=paid', '&search=4242', '&pending=false&amountTo=5000']
const listQuery = (_random: SeededRandom, { checkoutId }: KnownIds): string =>
  `?limit=3${LIST_QUERIES[checkoutId.length % LIST_QUERIES.length] ?? ''}`

/** Its token looks like an order code. */
const mailAddress = ({ orderCode }: KnownIds): string => `/mail-address/${orderCode}`

const eventForm = (random: SeededRandom, { orderCode }: KnownIds): string => {
  const event = random.oneOf(['3DSMethodFinished', '3DSMethodSkipped', 'AuthResultReady', '3DSMethodHasError', 'Other'])
  return String(new URLSearchParams({ requestorTransId: requestorTransId(orderCode), event, param: BROWSER_INFO }))
}

const newCheckout = (random: SeededRandom): unknown => {
  const amount = random.between(100, 9000)
  return {
    amount,
    ...(random.chance(0.5) ? { subject: 'Tea', remarks: 'A-1024', locale: 'ja_JP' } : {}),
    ...(random.chance(0.3) ? { links: { cancelUrl: 'https://shop.example.com/cart' }, metadata: { order: 'A' } } : {}),
    ...(random.chance(0.3) ? { subject: 'Tea', taxes: [{ rate: random.oneOf([10, 8, 0]), amount }] } : {}),
  }
}

/** Nothing that decides about payments: those of the other routes must still go as they are meant to. */
const newSettings = (random: SeededRandom): unknown => ({
  colorCode: random.oneOf(['#29abe9', '#ffffff', '#000000']),
  fontType: random.oneOf(['serif', 'sans-serif']),
  ...(random.chance(0.5) ? { notifications: { address: 'orders@example.com', paid: random.chance(0.5) } } : {}),
  ...(random.chance(0.5) ? { shopPhoneNumber: '03-0000-0000', linkHosts: ['shop.example.com', 'お茶.example'] } : {}),
})

/** Some with a price, some with an amount that the visitor enters. */
const newLink = (random: SeededRandom): unknown => ({
  ...(random.chance(0.5) ? { amount: random.between(100, 9000) } : { amountRange: { min: 100, max: 9000 } }),
  ...(random.chance(0.5) ? { subject: 'Tea', maxPayments: random.between(1, 3), validUntil: '2028-01-01' } : {}),
})

const linkForm = (random: SeededRandom, { orderCode }: KnownIds): string =>
  String(new URLSearchParams({ amount: random.oneOf(['1980', '１，９８０', '¥ 500']), form: orderCode }))

const newWebhook = (random: SeededRandom): unknown => ({
  url: FUZZED_WEBHOOK,
  ...(random.chance(0.5) ? { types: ['checkout.paid', 'refund.refused'] } : {}),
})

const newRefund = (random: SeededRandom): unknown => {
  return { refundId: `r-${random.between(1, 3)}`, amount: random.between(1, 200) }
}

const cspReport = (random: SeededRandom): string =>
  JSON.stringify({ 'csp-report': { 'effective-directive': random.oneOf(['script-src', 'img-src', 'x']) } })

/** This picture can be written as a text. Its name is the hash of its content, whoever has uploaded it. */
const PICTURE = PICTURE_IN_ASCII.toString('latin1')
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
  'POST /api/v1/checkouts/:checkoutId/3ds': { reached: 200, json: cardBody },
  'PATCH /api/v1/3ds/:orderCode/authenticate': { reached: 200 },
  'PATCH /api/v1/3ds/:orderCode/collect-error': { reached: 200 },
  'PATCH /api/v1/3ds/:orderCode/challenge-error': { reached: 200 },
  'GET /api/v1/3ds/:orderCode/monitor': { reached: 200 },
  'PATCH /api/v1/checkouts/:checkoutId/3ds/:orderCode/pay': {
    reached: 200,
    json: () => ({ cvc: CARD.cvc, locale: 'ja_JP', receiptEmail: CARD.email }),
  },

  'GET /merchant/v1/me': { reached: 200 },
  'POST /merchant/v1/checkouts': { reached: 201, json: newCheckout },
  'GET /merchant/v1/checkouts/:checkoutId': { reached: 200 },
  'POST /merchant/v1/checkouts/:checkoutId/refunds': { reached: 201, json: newRefund },
  'GET /merchant/v1/checkouts': { reached: 200, query: listQuery },
  'GET /merchant/v1/checkouts/:checkoutId/timeline': { reached: 200 },
  'POST /merchant/v1/checkouts/:checkoutId/cancel': { reached: 200 },
  'POST /merchant/v1/checkouts/:checkoutId/receipt': { reached: 200 },
  'GET /merchant/v1/checkouts/:checkoutId/refunds': { reached: 200, query: () => '?limit=2' },
  'GET /merchant/v1/checkouts/:checkoutId/refunds/:refundId': { reached: 200 },
  'GET /merchant/v1/checkouts/:checkoutId/qr.svg': { reached: 200 },
  'POST /merchant/v1/links': { reached: 201, json: newLink },
  'GET /merchant/v1/links': { reached: 200, query: () => '?limit=3' },
  'GET /merchant/v1/links/:linkId': { reached: 200 },
  'PATCH /merchant/v1/links/:linkId': { reached: 200, json: () => ({ maxPayments: null, enabled: true }) },
  'GET /merchant/v1/links/:linkId/qr.svg': { reached: 200 },
  'GET /merchant/v1/refunds': { reached: 200, query: () => '?limit=5' },
  'GET /merchant/v1/summary': { reached: 200, query: () => '?from=2026-11-01&to=2026-11-02' },
  'GET /merchant/v1/exports/movements.csv': { reached: 200, query: () => '?to=2026-11-02' },
  'GET /merchant/v1/exports/checkouts.csv': { reached: 200, query: () => '?status=paid&search=4242&locale=ja_JP' },
  'GET /merchant/v1/reconciliations': { reached: 200, query: () => '?limit=3' },
  // Nobody reconciles under fuzz.
  'GET /merchant/v1/reconciliations/:reconciliationId': {
    reached: 404,
    path: ({ checkoutId }) => `/merchant/v1/reconciliations/rc_${checkoutId}`,
  },
  'GET /merchant/v1/attention': { reached: 200 },
  'GET /merchant/v1/figures': { reached: 200, query: () => '?from=2026-11-01&to=2026-11-02' },
  'GET /merchant/v1/exports/figures.csv': { reached: 200, query: () => '?to=2026-11-02' },
  'GET /merchant/v1/settings': { reached: 200 },
  'PATCH /merchant/v1/settings': { reached: 200, json: newSettings, headers: { 'if-match': '*' } },
  'PUT /merchant/v1/settings/:picture': {
    reached: 200,
    path: (_ids, _site, random) => `/merchant/v1/settings/${random.oneOf(['logo', 'cover'])}`,
    body: { type: 'image/webp', text: () => PICTURE },
  },
  'DELETE /merchant/v1/settings/:picture': { reached: 200, path: () => '/merchant/v1/settings/cover' },
  'POST /merchant/v1/webhooks': { reached: 201, json: newWebhook },
  'GET /merchant/v1/webhooks': { reached: 200 },
  'GET /merchant/v1/webhooks/:webhookId': { reached: 200 },
  'PATCH /merchant/v1/webhooks/:webhookId': { reached: 200, json: () => ({ types: null, enabled: true }) },
  'DELETE /merchant/v1/webhooks/:webhookId': { reached: 200 },
  'POST /merchant/v1/webhooks/:webhookId/ping': { reached: 201, json: () => ({}) },
  'POST /merchant/v1/webhooks/:webhookId/roll': { reached: 200, json: () => ({}) },
  'POST /merchant/v1/webhooks/:webhookId/replay': { reached: 201, json: () => ({ since: '2999-01-01' }) },
  'GET /merchant/v1/webhooks/:webhookId/deliveries': { reached: 200, query: () => '?limit=3' },
  'GET /merchant/v1/events': { reached: 200, query: () => '?limit=3' },
  'POST /merchant/v1/events/:eventId/redeliver': { reached: 201 },
  'GET /merchant/v1/*': { reached: 405, path: () => '/merchant/v1/nothing' },
  'GET /merchant/v1/openapi.json': { reached: 200 },
  'GET /merchant/v1/reference': { reached: 200 },

  'GET /collect/:ticket': { reached: 200, host: 'bridge' },
  'GET /watch/:ticket': { reached: 200, host: 'bridge' },
  'GET /challenge/:ticket': { reached: 200, host: 'bridge' },
  'POST /collect/:ticket/browser': { reached: 204, host: 'bridge', json: () => SCREEN },
  'POST /events/:ticket': { reached: 200, host: 'bridge', body: { type: FORM_TYPE, text: eventForm } },
}

/** Who calls this path, as its headers say: the merchant's server, the shopper's page, or a browser that opens a page. */
const callerHeaders = (path: string, method: string, host: RouteCall['host'], site: FuzzSite, random: SeededRandom) => {
  if (path.startsWith(MERCHANT_BASE)) return { host: site.base, authorization: `Bearer ${site.key}` }
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
