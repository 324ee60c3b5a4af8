/** Merchant routes under fuzz: a valid call for every route of the merchant API. */
import { MERCHANT_BASE } from '#contract/paths.ts'
import { PICTURE_IN_ASCII } from '../../server/pictures/testing/fixtures.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import { JSON_TYPE, targetOf, type Address, type Body, type FuzzedRoute } from './fuzzed-route.ts'

/** Where the webhooks that are registered lead to. */
export const FUZZED_WEBHOOK = 'https://shop.example.com/fuzzed'

const merchantCall = (reached: number, method: string, address: Address, body?: Body): FuzzedRoute => ({
  reached,
  valid: (site, ids, random) => ({
    method,
    target: MERCHANT_BASE + targetOf(address, ids, site),
    headers: { host: site.base, authorization: `Bearer ${site.key}`, ...(body === undefined ? {} : JSON_TYPE) },
    body: body === undefined ? null : JSON.stringify(body(random, ids)),
  }),
})

const LIST_QUERIES = ['', '&status=open', '&lastFour=4242&status=paid', '&reference=A', '&pending=false']

/** A list with filters that some checkout has. */
const listAddress: Address = ({ checkoutId }) =>
  `/checkouts?limit=3${LIST_QUERIES[checkoutId.length % LIST_QUERIES.length] ?? ''}`

const ofCheckout = (path: string): FuzzedRoute =>
  merchantCall(200, 'GET', ({ checkoutId }) => `/checkouts/${checkoutId}${path}`)

const newCheckout = (random: SeededRandom): unknown => {
  const amount = random.between(100, 9000)
  return {
    amount,
    ...(random.chance(0.5) ? { subject: 'Tea', remarks: 'A-1024', locale: 'ja_JP' } : {}),
    ...(random.chance(0.3) ? { links: { cancelUrl: 'https://shop.example.com/cart' }, metadata: { order: 'A' } } : {}),
    ...(random.chance(0.3) ? { subject: 'Tea', taxes: [{ rate: random.oneOf([10, 8, 0]), amount }] } : {}),
  }
}

/** The body is the picture itself; this one can be written as a text. */
const pictureUpload: FuzzedRoute = {
  reached: 200,
  valid: (site, _ids, random) => ({
    method: 'PUT',
    target: `${MERCHANT_BASE}/settings/${random.oneOf(['logo', 'cover'])}`,
    headers: { host: site.base, authorization: `Bearer ${site.key}`, 'content-type': 'image/webp' },
    body: PICTURE_IN_ASCII.toString('latin1'),
  }),
}

/** Nothing that decides about payments: those of the other routes must still go as they are meant to. */
const newSettings = (random: SeededRandom): unknown => ({
  colorCode: random.oneOf(['#29abe9', '#ffffff', '#000000']),
  fontType: random.oneOf(['serif', 'sans-serif']),
  ...(random.chance(0.5) ? { notifications: { address: 'orders@example.com', paid: random.chance(0.5) } } : {}),
  ...(random.chance(0.5) ? { shopPhoneNumber: '03-0000-0000', linkHosts: ['shop.example.com', 'お茶.example'] } : {}),
})

const settingsChange: FuzzedRoute = {
  reached: 200,
  valid: (site, _ids, random) => ({
    method: 'PATCH',
    target: `${MERCHANT_BASE}/settings`,
    headers: { host: site.base, authorization: `Bearer ${site.key}`, 'if-match': '*', ...JSON_TYPE },
    body: JSON.stringify(newSettings(random)),
  }),
}

const ofWebhook = (method: string, path: string, body?: Body, reached = 200): FuzzedRoute =>
  merchantCall(reached, method, ({ webhookId }) => `/webhooks/${webhookId}${path}`, body)

const newWebhook = (random: SeededRandom): unknown => ({
  url: FUZZED_WEBHOOK,
  ...(random.chance(0.5) ? { types: ['checkout.paid', 'refund.refused'] } : {}),
})

