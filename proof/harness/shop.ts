import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { CreateCheckoutBody } from '#contract/merchant.ts'
import { THREE_DS_LIMITS } from '#contract/page.ts'
import type { Clock, Gateway, ThreeDSServer } from '#payment/ports.ts'
import { createApp, type AppOptions } from '../../server/http/app.ts'
import { createCardHold } from '../../server/operations/card-hold.ts'
import { errorsAsUnknown } from '../../server/gateways/errors-as-unknown.ts'
import { createLog } from '../../server/log.ts'
import { hashKey } from '../../server/http/api-key.ts'
import { systemClock, systemRandom, type Parts } from '../../server/parts.ts'
import type { Database } from '../../server/store/database.ts'
import { saveKey, saveMerchant, type Merchant, type MerchantSettings } from '../../server/store/merchants.ts'
import { errorsAsUnavailable } from '../../server/three-ds/errors-as-unavailable.ts'
import { openMemory } from './databases.ts'
import { noCardEnrolled } from './three-ds-stand-ins.ts'

export const SETTINGS: MerchantSettings = {
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
}

/** What an operator sets and every page is told. */
export const PAGE_FACTS = {
  footer: { aboutUrl: '/', privacyUrl: '/', badgeText: null },
  timeScale: 1,
  threeDS: { messageDomains: ['http://3ds.localhost:3000'], ...THREE_DS_LIMITS },
  release: 'v0.0.0',
}

export const TEA: Merchant = { id: 'tea-id', label: 'tea', settings: SETTINGS }
const BOOKS: Merchant = { id: 'books-id', label: 'books', settings: { ...SETTINGS, allowExemption: false } }

export const KEYS = {
  tea: `sk_test_${'a'.repeat(32)}`,
  books: `sk_test_${'b'.repeat(32)}`,
  live: `sk_live_${'c'.repeat(32)}`,
}

/** Real time that a test can move forward. */
export interface SteerableClock extends Clock {
  advance(ms: number): void
}

const steerableClock = (): SteerableClock => {
  let ahead = 0
  return {
    now: () => systemClock.now() + ahead,
    sleep: systemClock.sleep,
    advance: (ms) => {
      ahead += ms
    },
  }
}

export interface Shop {
  readonly app: FastifyInstance
  readonly parts: Parts & { readonly cardHold: ReturnType<typeof createCardHold> }
  readonly clock: SteerableClock
  readonly logged: string[]
  create(body?: Partial<CreateCheckoutBody>, key?: string): Promise<string>
  /** Sends the card form: `CARD`, with these fields changed. */
  submit(checkoutId: string, fields?: object, merchant?: string): Promise<LightMyRequestResponse>
  /** A submit that must be taken, for its order code. */
  start(checkoutId: string, number?: string): Promise<string>
  pay(checkoutId: string, orderCode: string, merchant?: string): Promise<LightMyRequestResponse>
  read(checkoutId: string): Promise<LightMyRequestResponse>
  call(options: InjectOptions & { readonly merchant?: string }): Promise<LightMyRequestResponse>
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

/** The server's app over these parts. Without a build it draws no pages. */
export const openApp = (parts: Parts, build: AppOptions['build'] = null): Promise<FastifyInstance> =>
  createApp({ parts, build, trustedProxies: [], hsts: 'host', ...PAGE_FACTS })

interface ShopOptions {
  readonly gateway: Gateway
  /** A fresh one in memory unless given: for tests in which the engine makes no difference. */
  readonly database?: Database
  readonly build?: AppOptions['build']
  readonly gatewayTimeoutMs?: number
  readonly threeDSServer?: ThreeDSServer
  readonly clock?: SteerableClock
}

/** The whole server without a socket, with two merchants (`tea` and `books`) and shorthand for the calls. */
export const openShop = async ({
  gateway,
  database: given,
  build = null,
  gatewayTimeoutMs = 1000,
  threeDSServer = noCardEnrolled,
  clock = steerableClock(),
}: ShopOptions): Promise<Shop> => {
  const database = given ?? (await openMemory())
  const logged: string[] = []
  const log = createLog('debug', (line) => logged.push(line))
  const cardHold = createCardHold(clock.now)
  const parts = {
    database,
    gateway: errorsAsUnknown(gateway, log),
    threeDSServer: errorsAsUnavailable(threeDSServer, log),
    cardHold,
    clock,
    random: systemRandom,
    log,
    gatewayTimeoutMs,
    publicBase: new URL('http://localhost:3000'),
  }
  const app = await openApp(parts, build)
  const tea = await saveMerchant(database, TEA, 0)
  const books = await saveMerchant(database, BOOKS, 0)
  await saveKey(database, { hash: hashKey(KEYS.tea), merchantId: tea.id, mode: 'test' }, 0)
  await saveKey(database, { hash: hashKey(KEYS.books), merchantId: books.id, mode: 'test' }, 0)
  await saveKey(database, { hash: hashKey(KEYS.live), merchantId: tea.id, mode: 'live' }, 0)

  const call: Shop['call'] = ({ merchant = 'tea', headers, ...options }) =>
    app.inject({ ...options, headers: { host: 'localhost:3000', merchant, ...headers } })

  const submit: Shop['submit'] = (checkoutId, fields = {}, merchant = 'tea') =>
    call({
      method: 'POST',
      url: `/api/v1/checkouts/${checkoutId}/3ds`,
      payload: { card: { ...CARD, ...fields } },
      merchant,
    })

  return {
    app,
    parts,
    clock,
    logged,
    call,
    submit,
    create: async (body = {}, key = KEYS.tea) => {
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
    start: async (checkoutId, number = CARD.number) => {
      const answer = await submit(checkoutId, { number })
      const { orderCode } = answer.json<{ orderCode?: string }>()
      if (orderCode === undefined) throw new Error(`no attempt was started: ${answer.body}`)
      return orderCode
    },
    pay: (checkoutId, orderCode, merchant = 'tea') =>
      call({
        method: 'PATCH',
        url: `/api/v1/checkouts/${checkoutId}/3ds/${orderCode}/pay`,
        payload: { cvc: CARD.cvc, locale: 'ja_JP', receiptEmail: CARD.email },
        merchant,
      }),
    read: (checkoutId) => call({ method: 'GET', url: `/api/v1/checkouts/${checkoutId}` }),
    countAttempts: async (checkoutId) =>
      (await database.rows('SELECT order_code FROM attempts WHERE checkout_id = $1', checkoutId)).length,
  }
}
