/** Merchant client: the calls of a merchant's server on a test server whose acquirer charges and refunds at once. */
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import type { ChargeOrder, Gateway, Remember } from '#payment/ports.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { NO_CARD_TESTING_LIMITS } from './card-testing-parts.ts'
import { fakeGateway, type FakeGateway } from './fake-gateway.ts'
import { virtualClock, type TestClock } from './test-clocks.ts'
import { API_KEYS } from './test-merchants.ts'
import { CARD, openTestServer, type TestServer } from './test-server.ts'
import { NO_LANE_LIMITS } from './no-limits.ts'

export interface MerchantClient {
  readonly server: TestServer
  readonly gateway: FakeGateway
  readonly clock: TestClock
  /** A call of the merchant API, such as `send('/refunds')`. */
  send(path: string, more?: InjectOptions & { readonly key?: string }): Promise<LightMyRequestResponse>
  /** The answer of a call that must succeed. */
  get<T>(path: string, key?: string): Promise<T>
  create(body?: object, headers?: Readonly<Record<string, string>>): Promise<MerchantCheckoutAnswer>
  /** A new checkout, paid by its shopper; each payment has a transaction id of its own. */
  createPaid(
    body?: object,
    shopper?: { readonly email?: string; readonly number?: string },
  ): Promise<MerchantCheckoutAnswer>
  refund(checkoutId: string, body: object): Promise<LightMyRequestResponse>
  /** Every item of a list, page by page. */
  all<T>(path: string, limit?: number): Promise<T[]>
}

/** A number of pages that no test has: a list that never ends must fail. */
const PAGES_MAX = 1000

export const openMerchantClient = async (
  database: Database,
  more: Partial<Gateway> = {},
  settings: Partial<Parameters<typeof openTestServer>[0]> = {},
): Promise<MerchantClient> => {
  const clock = virtualClock()
  const gateway = fakeGateway()
  let payments = 0
  const now = (): number => clock.now()
  Object.assign(gateway, {
    charge: async ({ orderCode, amountYen }: ChargeOrder, remember: Remember) => {
      if (!(await remember(orderCode))) return { outcome: 'not_charged' }
      if (gateway.chargeOutcome !== null) return gateway.chargeOutcome
      return { outcome: 'charged', transactionId: `txn_${(payments += 1)}`, approvedAt: now(), amountYen }
    },
    inquire: async () => ({ outcome: 'pending' }),
    refund: async ({ amountYen }: { readonly amountYen: number }) => ({
      outcome: 'refunded',
      amountYen,
      refundedAt: now(),
    }),
    ...more,
  })
  const server = await openTestServer({
    database,
    gateway,
    clock,
    cardTestingLimits: NO_CARD_TESTING_LIMITS,
    lanes: NO_LANE_LIMITS,
    ...settings,
  })

  const send: MerchantClient['send'] = (path, { key = API_KEYS.tea, headers, ...options } = {}) =>
    server.app.inject({
      url: `/merchant/v1${path}`,
      ...options,
      headers: { host: 'localhost:3000', authorization: `Bearer ${key}`, ...headers },
    })
  const get: MerchantClient['get'] = async <T>(path: string, key?: string) => {
    const answer = await send(path, key === undefined ? {} : { key })
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.body}`)
    return answer.json<T>()
  }
  const create: MerchantClient['create'] = async (body = {}, headers = {}) => {
    const answer = await send('/checkouts', { method: 'POST', payload: { amount: 1980, ...body }, headers })
    if (answer.statusCode !== 201) throw new Error(answer.body)
    return answer.json<MerchantCheckoutAnswer>()
  }
  return {
    server,
    gateway,
    clock,
    send,
    get,
    create,
    createPaid: async (body = {}, { email = CARD.email, number = CARD.number } = {}) => {
      const { id } = await create(body)
      const order = await server.startAttempt(id, number)
      const paid = await server.sendRequest({
        method: 'PATCH',
        url: `/api/v1/checkouts/${id}/3ds/${order}/pay`,
        payload: { cvc: CARD.cvc, locale: 'ja_JP', receiptEmail: email },
      })
      if (paid.statusCode !== 200) throw new Error(paid.body)
      return get<MerchantCheckoutAnswer>(`/checkouts/${id}`)
    },
    refund: (checkoutId, payload) => send(`/checkouts/${checkoutId}/refunds`, { method: 'POST', payload }),
    all: async <T>(path: string, limit = 100) => {
      const items: T[] = []
      let after: string | null = null
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const query = `${path.includes('?') ? '&' : '?'}limit=${limit}${after === null ? '' : `&after=${after}`}`
        const answer: { items: T[]; after: string | null } = await get(path + query)
        items.push(...answer.items)
        after = answer.after
        if (after === null) return items
      }
      throw new Error(`${path} has no end`)
    },
  }
}
