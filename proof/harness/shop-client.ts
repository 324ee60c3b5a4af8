/** Shop client: the calls of a merchant and of its shoppers over real sockets, each on a connection of its own unless an agent is given. */
import { request, type Agent, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { isRecord } from '../../tools/is-record.mjs'

export const CALL_TIMEOUT_MS = 60_000
const TOO_MANY = 429
const AGAIN_AFTER_MS = 100

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** An object is sent as JSON. */
  readonly body?: object
  readonly timeoutMs: number
  /** Of loopback, to call from; the usual one if it is left out. */
  readonly localAddress?: string
  /** Whose connections it may use again; one of its own if it is left out. */
  readonly agent?: Agent | undefined
}

export interface ApiAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Of JSON; else empty. */
  readonly body: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Undefined: it is no JSON. */
export const parsedJson = (content: string): unknown => {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

export const send = (port: number, call: Call): Promise<ApiAnswer> =>
  new Promise((resolve, reject) => {
    const { method, path, headers, body, timeoutMs, localAddress, agent = false } = call
    const isRaw = Buffer.isBuffer(body)
    const type = body === undefined || isRaw ? {} : { 'content-type': 'application/json' }
    const sent = request(
      { host: '127.0.0.1', port, method, path, headers: { ...type, ...headers }, agent, localAddress },
      (response) => {
        text(response).then((content) => {
          const value = parsedJson(content)
          const { statusCode: status = 0, headers: received } = response
          resolve({ status, headers: received, body: isRecord(value) ? value : {}, text: content })
        }, reject)
      },
    )
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`no answer to ${method} ${path}`)))
    sent.on('error', reject)
    sent.end(body === undefined || isRaw ? body : JSON.stringify(body))
  })

/** The cards of the sandbox that the proofs pay with. */
export const CARDS = {
  // Which the demo merchant allows: start and pay, no frames.
  'outside 3-D Secure': '5105105105105100',
  'without a challenge': '4111111111111111',
} as const

const HOLDER = { expiryMonth: 12, expiryYear: 2049, cvc: '737', email: 'taro@example.com', name: 'TARO YAMADA' }

/** A shopper's card, address and mail address; each that is left out is the usual one. */
export interface Shopper {
  readonly number?: string
  readonly from?: string
  readonly email?: string
}

/** How a payment ended: the last call and its answer. */
export interface PaymentEnd {
  readonly call: 'create' | 'start' | 'authenticate' | 'pay'
  readonly answer: ApiAnswer
  readonly ms: number
}

export const isPaid = ({ answer }: PaymentEnd): boolean => answer.body['status'] === 'paid'

export interface ShopClient {
  readonly port: number
  readonly key: string
  /** A call of the merchant API, below its base. */
  merchant(method: Call['method'], path: string, body?: object, more?: Partial<Call>): Promise<ApiAnswer>
  /** Waits where its key has made too many calls. */
  create(body?: object): Promise<string>
  read(link: string): Promise<ApiAnswer>
  start(link: string, shopper?: Shopper): Promise<ApiAnswer>
  /** Of an attempt that was started, and authenticated where that is needed. */
  pay(link: string, orderCode: string, shopper?: Shopper): Promise<PaymentEnd>
  /** Start, authenticate where the card takes part, pay; of the first refusal, that. */
  payWhole(link: string, shopper?: Shopper): Promise<PaymentEnd>
}

export const shopClient = (
  port: number,
  key: string,
  label = 'demo',
  timeoutMs = CALL_TIMEOUT_MS,
  agent?: Agent,
): ShopClient => {
  const merchant: ShopClient['merchant'] = (method, path, body, more = {}) =>
    send(port, {
      method,
      path: `/merchant/v1${path}`,
      timeoutMs,
      agent,
      ...(body === undefined ? {} : { body }),
      ...more,
      headers: { host: `localhost:${port}`, authorization: `Bearer ${key}`, ...more.headers },
    })
  const shopper = (method: Call['method'], path: string, from?: string, body?: object): Promise<ApiAnswer> =>
    send(port, {
      method,
      path: `/api/v1${path}`,
      timeoutMs,
      agent,
      headers: {
        host: `${label}.localhost:${port}`,
        merchant: label,
        ...(from === undefined ? {} : { 'x-forwarded-for': from }),
      },
      ...(body === undefined ? {} : { body }),
    })
  const start: ShopClient['start'] = (
    link,
    { number = CARDS['outside 3-D Secure'], from, email = HOLDER.email } = {},
  ) => shopper('POST', `/checkouts/${link}/3ds`, from, { card: { ...HOLDER, number, email } })
  const pay: ShopClient['pay'] = async (link, orderCode, { from, email = HOLDER.email } = {}) => {
    const began = performance.now()
    const body = { cvc: HOLDER.cvc, locale: 'ja_JP', receiptEmail: email }
    const answer = await shopper('PATCH', `/checkouts/${link}/3ds/${orderCode}/pay`, from, body)
    return { call: 'pay', answer, ms: performance.now() - began }
  }
  return {
    port,
    key,
    merchant,
    create: async (body = {}) => {
      const ask = (): Promise<ApiAnswer> => merchant('POST', '/checkouts', { amount: 1980, ...body })
      let created = await ask()
      for (; created.status === TOO_MANY; created = await ask()) await wait(AGAIN_AFTER_MS)
      if (created.status !== 201) throw new Error(`create ${created.status}: ${created.text.slice(0, 200)}`)
      return String(created.body['id'])
    },
    read: (link) => shopper('GET', `/checkouts/${link}`),
    start,
    pay,
    payWhole: async (link, who = {}) => {
      const began = performance.now()
      const started = await start(link, who)
      const orderCode = String(started.body['orderCode'])
      if (started.status !== 200) return { call: 'start', answer: started, ms: performance.now() - began }
      if (started.body['threeDSRequired'] === true) {
        const answer = await shopper('PATCH', `/3ds/${orderCode}/authenticate`, who.from)
        if (answer.status !== 200) return { call: 'authenticate', answer, ms: performance.now() - began }
      }
      return pay(link, orderCode, who)
    },
  }
}
