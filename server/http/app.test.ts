import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { gatewayNotConfigured } from '../gateways/not-configured.ts'
import { systemRandom } from '../dependencies.ts'
import { CARD, openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { API_KEYS } from '../../proof/harness/test-merchants.ts'

const LOCAL = 'localhost:3000'

type Call = Pick<InjectOptions, 'method' | 'payload'> & { readonly url: string }

/** Every call of the shopper's page that names a checkout, as it would be made for this one. */
const callsFor = (checkout: string): Call[] => [
  { method: 'GET', url: `/api/v1/checkouts/${checkout}` },
  { method: 'DELETE', url: `/api/v1/checkouts/${checkout}` },
  { method: 'POST', url: `/api/v1/checkouts/${checkout}/3ds`, payload: { card: CARD } },
  {
    method: 'PATCH',
    url: `/api/v1/checkouts/${checkout}/3ds/${'a'.repeat(32)}/pay`,
    payload: { cvc: CARD.cvc, receiptEmail: CARD.email },
  },
]

const NOT_FOUND = {
  status: 404,
  body: '{"type":"checkout","code":"checkout_not_found","message":"There is no such checkout.","params":{}}',
}

const API_ANSWER_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
  'x-xss-protection': '0',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
  connection: 'keep-alive',
}

/** Everything a caller can see of an answer except the time of day and the fresh id of the request. */
const seen = (answer: LightMyRequestResponse) => {
  const { date, 'content-length': length, 'request-id': requestId, ...headers } = answer.headers
  assert.ok(date !== undefined)
  assert.match(String(requestId), /^[a-z2-7]{32}$/)
  assert.equal(Number(length), Buffer.byteLength(answer.body))
  return { status: answer.statusCode, body: answer.body, headers }
}

