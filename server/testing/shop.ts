import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { CreateCheckoutBody } from '#contract/merchant.ts'
import { THREE_DS_LIMITS } from '#contract/page.ts'
import type { Clock, Gateway, ThreeDSServer } from '#payment/ports.ts'
import { createApp } from '../app.ts'
import { createCardHold } from '../card-hold.ts'
import { steadyGateway } from '../gateways/steady.ts'
import { createLog } from '../log.ts'
import { hashKey } from '../merchant.ts'
import { systemClock, systemRandom, type Parts } from '../parts.ts'
import type { Database } from '../store/database.ts'
import { steadyThreeDS } from '../three-ds/steady.ts'
import { noCardEnrolled } from './three-ds-stand-ins.ts'
import { saveKey, saveMerchant, type MerchantSettings } from '../store/merchants.ts'

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

export const THREE_DS_FACTS = {
  messageDomains: ['http://3ds.localhost:3000'],
  ...THREE_DS_LIMITS,
}

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
  start(checkoutId: string, number?: string): Promise<string>
  pay(checkoutId: string, orderCode: string): Promise<LightMyRequestResponse>
  read(checkoutId: string): Promise<LightMyRequestResponse>
  call(options: InjectOptions & { readonly merchant?: string }): Promise<LightMyRequestResponse>
}

export const CARD = {
  number: '4242424242424242',
  expiryMonth: 12,
  expiryYear: 2099,
  cvc: '737',
  email: 'taro@example.com',
  name: 'TARO YAMADA',
}

interface ShopOptions {
  readonly database: Database
  readonly gateway: Gateway
  readonly gatewayTimeoutMs?: number
  readonly threeDSServer?: ThreeDSServer
  readonly clock?: SteerableClock
}

/** The whole server without a socket, with two merchants (`tea` and `books`) and shorthand for the calls. */
export const openShop = async ({
  database,
  gateway,
  gatewayTimeoutMs = 1000,
  threeDSServer = noCardEnrolled,
  clock = steerableClock(),
}: ShopOptions): Promise<Shop> => {
  const logged: string[] = []
  const log = createLog('debug', (line) => logged.push(line))
  const cardHold = createCardHold(clock)
  const parts = {
    database,
    gateway: steadyGateway(gateway, log),
    threeDSServer: steadyThreeDS(threeDSServer, log),
    cardHold,
    clock,
    random: systemRandom,
    log,
    gatewayTimeoutMs,
    publicBase: new URL('http://localhost:3000'),
  }
  const app = await createApp({
    parts,
    build: null,
    trustedProxies: [],
    footer: { aboutUrl: '/', privacyUrl: '/', badgeText: null },
    timeScale: 1,
    threeDS: THREE_DS_FACTS,
    release: 'v0.0.0',
  })
  const tea = await saveMerchant(database, { id: 'tea-id', label: 'tea', settings: SETTINGS }, 0)
  const books = await saveMerchant(
    database,
    { id: 'books-id', label: 'books', settings: { ...SETTINGS, allowExemption: false } },
    0,
  )
  await saveKey(database, { hash: hashKey(KEYS.tea), merchantId: tea.id, mode: 'test' }, 0)
  await saveKey(database, { hash: hashKey(KEYS.books), merchantId: books.id, mode: 'test' }, 0)
  await saveKey(database, { hash: hashKey(KEYS.live), merchantId: tea.id, mode: 'live' }, 0)

  const call: Shop['call'] = ({ merchant = 'tea', headers, ...options }) =>
    app.inject({ ...options, headers: { host: 'localhost:3000', merchant, ...headers } })

  return {
    app,
    parts,
    clock,
    logged,
    call,
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
      const answer = await call({
        method: 'POST',
        url: `/api/v1/checkouts/${checkoutId}/3ds`,
        payload: { card: { ...CARD, number } },
      })
      const { orderCode } = answer.json<{ orderCode?: string }>()
      if (orderCode === undefined) throw new Error(`no attempt was started: ${answer.body}`)
      return orderCode
    },
    pay: (checkoutId, orderCode) =>
      call({
        method: 'PATCH',
        url: `/api/v1/checkouts/${checkoutId}/3ds/${orderCode}/pay`,
        payload: { cvc: CARD.cvc, locale: 'ja_JP', receiptEmail: CARD.email },
      }),
    read: (checkoutId) => call({ method: 'GET', url: `/api/v1/checkouts/${checkoutId}` }),
  }
}
