/** Test server: the whole server without a socket, with two merchants (`tea` and `books`) and shorthand for the calls. */
import type { CheckoutAnswer } from '#contract/checkout.ts'
import assert from 'node:assert/strict'
import fastify, {
  type FastifyInstance,
  type FastifySchemaCompiler,
  type InjectOptions,
  type LightMyRequestResponse,
} from 'fastify'
import type { FastifyValidationResult } from 'fastify/types/schema.js'
import type { CreateCheckoutBody } from '#contract/merchant/checkouts.ts'
import { DEFAULT_NOTIFICATIONS } from '#contract/notifications.ts'
import { THREE_DS_LIMITS } from '#contract/page.ts'
import type { Gateway } from '#payment/ports.ts'
import { AJV_SETTINGS, createApp, type AppOptions } from '../../server/http/app.ts'
import { LANES, NO_LIMITS, type LaneEntry, type LaneTable } from '../../server/http/limits/lane-table.ts'
import type { KeyLimits } from '../../server/http/limits/key-limits.ts'
import { createCardHold } from '../../server/operations/card-hold.ts'
import { errorsAsUnknown } from '../../server/gateways/wrap-gateway.ts'
import { createLog } from '../../server/log.ts'
import { systemRandom, type Dependencies } from '../../server/dependencies.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { insertKey, type NewKey } from '../../server/store/merchant/keys.ts'
import type { Merchant, MerchantSettings } from '../../server/store/merchant/merchants.ts'
import { createWriteProbe } from '../../server/store/engine/write-probe.ts'
import { createRecentMerchants } from '../../server/store/merchant/recent-merchants.ts'
import { errorsAsUnavailable } from '../../server/three-ds/wrap-three-ds-server.ts'
import { cardTestingDependencies } from './card-testing-parts.ts'
import { openSqliteInMemory } from './databases.ts'
import { neverEnrolledThreeDSServer } from './fake-three-ds-servers.ts'
import { adjustableClock, type TestClock } from './test-clocks.ts'
import { HEALTHY_DISK_AND_CLOCK } from './healthy-disk-and-clock.ts'
import { saveMerchant } from './save-records.ts'
import { WEBHOOK_PARTS } from './webhook-parts.ts'

export const MERCHANT_SETTINGS: MerchantSettings = {
  setting: { colorCode: '#2f6b4f', fontType: 'sans-serif' },
  receipt: {
    shopName: 'Aoyama Tea',
    shopAddress: 'Tokyo',
    shopPhoneNumber: '03-0000-0000',
    shopEmail: 'shop@example.com',
    shopUrl: 'https://shop.example.com',
  },
  allowExemption: true,
  requireFullAuthentication: false,
  registrationNumber: null,
  locale: null,
  acceptedCardBrands: null,
  linkHosts: [],
  notifications: DEFAULT_NOTIFICATIONS,
}

/** What the page is told of an open checkout. */
export const OPEN_CHECKOUT: CheckoutAnswer = {
  id: 'checkout',
  status: 'open',
  amount: 1980,
  subject: 'Tea',
  validUntil: '2026-11-22T14:59:59.999Z',
  acceptedCardBrands: ['visa'],
  links: {},
  merchant: { setting: MERCHANT_SETTINGS.setting },
  receipt: MERCHANT_SETTINGS.receipt,
  paymentPending: false,
}

/** Operator settings that every page is given. */
export const PAGE_FACTS = {
  footer: { aboutUrl: '/', privacyUrl: '/', badgeText: null },
  timeScale: 1,
  threeDS: { messageDomains: ['http://3ds.localhost:3000'], ...THREE_DS_LIMITS },
  sendsMail: false,
  release: 'v0.0.0',
}

const NOT_FORCED = { test: 0, live: 0 }

export const TEA_MERCHANT: Merchant = {
  id: 'tea-id',
  label: 'tea',
  settings: MERCHANT_SETTINGS,
  forcedChallengeUntil: NOT_FORCED,
  closedAt: null,
}
const BOOKS_MERCHANT: Merchant = {
  id: 'books-id',
  label: 'books',
  settings: { ...MERCHANT_SETTINGS, allowExemption: false },
  forcedChallengeUntil: NOT_FORCED,
  closedAt: null,
}

export const API_KEYS = {
  tea: `sk_test_${'a'.repeat(32)}`,
  books: `sk_test_${'b'.repeat(32)}`,
  live: `sk_live_${'c'.repeat(32)}`,
}

