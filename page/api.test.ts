import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { Call } from '#contract/calls.ts'
import * as calls from '#contract/shopper-calls.ts'
import { MERCHANT_HEADER, SHOPPER_BASE } from '#contract/paths.ts'
import type { CheckoutAnswer } from '#contract/checkout.ts'
import { ERRORS } from '#contract/error-table.ts'
import { errorBody, refuse } from '#contract/errors.ts'
import type { CardPayload, PayBody } from '#contract/three-ds.ts'
import { CallFailed, createApi, failureOf, isUnanswered, merchantLabel, type Api, type Failure } from './api.ts'
import { createPaymentApi, type PaymentApi } from './payment-api.ts'

type Calls = Omit<Api, 'send'> & PaymentApi
const callsOver = (fetcher: typeof fetch): Calls => {
  const api = createApi('demo', fetcher)
  return { ...api, ...createPaymentApi(api) }
}

const CHECKOUT: CheckoutAnswer = {
  id: 'c',
  status: 'open',
  amount: 1980,
  validUntil: '2026-11-22T14:59:59.999Z',
  acceptedCardBrands: ['visa'],
  links: {},
  merchant: { setting: { colorCode: '#29abe9', fontType: 'sans-serif' } },
  receipt: { shopName: 'Shop', shopAddress: '', shopPhoneNumber: '', shopEmail: '', shopUrl: '' },
  paymentPending: false,
}
const CARD: CardPayload = {
  number: '4242424242424242',
  expiryMonth: 12,
  expiryYear: 2030,
  cvc: '123',
  email: 'taro@example.com',
  name: 'TARO YAMADA',
}
const PAY: PayBody = { cvc: '123', locale: 'ja_JP', receiptEmail: 'taro@example.com' }
const CLOSED = errorBody(refuse('checkout_closed', { status: 'paid' }))

/** Ids that would break the path if they were not encoded. */
const CHECKOUT_ID = 'a/b?c#d é'
const ORDER_CODE = '../o&1'
const MONITOR = 'https://demo.pay.example/api/v1/3ds/o/monitor'
const FRAMES = { collectUrl: 'https://3ds.pay.example/c/1', monitoringUrl: 'https://3ds.pay.example/m/1' }

interface Case {
  readonly contract: Pick<Call<TSchema, TSchema, TSchema>, 'method' | 'path' | 'body'>
  readonly make: (api: Calls) => Promise<unknown>
  readonly body?: object
  readonly answer: unknown
  readonly read: unknown
  /** The URL of the call, when it is not the contract's path under the page's own origin. */
  readonly address?: string
  /** Its answer has no content. */
  readonly isEmpty?: true
}

const cases: Record<keyof Calls, Case> = {
  readCheckout: {
    contract: calls.readCheckout,
    make: (api) => api.readCheckout(CHECKOUT_ID),
    answer: CHECKOUT,
    read: CHECKOUT,
  },
  cancelCheckout: {
    contract: calls.cancelCheckout,
    make: (api) => api.cancelCheckout(CHECKOUT_ID),
    answer: CHECKOUT,
    read: CHECKOUT,
  },
  listBinCodes: {
    contract: calls.listBinCodes,
    make: (api) => api.listBinCodes(),
    answer: [{ prefix: '4', brand: 'VISA' }],
    read: [{ prefix: '4', brand: 'visa' }],
  },
  startPayment: {
    contract: calls.startPayment,
    make: (api) => api.startPayment(CHECKOUT_ID, CARD),
    body: { card: CARD },
    answer: { orderCode: 'o', threeDSRequired: true, ...FRAMES },
    read: { orderCode: 'o', threeDSRequired: true, ...FRAMES },
  },
  authenticate: {
    contract: calls.authenticate,
    make: (api) => api.authenticate(ORDER_CODE),
    answer: { threeDSType: 'frictionless', checkCode: 'x', orderCode: ORDER_CODE },
    read: { threeDSType: 'frictionless' },
  },
  reportCollectError: {
    contract: calls.reportCollectError,
    make: (api) => api.reportCollectError(ORDER_CODE),
    answer: {},
    read: true,
    isEmpty: true,
  },
  reportChallengeError: {
    contract: calls.reportChallengeError,
    make: (api) => api.reportChallengeError(ORDER_CODE),
    answer: {},
    read: true,
    isEmpty: true,
  },
  pollMonitor: {
    contract: calls.monitorChallenge,
    make: (api) => api.pollMonitor(MONITOR),
    answer: { event: 'AuthResultReady' },
    read: 'AuthResultReady',
    address: MONITOR,
  },
  pay: {
    contract: calls.pay,
    make: (api) => api.pay(CHECKOUT_ID, ORDER_CODE, PAY),
    body: PAY,
    answer: CHECKOUT,
    read: CHECKOUT,
  },
}

