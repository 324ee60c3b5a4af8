/** Counted server: every call of a payment over HTTP, on a database that counts what it is sent. */
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { MerchantMode } from '#contract/access.ts'
import type { PictureAnswer } from '#contract/merchant/pictures.ts'
import { readPageBuild } from '../../server/http/page-build.ts'
import { fixture } from '../../server/pictures/testing/fixtures.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { liveCardNumber } from '../harness/cards.ts'
import { countedDatabase, type CountedDatabase, type DatabaseCost } from '../harness/counted-database.ts'
import { fakeGateway, type FakeGateway } from '../harness/fake-gateway.ts'
import { scriptedThreeDSServer, type ScriptedThreeDSServer } from '../harness/fake-three-ds-servers.ts'
import { virtualClock } from '../harness/test-clocks.ts'
import { API_KEYS } from '../harness/test-merchants.ts'
import { CARD, openTestServer, type TestServer } from '../harness/test-server.ts'

const BROWSER = { language: 'ja', javaEnabled: false, colorDepth: 24, height: 900, width: 400, timeZoneOffset: -540 }
const KEY = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
const BRIDGE = '3ds.localhost:3000'

/** A checkout whose receipt can be an invoice. */
export const TAXED = { subject: 'Sencha', taxes: [{ rate: 8, amount: 1980 } as const] }

type Calls = Readonly<Record<string, () => Promise<LightMyRequestResponse>>>

export interface CountedServer {
  readonly server: TestServer
  readonly database: CountedDatabase
  readonly gateway: FakeGateway
  readonly threeDS: ScriptedThreeDSServer
  /** A new checkout; the API opens none for real money yet, so a live one is made of a test one. */
  openCheckout(mode: MerchantMode): Promise<string>
  /** A checkout that a visitor of a new reusable link has opened. */
  openByLink(body: object): Promise<string>
  /** The calls about one checkout, in the order of a payment. */
  callsOf(checkoutId: string, mode: MerchantMode): Calls
  /** What one call costs. A call that is refused throws: it would cost too little. */
  costOf(call: () => Promise<LightMyRequestResponse>): Promise<DatabaseCost>
}

export const openCountedServer = async (real: Database): Promise<CountedServer> => {
  const database = countedDatabase(real)
  const clock = virtualClock()
  // What an acquirer approves now is of today: of another day its figures would be marked, by one statement more on SQLite.
  const gateway = fakeGateway(clock.now)
  gateway.refund = async ({ amountYen }) => ({ outcome: 'refunded', amountYen, refundedAt: clock.now() })
  const threeDS = scriptedThreeDSServer()
  const build = await readPageBuild()
  const server = await openTestServer({ gateway, threeDSServer: threeDS, database, clock, build })
  const { app, sendRequest } = server
  let cards = 0
  const asMerchant = (path: string, { headers, ...more }: InjectOptions = {}) =>
    app.inject({ url: `/merchant/v1${path}`, headers: { ...KEY, ...headers }, ...more })

  const callsOf: CountedServer['callsOf'] = (checkoutId, mode) => {
    let [orderCode, ticket, picture] = ['', '', '']
    const own = `/checkouts/${checkoutId}`
    const toBridge = (url: string, contentType: string, payload: string) =>
      app.inject({ method: 'POST', url, headers: { host: BRIDGE, 'content-type': contentType }, payload })
    return {
      create: () => asMerchant('/checkouts', { method: 'POST', payload: { amount: 1980 } }),
      createOnce: () => {
        const headers = { 'idempotency-key': `once-${checkoutId}` }
        return asMerchant('/checkouts', { method: 'POST', headers, payload: { amount: 1980 } })
      },
      merchantCancel: () => asMerchant(`${own}/cancel`, { method: 'POST' }),
      list: () => asMerchant('/checkouts'),
      listFiltered: () => asMerchant('/checkouts?lastFour=4242&status=paid'),
      document: () => app.inject({ url: `/${checkoutId}/creditcard`, headers: { host: 'tea.localhost:3000' } }),
      read: () => server.readCheckout(checkoutId),
      merchantRead: () => asMerchant(own),
      start: async () => {
        const number = mode === 'live' ? liveCardNumber((cards += 1)) : CARD.number
        const answer = await server.submitCard(checkoutId, { number })
        const started = answer.json<{ orderCode?: string; collectUrl?: string }>()
        orderCode = started.orderCode ?? ''
        ticket = started.collectUrl?.split('/').at(-1) ?? ''
        return answer
      },
      browser: () => toBridge(`/collect/${ticket}/browser`, 'application/json', JSON.stringify(BROWSER)),
      collected: () => toBridge(`/events/${ticket}`, 'application/x-www-form-urlencoded', 'event=collected&param=x'),
      authenticate: () => sendRequest({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/authenticate` }),
      challenge: () => app.inject({ url: `/challenge/${ticket}`, headers: { host: BRIDGE } }),
      monitor: () => sendRequest({ method: 'GET', url: `/api/v1/3ds/${orderCode}/monitor` }),
      reportChallengeError: () => sendRequest({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/challenge-error` }),
      pay: () => server.pay(checkoutId, orderCode),
      cancel: () => sendRequest({ method: 'DELETE', url: `/api/v1/checkouts/${checkoutId}` }),
      replaceLogo: async () => {
        const answer = await asMerchant('/settings/logo', { method: 'PUT', payload: fixture('canvas.png') })
        picture = new URL(answer.json<PictureAnswer>().url).pathname
        return answer
      },
      picture: () => app.inject({ url: picture, headers: { host: 'tea.localhost:3000' } }),
      readSettings: () => asMerchant('/settings'),
      changeSettings: () =>
        asMerchant('/settings', { method: 'PATCH', headers: { 'if-match': '*' }, payload: { fontType: 'serif' } }),
      removeLogo: () => asMerchant('/settings/logo', { method: 'DELETE' }),
      refund: () => asMerchant(`${own}/refunds`, { method: 'POST', payload: { refundId: 'r', amount: 980 } }),
    }
  }

  return {
    server,
    database,
    gateway,
    threeDS,
    callsOf,
    openCheckout: async (mode) => {
      const id = await server.createCheckout()
      if (mode === 'live') await real.rows("UPDATE checkouts SET mode = 'live' WHERE id = $1", id)
      return id
    },
    openByLink: async (body) => {
      const created = await asMerchant('/links', { method: 'POST', payload: body })
      const { pathname } = new URL(created.json<{ url: string }>().url)
      const headers = { host: 'tea.localhost:3000', 'content-type': 'application/x-www-form-urlencoded' }
      const opened = await app.inject({ method: 'POST', url: pathname, headers })
      return String(opened.headers.location).slice(1)
    },
    costOf: async (call) => {
      database.takeCost()
      const { statusCode, body } = await call()
      if (statusCode >= 400) throw new Error(`a call that is counted was refused: ${body}`)
      return database.takeCost()
    },
  }
}
