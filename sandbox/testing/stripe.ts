import { createServer } from 'node:http'
import type { TestContext } from 'node:test'
import { createRouter } from '../http/router.ts'
import { openStripe } from '../stripe/stripe.ts'
import { field, listenOnFreePort, makeTemporaryFolder, TIME_SCALE } from './acquirer.ts'

export const STRIPE_KEY = 'sk_test_abcdefgh12345678'
export const STRIPE_CARD = '4100000000000100'
export const STRIPE_CVC = '9180'

/** Double of Stripe in the process of the test, on a free port. Its clock stands still until a test advances it. */
export const serveStripe = async (
  t: TestContext,
  folder = makeTemporaryFolder(t),
  scale = TIME_SCALE,
): Promise<StripeClient> => {
  const startedAt = Date.now()
  const stripe = openStripe(folder, scale, () => startedAt)
  const port = await listenOnFreePort(t, createServer(createRouter(stripe.routes)))
  t.after(stripe.close)
  return createStripeClient(port)
}

export interface StripeResponse {
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
}

type Fields = Readonly<Record<string, string | number>>

interface Extra {
  readonly key?: string
  readonly idempotencyKey?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface StripeClient {
  readonly port: number
  post(path: string, fields?: Fields, extra?: Extra): Promise<StripeResponse>
  get(path: string, fields?: Fields, extra?: Extra): Promise<StripeResponse>
  control(path: string, body?: object): Promise<StripeResponse>
  /** Id of a new intent of 1980 yen. */
  createIntent(fields?: Fields, extra?: Extra): Promise<string>
  createPaymentMethod(number?: string, extra?: Extra): Promise<string>
  /** With 3-D Secure data and error_on_requires_action, as the adapter does. */
  confirm(intent: string, method: string, extra?: Extra): Promise<StripeResponse>
  /** A new intent, confirmed with the card. */
  pay(number?: string, fields?: Fields): Promise<{ readonly intent: string; readonly answer: StripeResponse }>
}

export const THREE_D_SECURE = {
  'payment_method_options[card][three_d_secure][version]': '2.2.0',
  'payment_method_options[card][three_d_secure][cryptogram]': 'AAABBBCCCDDDEEEFFFGGGHHHIII=',
  'payment_method_options[card][three_d_secure][transaction_id]': '8f1f6c1e-4f6c-4d5e-9d7e-0f6a6f3a2b1c',
  'payment_method_options[card][three_d_secure][electronic_commerce_indicator]': '05',
  'payment_method_options[card][three_d_secure][ares_trans_status]': 'Y',
}

export const cardFields = (number = STRIPE_CARD): Fields => ({
  type: 'card',
  'card[number]': number,
  'card[exp_month]': 12,
  'card[exp_year]': 2035,
  'card[cvc]': STRIPE_CVC,
})

export const INTENT_FIELDS: Fields = {
  amount: 1980,
  currency: 'jpy',
  'allowed_payment_method_types[]': 'card',
  capture_method: 'automatic',
  transfer_group: 'order-1',
  'metadata[order]': 'order-1',
}

export const errorOf = ({ body }: StripeResponse, name: string): unknown => field(field(body, 'error'), name)

export const dataOf = ({ body }: StripeResponse): unknown[] => {
  const data = field(body, 'data')
  return Array.isArray(data) ? data : []
}

export const createStripeClient = (port: number): StripeClient => {
  const send = async (method: string, path: string, init: RequestInit): Promise<StripeResponse> => {
    const response = await fetch(`http://127.0.0.1:${port}/stripe${path}`, { method, ...init })
    const body: unknown = await response.json()
    return { status: response.status, body, headers: response.headers }
  }
  const encode = (fields: Fields): string =>
    new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString()
  const headersOf = ({ key = STRIPE_KEY, idempotencyKey, headers }: Extra): Record<string, string> => ({
    Authorization: `Bearer ${key}`,
    'Stripe-Version': '2026-10-28.endive',
    ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    ...headers,
  })
  const post: StripeClient['post'] = (path, fields = {}, extra = {}) =>
    send('POST', `/v1${path}`, {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headersOf(extra) },
      body: encode(fields),
      ...(extra.signal === undefined ? {} : { signal: extra.signal }),
    })
  const idOf = async (answer: Promise<StripeResponse>): Promise<string> => {
    const { status, body } = await answer
    if (status !== 200) throw new Error(`the double answered ${status} ${JSON.stringify(body)}`)
    return String(field(body, 'id'))
  }
  const createIntent: StripeClient['createIntent'] = (fields = {}, extra = {}) =>
    idOf(post('/payment_intents', { ...INTENT_FIELDS, ...fields }, extra))
  const createPaymentMethod: StripeClient['createPaymentMethod'] = (number, extra = {}) =>
    idOf(post('/payment_methods', cardFields(number), extra))
  const confirm: StripeClient['confirm'] = (intent, method, extra = {}) =>
    post(
      `/payment_intents/${intent}/confirm`,
      { payment_method: method, error_on_requires_action: 'true', ...THREE_D_SECURE },
      extra,
    )
  return {
    port,
    post,
    createIntent,
    createPaymentMethod,
    confirm,
    get: (path, fields = {}, extra = {}) =>
      send('GET', `/v1${path}${Object.keys(fields).length === 0 ? '' : `?${encode(fields)}`}`, {
        headers: headersOf(extra),
      }),
    control: (path, body) =>
      send(
        body === undefined ? 'GET' : 'POST',
        `/control${path}`,
        body === undefined ? {} : { body: JSON.stringify(body) },
      ),
    pay: async (number, fields = {}) => {
      const [intent, method] = [await createIntent(fields), await createPaymentMethod(number)]
      return { intent, answer: await confirm(intent, method) }
    },
  }
}