const answerWith =
  (status: number, body: BodyInit | null): typeof fetch =>
  () =>
    Promise.resolve(new Response(body, { status }))

const offline: typeof fetch = () => Promise.reject(new TypeError('Failed to fetch'))

const errorFrom = async (make: (api: Calls) => Promise<unknown>, fetcher: typeof fetch): Promise<CallFailed> => {
  const error: unknown = await make(callsOver(fetcher)).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof CallFailed)
  return error
}

const failureFrom = async (make: (api: Calls) => Promise<unknown>, fetcher: typeof fetch): Promise<Failure> =>
  (await errorFrom(make, fetcher)).failure

const NETWORK_ERROR: Failure = { kind: 'retryable', type: 'unknown', code: 'network_error' }

const parseBody = (body: BodyInit | null | undefined): unknown => {
  if (body === undefined) return undefined
  assert.ok(typeof body === 'string')
  return JSON.parse(body)
}

for (const [name, { contract, make, body, answer, read, address, isEmpty }] of Object.entries(cases)) {
  test(`${name} sends what the contract specifies and parses the answer`, async () => {
    const sent: [input: unknown, init: RequestInit][] = []
    const fetcher: typeof fetch = (input, init = {}) => {
      sent.push([input, init])
      return Promise.resolve(Response.json(answer))
    }
    assert.deepEqual(await make(callsOver(fetcher)), read)

    assert.equal(sent.length, 1)
    const [[input, init] = ['', {}]] = sent
    const path = contract.path
      .replace(':checkoutId', encodeURIComponent(CHECKOUT_ID))
      .replace(':orderCode', encodeURIComponent(ORDER_CODE))
    assert.equal(input, address ?? SHOPPER_BASE + path)
    assert.equal(init.method, contract.method)
    assert.equal(init.credentials, 'omit')
    assert.deepEqual(Object.fromEntries(new Headers(init.headers)), {
      [MERCHANT_HEADER]: 'demo',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    })
    assert.deepEqual(parseBody(init.body), body)
    assert.ok(Check(contract.body, parseBody(init.body) ?? null))
  })

  test(`${name} without a readable answer is a network error that may be retried`, async () => {
    assert.deepEqual(await failureFrom(make, offline), NETWORK_ERROR)
    if (isEmpty) return
    for (const unreadable of ['', 'not JSON', '{"id":', 'null', '{}', '"paid"']) {
      assert.deepEqual(await failureFrom(make, answerWith(200, unreadable)), NETWORK_ERROR, unreadable)
    }
    assert.deepEqual(await failureFrom(make, answerWith(204, null)), NETWORK_ERROR)
    const truncated = new ReadableStream({ start: (stream) => stream.error(new Error('connection reset')) })
    assert.deepEqual(await failureFrom(make, answerWith(200, truncated)), NETWORK_ERROR)
  })

  test(`${name} answered 404 with an error body has a final failure, with the server's error`, async () => {
    assert.deepEqual(await failureFrom(make, answerWith(404, JSON.stringify(CLOSED))), { kind: 'final', ...CLOSED })
  })

  test(`${name} answered 404 by something that is not our server may be retried`, async () => {
    for (const strange of ['', '<html>Not found</html>', '{}', 'null', '[]', '{"type":"checkout"}', '{"code":"x"}']) {
      const failure = await failureFrom(make, answerWith(404, strange))
      assert.deepEqual(failure, { kind: 'retryable', type: 'unknown', code: 404 }, strange)
    }
  })
}