/** A key that may do all and does not end; these facts changed. */
export const testKey = (key: string, merchantId: string, more: Partial<NewKey> = {}): NewKey => ({
  key,
  merchantId,
  mode: 'test',
  access: 'full',
  name: null,
  expiresAt: null,
  ...more,
})

const ANY_RATE = { burst: 1e9, perSecond: 1e9 }
const UNLIMITED = { calls: ANY_RATE, refunds: ANY_RATE }
/** For thousands of calls with one key while time stands still, and for measuring what a call costs. */
export const NO_KEY_LIMITS: KeyLimits = { test: UNLIMITED, live: UNLIMITED }

const NEVER_SHED: LaneEntry = { ...NO_LIMITS, answer: 'call' }
/** For servers that carry out whatever they are sent, at once: the simulator leaves calls behind that never end. */
export const NO_LANE_LIMITS: LaneTable = {
  payment: NEVER_SHED,
  pieces: NEVER_SHED,
  health: NEVER_SHED,
  reads: NEVER_SHED,
  pages: NEVER_SHED,
  files: NEVER_SHED,
  browserReports: NEVER_SHED,
  keyChecks: NEVER_SHED,
  refusals: NEVER_SHED,
  creates: NEVER_SHED,
  merchantCalls: NEVER_SHED,
  dearCalls: NEVER_SHED,
  uploadBodies: NEVER_SHED,
  uploads: NEVER_SHED,
  reports: NEVER_SHED,
}

export interface TestServer {
  readonly app: FastifyInstance
  readonly deps: Dependencies & { readonly cardHold: ReturnType<typeof createCardHold> }
  readonly clock: TestClock
  readonly logLines: string[]
  createCheckout(body?: Partial<CreateCheckoutBody>, key?: string): Promise<string>
  /** Sends the card form: `CARD`, with these fields changed. */
  submitCard(checkoutId: string, fields?: object, merchant?: string): Promise<LightMyRequestResponse>
  /** A submit that must succeed; returns its order code. */
  startAttempt(checkoutId: string, number?: string): Promise<string>
  pay(checkoutId: string, orderCode: string, merchant?: string): Promise<LightMyRequestResponse>
  readCheckout(checkoutId: string): Promise<LightMyRequestResponse>
  /** Any request, with the host and merchant headers of a shopper. */
  sendRequest(options: InjectOptions & { readonly merchant?: string }): Promise<LightMyRequestResponse>
  countAttempts(checkoutId: string): Promise<number>
}

export const CARD = {
  number: '4242424242424242',
  expiryMonth: 12,
  expiryYear: 2099,
  cvc: '737',
  email: 'taro@example.com',
  name: 'TARO YAMADA',
}

/** A compiler of validators with the server's settings, which Fastify hands out as soon as a route has used it. */
const validatorCompilerOfFastify = async (): Promise<FastifySchemaCompiler<unknown>> => {
  const app = fastify({ ajv: AJV_SETTINGS })
  app.get('/', { schema: { querystring: { type: 'object' } } }, async () => null)
  await app.ready()
  return app.validatorCompiler ?? assert.fail('Fastify has built no validator')
}

/** Every app of a process has the same validators: to build them anew takes half the time of opening one. */
let compiler: ReturnType<typeof validatorCompilerOfFastify> | null = null
const validators = new Map<string, FastifyValidationResult>()

/** The server's HTTP app over these parts. Without a build it renders no pages. */
export const createTestApp = async (
  deps: Dependencies,
  build: AppOptions['build'] = null,
  more: Partial<Pick<AppOptions, 'trustedProxies' | 'keyLimits' | 'lanes' | 'isDraining'>> = {},
): Promise<FastifyInstance> => {
  compiler ??= validatorCompilerOfFastify()
  const compile = await compiler
  const validatorCompiler: FastifySchemaCompiler<unknown> = (route) => {
    const key = JSON.stringify(route.schema)
    const validate = validators.get(key) ?? compile(route)
    validators.set(key, validate)
    return validate
  }
  return createApp({ deps, build, trustedProxies: [], hsts: 'host', validatorCompiler, ...more, ...PAGE_FACTS })
}

