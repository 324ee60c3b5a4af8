/** Limited server: listens on loopback, on live limits and a virtual clock; a proxy's header names each client. */
import { CARD_TESTING_LIMITS } from '#payment/card-testing.ts'
import type { ChargeOutcome } from '#payment/ports.ts'
import type { ThreeDSAnswer } from '#payment/three-ds-port.ts'
import { createApp } from '../../server/http/app.ts'
import { integer } from '../../server/store/engine/columns.ts'
import { countForcedChallenges, sumShopHours } from '../../server/store/checkout/shop-velocity-rows.ts'
import { liveCardNumber } from '../harness/cards.ts'
import { openSqliteInMemory } from '../harness/databases.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { decidedOutcome, scriptedThreeDSServer } from '../harness/fake-three-ds-servers.ts'
import { freshCheckout } from '../harness/fresh-records.ts'
import { CALL_TIMEOUT_MS, send, type ApiAnswer, type Call } from '../harness/shop-client.ts'
import { virtualClock } from '../harness/test-clocks.ts'
import { CARD, openTestServer } from '../harness/test-server.ts'
import { MERCHANT_SETTINGS, PAGE_FACTS } from '../harness/test-merchants.ts'
import { insertCheckout, saveMerchant } from '../harness/save-records.ts'

const DAY_MS = 86_400_000

/** How one try to pay ended: the status of its last call, and that call's name. */
interface TryOutcome {
  readonly call: 'start' | 'authenticate' | 'give up' | 'pay'
  readonly status: number
  /** Whether the issuer was asked for a challenge. */
  readonly isChallengeDemanded: boolean
  /** Seconds; 0 where nobody must wait. */
  readonly retryAfter: number
}

/** What a try meets outside. */
export interface Outside {
  readonly charge?: ChargeOutcome
  readonly issuer?: ThreeDSAnswer | 'challenge'
  /** The card is outside 3-D Secure. */
  readonly isExempt?: true
}

export type StopAfter = 'start' | 'challenge given up'

/** What one client does with one card. Left out: a network, a link and a card that nobody has used, at the shop `tea`, and the usual way. */
export interface Try {
  readonly from?: string
  readonly link?: string
  readonly number?: string
  readonly merchant?: string
  readonly outside?: Outside
  /** Has the card but not its holder: an issuer that is asked for a challenge gives one, and it is given up. */
  readonly isBot?: true
  /** The step after which nothing more is called. */
  readonly stopAfter?: StopAfter
}

let [cardsMade, networksMade] = [0, 0]

/** A live number that no other try has used. */
export const newCard = (): string => liveCardNumber((cardsMade += 1))

/** An address in another /48 each time. */
const newNetwork = (): string => {
  networksMade += 1
  return `2001:${(networksMade >> 16).toString(16)}:${(networksMade & 0xffff).toString(16)}:1::1`
}

export const DECLINED = { outcome: 'declined', reason: 'insufficient funds' } as const

