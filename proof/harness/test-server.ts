/** Test server: the whole server without a socket, with two merchants (`tea` and `books`) and shorthand for the calls. */
import assert from 'node:assert/strict'
import fastify, {
  type FastifyInstance,
  type FastifySchemaCompiler,
  type InjectOptions,
  type LightMyRequestResponse,
} from 'fastify'
import type { FastifyValidationResult } from 'fastify/types/schema.js'
import type { CreateCheckoutBody } from '#contract/merchant/checkouts.ts'
import type { Gateway } from '#payment/ports.ts'
import { AJV_SETTINGS, createApp, type AppOptions } from '../../server/http/app.ts'
import { LANES } from '../../server/http/limits/lane-table.ts'
import { createCardHold } from '../../server/card-hold/memory.ts'
import { sharedAccount } from '../promises/shared-account.ts'
import { errorsAsUnknown } from '../../server/gateways/wrap-gateway.ts'
import { createLog } from '../../server/log.ts'
import { systemRandom, type Dependencies } from '../../server/dependencies.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { insertKey } from '../../server/store/merchant/keys.ts'
import { createWriteProbe } from '../../server/store/engine/write-probe.ts'
import { createRecentMerchants } from '../../server/store/merchant/recent-merchants.ts'
import { errorsAsUnavailable } from '../../server/three-ds/wrap-three-ds-server.ts'
import { cardTestingDependencies } from './card-testing-parts.ts'
import { openSqliteInMemory } from './databases.ts'
import { neverEnrolledThreeDSServer } from './fake-three-ds-servers.ts'
import { sleepersClock, type TestClock } from './test-clocks.ts'
import { HEALTHY_DISK_AND_CLOCK } from './healthy-disk-and-clock.ts'
import { saveMerchant } from './save-records.ts'
import { PAGE_FACTS, TEA_MERCHANT, BOOKS_MERCHANT, API_KEYS, testKey } from './test-merchants.ts'
import { NO_KEY_LIMITS } from './no-limits.ts'
import { WEBHOOK_PARTS } from './webhook-parts.ts'

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
  more: Partial<
    Pick<
      AppOptions,
      | 'trustedProxies'
      | 'keyLimits'
      | 'lanes'
      | 'isDraining'
      | 'findAdyenAccount'
      | 'findStoredAsset'
      | 'consoleSignIn'
      | 'sendsMail'
      | 'runDoctor'
    >
  > = {},
): Promise<FastifyInstance> => {
  compiler ??= validatorCompilerOfFastify()
  const compile = await compiler
  const validatorCompiler: FastifySchemaCompiler<unknown> = (route) => {
    const key = JSON.stringify(route.schema)
    const validate = validators.get(key) ?? compile(route)
    validators.set(key, validate)
    return validate
  }
  return createApp({ deps, build, trustedProxies: [], hsts: 'host', validatorCompiler, ...PAGE_FACTS, ...more })
}

/** Each that is left out is harmless: endpoints take everything, no key is limited, no decline takes longer, a card is never enrolled. */
interface TestServerOptions
  extends
    Partial<
      Pick<
        AppOptions,
        'build' | 'trustedProxies' | 'keyLimits' | 'lanes' | 'isDraining' | 'consoleSignIn' | 'sendsMail'
      >
    >,
    Partial<
      Pick<
        Dependencies,
        | 'gatewayTimeoutMs'
        | 'gateways'
        | 'threeDSServer'
        | 'clockCheck'
        | 'cardTestingLimits'
        | 'minimumDeclineMs'
        | 'sendWebhook'
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
  clock = sleepersClock(),
  isDraining = () => false,
  consoleSignIn = 'link',
  sendsMail = PAGE_FACTS.sendsMail,
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
    gateways: sharedAccount(database, errorsAsUnknown(gateway, log)),
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
  const app = await createTestApp(deps, build, {
    trustedProxies,
    keyLimits,
    lanes,
    isDraining,
    consoleSignIn,
    sendsMail,
  })
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