/** Each that is left out is harmless: endpoints take everything, no key is limited, no decline takes longer, a card is never enrolled. */
interface TestServerOptions
  extends
    Partial<Pick<AppOptions, 'build' | 'trustedProxies' | 'keyLimits' | 'lanes'>>,
    Partial<
      Pick<
        Dependencies,
        'gatewayTimeoutMs' | 'threeDSServer' | 'clockCheck' | 'cardTestingLimits' | 'minimumDeclineMs' | 'sendWebhook'
      >
    > {
  readonly gateway: Gateway
  /** A fresh one in memory unless given: for tests in which the engine makes no difference. */
  readonly database?: Database
  readonly clock?: TestClock
}

export const openTestServer = async ({
  gateway,
  database: given,
  build = null,
  trustedProxies = [],
  keyLimits = NO_KEY_LIMITS,
  lanes = LANES,
  threeDSServer = neverEnrolledThreeDSServer,
  clock = adjustableClock(),
  ...more
}: TestServerOptions): Promise<TestServer> => {
  const opened = given ?? (await openSqliteInMemory())
  const { database, writeProbe } = createWriteProbe(opened, { now: clock.now, wall: clock.now }, clock.now)
  const logLines: string[] = []
  const log = createLog('debug', (line) => logLines.push(line), clock.now)
  const cardHold = createCardHold(clock.now)
  const deps = {
    database,
    writeProbe,
    findMerchant: createRecentMerchants(database, clock.now),
    gateway: errorsAsUnknown(gateway, log),
    threeDSServer: errorsAsUnavailable(threeDSServer, log),
    cardHold,
    clock,
    clockCheck: HEALTHY_DISK_AND_CLOCK.clockCheck,
    elapsed: clock.now,
    random: systemRandom,
    log,
    gatewayTimeoutMs: 1000,
    ...cardTestingDependencies(clock.now),
    ...WEBHOOK_PARTS,
    publicBase: new URL('http://localhost:3000'),
    ...more,
  }
  const app = await createTestApp(deps, build, { trustedProxies, keyLimits, lanes })
  const tea = await saveMerchant(database, TEA_MERCHANT, 0)
  const books = await saveMerchant(database, BOOKS_MERCHANT, 0)
  await insertKey(database, testKey(API_KEYS.tea, tea.id), 0)
  await insertKey(database, testKey(API_KEYS.books, books.id), 0)
  await insertKey(database, testKey(API_KEYS.live, tea.id, { mode: 'live' }), 0)

  const sendRequest: TestServer['sendRequest'] = ({ merchant = 'tea', headers, ...options }) =>
    app.inject({ ...options, headers: { host: 'localhost:3000', merchant, ...headers } })

  const submitCard: TestServer['submitCard'] = (checkoutId, fields = {}, merchant = 'tea') =>
    sendRequest({
      method: 'POST',
      url: `/api/v1/checkouts/${checkoutId}/3ds`,
      payload: { card: { ...CARD, ...fields } },
      merchant,
    })

  return {
    app,
    deps,
    clock,
    logLines,
    sendRequest,
    submitCard,
    createCheckout: async (body = {}, key = API_KEYS.tea) => {
      const answer = await app.inject({
        method: 'POST',
        url: '/merchant/v1/checkouts',
        headers: { host: 'localhost:3000', authorization: `Bearer ${key}` },
        payload: { amount: 1980, ...body },
      })
      const { id } = answer.json<{ id?: string }>()
      if (id === undefined) throw new Error(`no checkout was created: ${answer.body}`)
      return id
    },
    startAttempt: async (checkoutId, number = CARD.number) => {
      const answer = await submitCard(checkoutId, { number })
      const { orderCode } = answer.json<{ orderCode?: string }>()
      if (orderCode === undefined) throw new Error(`no attempt was started: ${answer.body}`)
      return orderCode
    },
    pay: (checkoutId, orderCode, merchant = 'tea') =>
      sendRequest({
        method: 'PATCH',
        url: `/api/v1/checkouts/${checkoutId}/3ds/${orderCode}/pay`,
        payload: { cvc: CARD.cvc, locale: 'ja_JP', receiptEmail: CARD.email },
        merchant,
      }),
    readCheckout: (checkoutId) => sendRequest({ method: 'GET', url: `/api/v1/checkouts/${checkoutId}` }),
    countAttempts: async (checkoutId) =>
      (await database.rows('SELECT order_code FROM attempts WHERE checkout_id = $1', checkoutId)).length,
  }
}