test('a report counts as made with any answer of the server from 200 to 299, whatever its body', async () => {
  for (const { make } of [cases.reportCollectError, cases.reportChallengeError]) {
    assert.equal(await make(callsOver(answerWith(204, null))), true)
    for (const body of ['', '{}', 'null', '{"heard":1}'])
      assert.equal(await make(callsOver(answerWith(200, body))), true, body)
    assert.deepEqual(await failureFrom(make, answerWith(409, '{}')), { kind: 'retryable', type: 'unknown', code: 409 })
  }
})

test('a report that a captive portal answered, or whose answer broke off, was not made', async () => {
  for (const { make } of [cases.reportCollectError, cases.reportChallengeError])
    for (const body of ['<!doctype html><h1>Welcome to our Wi-Fi</h1>', 'OK', '{'])
      assert.deepEqual(await failureFrom(make, answerWith(200, body)), NETWORK_ERROR, body)
})

test('every status outside 200 to 299 other than 404 may be retried, whatever its body says', async () => {
  const { make } = cases.pay
  for (let status = 300; status <= 599; status += 1) {
    if (status === 404) continue
    const body = status === 304 ? null : JSON.stringify(CLOSED)
    assert.deepEqual(await failureFrom(make, answerWith(status, body)), {
      kind: 'retryable',
      type: 'unknown',
      code: status,
    })
  }
  for (const status of [100, 199]) {
    assert.deepEqual(failureOf(status, CLOSED), { kind: 'retryable', type: 'unknown', code: status })
  }
})

test('every status from 200 to 299 is an answer', async () => {
  for (const status of [200, 201, 299]) {
    assert.deepEqual(await cases.pay.make(callsOver(answerWith(status, JSON.stringify(CHECKOUT)))), CHECKOUT)
  }
})

const HTML = '<!doctype html><title>502 Bad Gateway</title><h1>nginx</h1>'
/** What proxies, firewalls and clouds answer in place of the server. */
const PROXY_BODIES: readonly string[] = [
  HTML,
  '',
  ' ',
  'upstream connect error or disconnect/reset before headers',
  '{',
  '{}',
  'null',
  '[]',
  '"error"',
  '{"message":"Endpoint request timed out"}',
  '{"error":{"code":"BadGateway","message":"Bad gateway"}}',
  '{"type":"about:blank","title":"Bad Gateway","status":502}',
  '{"type":"https://errors.example/bad-gateway","code":"bad_gateway"}',
  '{"type":"unavailable","code":"unavailable","message":""}',
  '{"type":"unavailable","code":503,"message":"The service is not ready."}',
]
const STATUSES = [400, 402, 404, 409, 429, 499, 500, 502, 503, 504, 520, 521, 522, 523, 524, 530, 599]

test('a payment that a proxy answered counts as unanswered, whatever the status', async () => {
  for (const status of STATUSES)
    for (const body of PROXY_BODIES) {
      const error = await errorFrom(cases.pay.make, answerWith(status, body))
      assert.ok(isUnanswered(error), `${status} ${body}`)
    }
})

test('a payment that got no answer, or half of one, is unanswered', async () => {
  assert.ok(isUnanswered(await errorFrom(cases.pay.make, offline)))
  const half = JSON.stringify(CHECKOUT).slice(0, 60)
  for (const body of [HTML, '', half, '{}'])
    assert.ok(isUnanswered(await errorFrom(cases.pay.make, answerWith(200, body))), body)
  const truncated = (): ReadableStream =>
    new ReadableStream({
      start: (stream) => {
        stream.enqueue(new TextEncoder().encode(JSON.stringify(CLOSED)))
        stream.error(new Error('connection reset'))
      },
    })
  for (const status of [200, 409, 503])
    assert.ok(isUnanswered(await errorFrom(cases.pay.make, answerWith(status, truncated()))), String(status))
})