/** By method and address as the app declares them. */
export const MERCHANT_ROUTES: Readonly<Record<string, FuzzedRoute>> = {
  'GET /merchant/v1/me': merchantCall(200, 'GET', '/me'),
  'POST /merchant/v1/checkouts': merchantCall(201, 'POST', '/checkouts', newCheckout),
  'GET /merchant/v1/checkouts/:checkoutId': merchantCall(200, 'GET', ({ checkoutId }) => `/checkouts/${checkoutId}`),
  'POST /merchant/v1/checkouts/:checkoutId/refunds': merchantCall(
    201,
    'POST',
    ({ checkoutId }) => `/checkouts/${checkoutId}/refunds`,
    (random) => ({ refundId: `r-${random.between(1, 3)}`, amount: random.between(1, 200) }),
  ),
  'GET /merchant/v1/checkouts': merchantCall(200, 'GET', listAddress),
  'GET /merchant/v1/checkouts/:checkoutId/timeline': ofCheckout('/timeline'),
  'POST /merchant/v1/checkouts/:checkoutId/cancel': merchantCall(
    200,
    'POST',
    ({ checkoutId }) => `/checkouts/${checkoutId}/cancel`,
  ),
  'POST /merchant/v1/checkouts/:checkoutId/receipt': merchantCall(
    200,
    'POST',
    ({ checkoutId }) => `/checkouts/${checkoutId}/receipt`,
  ),
  'GET /merchant/v1/checkouts/:checkoutId/refunds': ofCheckout('/refunds?limit=2'),
  'GET /merchant/v1/checkouts/:checkoutId/refunds/:refundId': merchantCall(
    200,
    'GET',
    ({ checkoutId, refundId }) => `/checkouts/${checkoutId}/refunds/${refundId}`,
  ),
  'GET /merchant/v1/checkouts/:checkoutId/qr.svg': ofCheckout('/qr.svg'),
  'GET /merchant/v1/refunds': merchantCall(200, 'GET', '/refunds?limit=5'),
  'GET /merchant/v1/summary': merchantCall(200, 'GET', '/summary?from=2026-11-01&to=2026-11-02'),
  'GET /merchant/v1/exports/movements.csv': merchantCall(200, 'GET', '/exports/movements.csv?to=2026-11-02'),
  'GET /merchant/v1/settings': merchantCall(200, 'GET', '/settings'),
  'PATCH /merchant/v1/settings': settingsChange,
  'PUT /merchant/v1/settings/:picture': pictureUpload,
  'DELETE /merchant/v1/settings/:picture': merchantCall(200, 'DELETE', '/settings/cover'),
  'POST /merchant/v1/webhooks': merchantCall(201, 'POST', '/webhooks', newWebhook),
  'GET /merchant/v1/webhooks': merchantCall(200, 'GET', '/webhooks'),
  'GET /merchant/v1/webhooks/:webhookId': ofWebhook('GET', ''),
  'PATCH /merchant/v1/webhooks/:webhookId': ofWebhook('PATCH', '', () => ({ types: null, enabled: true })),
  'DELETE /merchant/v1/webhooks/:webhookId': ofWebhook('DELETE', ''),
  'POST /merchant/v1/webhooks/:webhookId/ping': ofWebhook('POST', '/ping', () => ({}), 201),
  'POST /merchant/v1/webhooks/:webhookId/roll': ofWebhook('POST', '/roll', () => ({})),
  'POST /merchant/v1/webhooks/:webhookId/replay': ofWebhook('POST', '/replay', () => ({ since: '2999-01-01' }), 201),
  'GET /merchant/v1/webhooks/:webhookId/deliveries': ofWebhook('GET', '/deliveries?limit=3'),
  'GET /merchant/v1/events': merchantCall(200, 'GET', '/events?limit=3'),
  'POST /merchant/v1/events/:eventId/redeliver': merchantCall(
    201,
    'POST',
    ({ eventId }) => `/events/${eventId}/redeliver`,
  ),
  'GET /merchant/v1/*': merchantCall(405, 'GET', '/nothing'),
  'GET /merchant/v1/openapi.json': merchantCall(200, 'GET', '/openapi.json'),
  'GET /merchant/v1/reference': merchantCall(200, 'GET', '/reference'),
}
