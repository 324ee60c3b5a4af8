/** Calls of shoppers under fuzz: pages, the calls of the card page, the bridge, and what browsers report. */
import { createHash } from 'node:crypto'
import { PICTURE_IN_ASCII } from '../../server/pictures/testing/fixtures.ts'
import { requestorTransId } from '../../server/three-ds/active-server/translate.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import { BROWSER_INFO, SCREEN } from '../harness/simulated-browser.ts'
import { CARD } from '../harness/test-server.ts'
import { fuzzedCardNumber } from './fuzzed-cards.ts'
import type { KnownIds } from './fuzz-request.ts'
import type { RouteCalls } from './route-call.ts'

const cardBody = (random: SeededRandom): unknown => {
  const fields = { ...CARD, number: fuzzedCardNumber(random) }
  return random.chance(0.8) ? { card: fields } : fields
}

/** Its name is the hash of its content, whoever has uploaded it. */
const UPLOADED_PICTURE = `/pictures/${createHash('sha256').update(PICTURE_IN_ASCII).digest('hex')}.webp`

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

/** By method and address as the app declares them. */
export const SHOPPER_CALLS: RouteCalls = {
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

  'GET /collect/:ticket': { reached: 200, host: 'bridge' },
  'GET /watch/:ticket': { reached: 200, host: 'bridge' },
  'GET /challenge/:ticket': { reached: 200, host: 'bridge' },
  'POST /collect/:ticket/browser': { reached: 204, host: 'bridge', json: () => SCREEN },
  'POST /events/:ticket': { reached: 200, host: 'bridge', body: { type: FORM_TYPE, text: eventForm } },
}