test('a payment that our server answered with an error is answered, whatever the status, unless the server was not ready', async () => {
  for (const [code, { type, status: own, message }] of Object.entries(ERRORS))
    for (const status of [own, 500, 502, 503, 504, 520, 522, 524]) {
      const body = JSON.stringify({ type, code, message, params: {} })
      const error = await errorFrom(cases.pay.make, answerWith(status, body))
      // Another server may have got the same request: its order is given up before anything is said.
      assert.equal(isUnanswered(error), code === 'unavailable', `${status} ${code}`)
    }
})

test('a payment that failed in the page after it was sent is unanswered', () => {
  assert.ok(isUnanswered(new Error('a bug of ours')))
  assert.ok(isUnanswered(undefined))
})

test('a final error has the server’s message', () => {
  assert.equal(new CallFailed(failureOf(404, CLOSED), CLOSED.code).message, CLOSED.message)
  assert.match(new CallFailed(failureOf(503, CLOSED), CLOSED.code).message, /503/)
})

/** Never answers until its signal aborts the call, as a browser does. */
const neverAnswers: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
  })

/** How a call that gets no answer fails, when it fails at this very moment and not a millisecond earlier. */
const failureAfter = async (t: TestContext, make: (api: Calls) => Promise<unknown>, ms: number): Promise<unknown> => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let isOver = false
  const failure = failureFrom(make, neverAnswers).finally(() => {
    isOver = true
  })
  t.mock.timers.tick(ms - 1)
  await new Promise(setImmediate)
  assert.equal(isOver, false, 'it has ended too early')
  t.mock.timers.tick(1)
  return failure
}

test('an answered call leaves no timer and no listener behind, and one whose caller has gone is not sent on', async (t) => {
  const cleared = t.mock.method(globalThis, 'clearTimeout')
  const caller = new AbortController()
  const removed = t.mock.method(caller.signal, 'removeEventListener')
  await callsOver(async () => new Response('[]')).listBinCodes(caller.signal)
  assert.equal(cleared.mock.callCount(), 1)
  assert.equal(removed.mock.callCount(), 1)
  caller.abort()
  let isAborted: boolean | undefined
  const notSent: typeof fetch = (_, init) => {
    isAborted = init?.signal?.aborted
    return Promise.reject(new DOMException('aborted', 'AbortError'))
  }
  assert.deepEqual(await failureFrom((api) => api.listBinCodes(caller.signal), notSent), NETWORK_ERROR)
  assert.equal(isAborted, true)
})

test('a pay call times out after 45 seconds and counts as unanswered', async (t) => {
  assert.deepEqual(await failureAfter(t, cases.pay.make, 45_000), NETWORK_ERROR)
})

test('a poll times out after 10 seconds, so that the next one can be sent', async (t) => {
  assert.deepEqual(await failureAfter(t, cases.pollMonitor.make, 10_000), NETWORK_ERROR)
})

test('a read is aborted when its caller no longer needs it', async () => {
  for (const read of [
    (api: Calls, s: AbortSignal) => api.readCheckout('c', s),
    (api: Calls, s: AbortSignal) => api.listBinCodes(s),
    (api: Calls, s: AbortSignal) => api.pollMonitor(MONITOR, s),
  ]) {
    const caller = new AbortController()
    const failure = failureFrom((api) => read(api, caller.signal), neverAnswers)
    caller.abort()
    assert.deepEqual(await failure, NETWORK_ERROR)
  }
})

test('the merchant is the first label of the host name', () => {
  assert.equal(merchantLabel('demo.pay.example.com'), 'demo')
  assert.equal(merchantLabel('demo.localhost'), 'demo')
  assert.equal(merchantLabel('localhost'), 'localhost')
  assert.equal(merchantLabel(''), '')
})