const openLimitedServer = async (merchants: readonly string[]) => {
  const clock = virtualClock()
  const gateway = fakeGateway()
  const threeDS = scriptedThreeDSServer()
  const database = await openSqliteInMemory()
  let isBot = false
  const { deps } = await openTestServer({
    database,
    gateway,
    threeDSServer: {
      ...threeDS,
      authenticate: (request) => {
        if (isBot && request.isChallengeMandatory) threeDS.answers.authenticate = 'challenge'
        return threeDS.authenticate(request)
      },
    },
    clock,
    cardTestingLimits: CARD_TESTING_LIMITS,
  })
  const settings = { ...MERCHANT_SETTINGS, allowExemption: true }
  for (const label of merchants) await saveMerchant(database, { id: `${label}-id`, label, settings }, 0)
  const app = await createApp({
    deps,
    build: null,
    trustedProxies: ['127.0.0.1'],
    hsts: 'host',
    ...PAGE_FACTS,
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))

  const newLink = async (merchant = 'tea'): Promise<string> => {
    const now = clock.now()
    const checkout = freshCheckout({
      merchantId: `${merchant}-id`,
      mode: 'live',
      createdAt: now,
      validUntil: now + 7 * DAY_MS,
    })
    await insertCheckout(database, checkout)
    return checkout.id
  }
  return {
    clock,
    database,
    /** Starts for which no challenge was demanded, then or when the issuer was asked. */
    startsWithoutChallenge: async (): Promise<number> => {
      const [row = {}] = await database.rows('SELECT count(*) AS total FROM attempts WHERE challenge_demanded = 0')
      return integer(row, 'total')
    },
    /** At how many merchants a challenge is forced now. */
    forcedChallenges: () => countForcedChallenges(database, clock.now()),
    /** What the worker does each minute for the limits. */
    sumHours: () => sumShopHours(database, clock.now()),
    /** Starts at the 3-D Secure server: every one is a question about a card. */
    questionsAsked: () => threeDS.received.starts.length,
    /** Charges at the acquirer, and how many of them were cleared by a challenge. */
    chargesAsked: () => {
      const challenged = gateway.charges.filter(
        ({ clearance }) => clearance.by === 'authentication' && clearance.challenged === true,
      )
      return { total: gateway.charges.length, challenged: challenged.length }
    },
    newLink,
    /** Closed by its declines. */
    isFailed: async (link: string): Promise<boolean> => {
      const [row] = await database.rows('SELECT status FROM checkouts WHERE id = $1', link)
      return row?.['status'] === 'failed'
    },
    try: async (how: Try): Promise<TryOutcome> => {
      const { outside = {}, stopAfter, merchant = 'tea', from = newNetwork(), number = newCard() } = how
      const link = how.link ?? (await newLink(merchant))
      const call = (method: Call['method'], path: string, body?: object): Promise<ApiAnswer> =>
        send(Number(port), {
          method,
          path: `/api/v1${path}`,
          headers: { host: `localhost:${port}`, merchant, 'x-forwarded-for': from },
          ...(body === undefined ? {} : { body }),
          timeoutMs: CALL_TIMEOUT_MS,
        })
      isBot = how.isBot === true
      threeDS.answers.start = outside.isExempt === true ? { outcome: 'not_enrolled' } : 'started'
      threeDS.answers.authenticate = outside.issuer ?? decidedOutcome('Y')
      threeDS.answers.result = decidedOutcome('Y')
      const before = threeDS.received.authentications.length
      const ended = (last: TryOutcome['call'], { status, headers }: ApiAnswer): TryOutcome => {
        const asked = threeDS.received.authentications.slice(before)
        const retryAfter = Number(headers['retry-after'] ?? 0)
        return { call: last, status, retryAfter, isChallengeDemanded: asked.some((each) => each.isChallengeMandatory) }
      }
      const started = await call('POST', `/checkouts/${link}/3ds`, { card: { ...CARD, number } })
      if (started.status !== 200 || stopAfter === 'start') return ended('start', started)
      const orderCode = String(started.body['orderCode'])
      let isChallenged = false
      if (outside.isExempt !== true) {
        const authenticated = await call('PATCH', `/3ds/${orderCode}/authenticate`)
        if (authenticated.status !== 200) return ended('authenticate', authenticated)
        isChallenged = authenticated.body['threeDSType'] === 'challenge'
      }
      if (stopAfter === 'challenge given up' || (isBot && isChallenged))
        return ended('give up', await call('PATCH', `/3ds/${orderCode}/challenge-error`))
      gateway.chargeOutcome = outside.charge ?? null
      const pay = { cvc: CARD.cvc, locale: 'ja_JP', receiptEmail: CARD.email }
      return ended('pay', await call('PATCH', `/checkouts/${link}/3ds/${orderCode}/pay`, pay))
    },
    close: async (): Promise<void> => {
      await app.close()
      await database.close()
    },
  }
}

export type LimitedServer = Awaited<ReturnType<typeof openLimitedServer>>

/** Opens a server for `work` alone. */
export const withLimitedServer = async <T>(
  work: (server: LimitedServer) => Promise<T>,
  merchants: readonly string[] = ['tea'],
): Promise<T> => {
  const server = await openLimitedServer(merchants)
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}
