/** Card testing shop: a live shop under the real limits, where a test tries cards. Empty before each test, an hour later. */
import { before, beforeEach } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import type { Database } from '../../server/store/engine/database.ts'
import { liveCardNumber } from './cards.ts'
import { deleteAllRows } from './compare-databases.ts'
import { fakeGateway, type FakeGateway } from './fake-gateway.ts'
import { scriptedThreeDSServer, type ScriptedThreeDSServer } from './fake-three-ds-servers.ts'
import { freshCheckout } from './fresh-records.ts'
import { insertCheckout, saveMerchant } from './save-records.ts'
import { virtualClock, type TestClock } from './test-clocks.ts'
import { CARD, openTestServer, type TestServer } from './test-server.ts'
import { TEA_MERCHANT } from './test-merchants.ts'

const HOUR_MS = 3_600_000

export interface StartedAttempt {
  readonly answer: LightMyRequestResponse
  readonly checkoutId: string
  /** Empty where the start was refused. */
  readonly orderCode: string
}

export interface CardTestingShop {
  readonly gateway: FakeGateway
  readonly threeDS: ScriptedThreeDSServer
  readonly clock: TestClock
  readonly server: TestServer
  newCard(): string
  newLink(): Promise<string>
  /** A new link and a new card, unless they are given. */
  start(how: { readonly from: string; readonly link?: string; readonly number?: string }): Promise<StartedAttempt>
  authenticate(orderCode: string): Promise<LightMyRequestResponse>
}

/** Registers its own `before` and `beforeEach`: call it inside a `describe`. */
export const cardTestingShop = (open: () => Promise<Database>): CardTestingShop => {
  const [gateway, threeDS, clock] = [fakeGateway(), scriptedThreeDSServer(), virtualClock()]
  let opened: TestServer | undefined
  const server = (): TestServer => {
    if (opened === undefined) throw new Error('the shop opens before the first test')
    return opened
  }
  let cards = 0
  const newCard = (): string => liveCardNumber((cards += 1))
  const newLink = async (): Promise<string> => {
    const now = clock.now()
    const times = { createdAt: now, validUntil: now + 48 * HOUR_MS }
    const checkout = freshCheckout({ merchantId: TEA_MERCHANT.id, mode: 'live', ...times })
    await insertCheckout(server().deps.database, checkout)
    return checkout.id
  }
  before(async () => {
    opened = await openTestServer({ database: await open(), gateway, threeDSServer: threeDS, clock })
  })
  beforeEach(async () => {
    await deleteAllRows(server().deps.database)
    // The server keeps the merchant and the cards of the test before in memory for less than this.
    clock.advance(HOUR_MS)
    await saveMerchant(server().deps.database, TEA_MERCHANT, 0)
    server().logLines.length = 0
  })
  return {
    gateway,
    threeDS,
    clock,
    get server() {
      return server()
    },
    newCard,
    newLink,
    start: async ({ from, link, number = newCard() }) => {
      const checkoutId = link ?? (await newLink())
      const answer = await server().sendRequest({
        method: 'POST',
        url: `/api/v1/checkouts/${checkoutId}/3ds`,
        payload: { card: { ...CARD, number } },
        remoteAddress: from,
      })
      return { answer, checkoutId, orderCode: answer.json<{ orderCode?: string }>().orderCode ?? '' }
    },
    authenticate: (orderCode) =>
      server().sendRequest({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/authenticate` }),
  }
}