describe('whose checkout a call is about', () => {
  let server: TestServer
  let checkout: string
  let ofBooks: string
  before(async () => {
    server = await openTestServer({ gateway: { ...gatewayNotConfigured, ready: async () => 'ready' } })
    checkout = await server.createCheckout()
    ofBooks = await server.createCheckout({}, API_KEYS.books)
  })

  const send = (call: Call, headers: Record<string, string>): Promise<LightMyRequestResponse> =>
    server.app.inject({ ...call, headers })

  const isNotFound = async (call: Call, headers: Record<string, string>): Promise<void> => {
    const answer = seen(await send(call, headers))
    const label = `${call.method} ${call.url} ${JSON.stringify(headers)}`
    assert.deepEqual(answer, { ...NOT_FOUND, headers: API_ANSWER_HEADERS }, label)
  }

  const reads: Record<string, Record<string, string>> = {
    'the merchant’s host and its header': { host: 'tea.localhost:3000', merchant: 'tea' },
    'the bare host and the header': { host: LOCAL, merchant: 'tea' },
    'an address of this machine and the header': { host: '127.0.0.1:3000', merchant: 'tea' },
    'the host in capitals': { host: 'TEA.LOCALHOST:3000', merchant: 'tea' },
  }
  for (const [name, headers] of Object.entries(reads)) {
    test(`a checkout is read by ${name}`, async () => {
      const answer = await send({ method: 'GET', url: `/api/v1/checkouts/${checkout}` }, headers)
      assert.deepEqual([answer.statusCode, answer.json<{ id: string }>().id], [200, checkout])
    })
  }

  const mismatches: Record<string, Record<string, string>> = {
    'no header': { host: 'tea.localhost:3000' },
    'no header on the bare host': { host: LOCAL },
    'a header other than the host': { host: 'books.localhost:3000', merchant: 'tea' },
    'a host other than the header': { host: 'tea.localhost:3000', merchant: 'books' },
    'an unknown merchant': { host: 'nobody.localhost:3000', merchant: 'nobody' },
    'an unknown merchant on the bare host': { host: LOCAL, merchant: 'nobody' },
    'a foreign host': { host: 'tea.example.com', merchant: 'tea' },
    'a host two labels down': { host: 'a.tea.localhost:3000', merchant: 'tea' },
    'a reserved host': { host: '3ds.localhost:3000', merchant: 'tea' },
    'a reserved header': { host: LOCAL, merchant: 'www' },
    'an empty header': { host: LOCAL, merchant: '' },
    'a header in capitals': { host: LOCAL, merchant: 'TEA' },
    'two merchants in the header': { host: LOCAL, merchant: 'tea, books' },
    'a header of strange characters': { host: LOCAL, merchant: "tea' OR '1'='1" },
  }
  for (const [name, headers] of Object.entries(mismatches)) {
    test(`a call with ${name} gets the answer of every unknown checkout: there is no such checkout`, async () => {
      for (const call of callsFor(checkout)) await isNotFound(call, headers)
      await isNotFound({ method: 'GET', url: '/api/v1/bincodes' }, headers)
      assert.equal((await server.readCheckout(checkout)).json<{ status: string }>().status, 'open')
    })
  }

  test('an unknown checkout and another merchant’s get one and the same answer', async () => {
    const headers = { host: 'tea.localhost:3000', merchant: 'tea' }
    for (const id of [systemRandom.id(), ofBooks]) for (const call of callsFor(id)) await isNotFound(call, headers)
    const books = { host: 'books.localhost:3000', merchant: 'books' }
    for (const call of callsFor(checkout)) await isNotFound(call, books)
    assert.equal((await send({ method: 'GET', url: `/api/v1/checkouts/${ofBooks}` }, books)).statusCode, 200)
  })

  test('an id that cannot be one is an unknown checkout too', async () => {
    const headers = { host: LOCAL, merchant: 'tea' }
    const long = [33, 100, 101, 200, 201, 5000].map((length) => 'a'.repeat(length))
    const odd = ['%ZZ', '%', '%00', '%FF', '%F0%9F%8D%B5', '..%2F..', '%3Cscript%3E', "'%20OR%20'1'='1", '__proto__']
    for (const id of [...long, ...odd, checkout.toUpperCase(), `${checkout}%0A`, `${checkout}a`, `%20${checkout}`]) {
      for (const call of callsFor(id)) await isNotFound(call, headers)
    }
  })

  test('an address that cannot be decoded is not quoted back, and never answers that an open checkout is gone', async () => {
    const headers = { host: LOCAL, merchant: 'tea', authorization: `Bearer ${API_KEYS.tea}` }
    const spoilt = [
      `/api/v1/checkouts/${checkout}/3ds/%ZZ4242424242424242/pay`,
      '/api/v1/%ZZ',
      '/merchant/v1/checkouts/%ZZ',
    ]
    for (const url of spoilt) {
      const answer = seen(await send({ method: 'PATCH', url }, headers))
      assert.deepEqual([answer.status, answer.headers], [405, API_ANSWER_HEADERS])
      assert.doesNotMatch(answer.body, /ZZ|4242/)
    }
    const page = await send({ method: 'GET', url: '/%ZZ' }, headers)
    assert.deepEqual([page.statusCode, page.headers.location, page.body], [303, '/404', ''])
  })

  test('there is no 404 with an error body for a path or method that is no call: it would close an open checkout', async () => {
    const paths = [
      '',
      '/',
      '/foo',
      '/checkouts',
      `/checkouts/${checkout}/`,
      `/checkouts/${checkout}/foo`,
      '/bincodes/1',
    ]
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
    for (const path of paths) {
      for (const method of methods) {
        const answer = await server.sendRequest({ method, url: `/api/v1${path}` })
        assert.equal(answer.statusCode, 405, `${method} ${path}`)
        assert.equal(answer.json<{ code: string }>().code, 'method_not_allowed')
      }
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'OPTIONS'] as const) {
      assert.equal((await server.sendRequest({ method, url: `/api/v1/checkouts/${checkout}` })).statusCode, 405)
    }
  })

  test('under the merchant API an unknown path is 405 to a key and 401 to everybody else', async () => {
    for (const url of ['/merchant/v1', '/merchant/v1/foo', '/merchant/v1/nothing', '/merchant/v1/openapi.yaml']) {
      const known = await send({ method: 'GET', url }, { host: LOCAL, authorization: `Bearer ${API_KEYS.tea}` })
      assert.deepEqual([known.statusCode, known.json<{ code: string }>().code], [405, 'method_not_allowed'], url)
      assert.equal((await send({ method: 'GET', url }, { host: LOCAL })).statusCode, 401)
    }
  })

  test('every answer of the API carries exactly the agreed headers', async () => {
    const answers = [
      await server.readCheckout(checkout),
      await server.sendRequest({ method: 'GET', url: '/api/v1/bincodes' }),
      await server.sendRequest({ method: 'GET', url: '/api/v1/foo' }),
      await server.sendRequest({ method: 'POST', url: `/api/v1/checkouts/${checkout}/3ds`, payload: {} }),
      await send({ method: 'GET', url: '/merchant/v1/checkouts/x' }, { host: LOCAL }),
      await send({ method: 'GET', url: '/merchant/v1/openapi.json' }, { host: LOCAL }),
      await send({ method: 'GET', url: '/healthz' }, { host: LOCAL }),
      await send({ method: 'GET', url: '/readyz' }, { host: LOCAL }),
    ]
    for (const answer of answers) assert.deepEqual(seen(answer).headers, API_ANSWER_HEADERS)
  })

  test('a server on a starved machine starts late: no time limit ends its start', () => {
    assert.equal(server.app.initialConfig.pluginTimeout, 0)
  })

  test('the server answers that it runs and that its database is ready', async () => {
    const health = await send({ method: 'GET', url: '/healthz' }, { host: LOCAL })
    assert.deepEqual([health.statusCode, health.json()], [200, { status: 'ok' }])
    const ready = await send({ method: 'GET', url: '/readyz' }, { host: LOCAL })
    assert.deepEqual([ready.statusCode, ready.json<{ status: string }>().status], [200, 'ready'])
  })
})
