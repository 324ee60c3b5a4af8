/** Calls of the merchant API under fuzz. */
import { PICTURE_IN_ASCII } from '../../server/pictures/testing/fixtures.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import type { KnownIds } from './fuzz-request.ts'
import type { RouteCall } from './route-call.ts'

/** The address of every registered webhook. */
export const FUZZED_WEBHOOK = 'https://shop.example.com/fuzzed'

/** Filters that some checkout has. */
const LIST_QUERIES = ['', '&status=open', '&lastFour=4242&status=paid', '&reference=A', '&pending=false']
const listQuery = (_random: SeededRandom, { checkoutId }: KnownIds): string =>
  `?limit=3${LIST_QUERIES[checkoutId.length % LIST_QUERIES.length] ?? ''}`

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

const newWebhook = (random: SeededRandom): unknown => ({
  url: FUZZED_WEBHOOK,
  ...(random.chance(0.5) ? { types: ['checkout.paid', 'refund.refused'] } : {}),
})

const newRefund = (random: SeededRandom): unknown => {
  return { refundId: `r-${random.between(1, 3)}`, amount: random.between(1, 200) }
}

/** This picture can be written as a text. */
const PICTURE = PICTURE_IN_ASCII.toString('latin1')

/** By method and address as the app declares them. */
export const MERCHANT_CALLS: Readonly<Record<string, RouteCall>> = {
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
}
