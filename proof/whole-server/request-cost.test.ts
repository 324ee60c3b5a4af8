import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import lz from 'lz-string'
import { readPageBuild } from '../../server/http/page-build.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { API_KEYS, openTestServer, type TestServer } from '../harness/test-server.ts'

/** What one request may cost, whatever its bytes: a few connections of dearer ones would stop all payments. */
const CPU_LIMIT_MS = 20
/** Of a request that is too dear, each is. */
const ROUNDS_MAX = 12
/** Node takes no longer address with its headers, and we no longer body. */
const HEAD_MAX = 30 * 1024
const BODY_MAX = 63 * 1024

const fill = (piece: string, length: number): string => piece.repeat(Math.floor(length / piece.length))

const HOST = { host: 'tea.localhost:3000' }
const SHOPPER = { ...HOST, merchant: 'tea', 'content-type': 'application/json' }
const UNKNOWN = 'a'.repeat(32)

const inQuery: Readonly<Record<string, string>> = {
  'many parameters': fill('a&', HEAD_MAX),
  'many named parameters': fill('a=1&', HEAD_MAX),
  'one long text': fill('a', HEAD_MAX),
  'digits in groups': fill('4242-', HEAD_MAX),
  'digits one by one': fill('4.', HEAD_MAX),
  'digits without a gap': fill('4', HEAD_MAX),
  'encoded digits of another script': fill('%EF%BC%94', HEAD_MAX),
  'broken encoding': fill('%E3%81', HEAD_MAX),
  'a language asked for many times': fill('locale=x&', HEAD_MAX),
}

/** The longest text that its compressed form can stand for. */
const compressed = lz.compressToEncodedURIComponent('a'.repeat(2_000_000)).slice(0, 4000)

const inPreview: Readonly<Record<string, string>> = {
  'compressed texts': ['subject', 'shopName', 'remarks'].map((name) => `${name}=${compressed}`).join('&'),
  'long texts': `remarks=${fill('あ', 1300)}&subject=${fill('%E3%81%82', 3000)}&shopName=${fill('<', 3000)}`,
  'many brands': `brands=${fill('a,', 15_000)}`,
  'a picture in the address': `logoUrl=data:image/png;base64,${fill('A', 15_000)}`,
  'many parameters': fill('a&', 16_000),
}

const inBody: Readonly<Record<string, string>> = {
  'deep arrays': `{"card":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
  'many fields': `{${Array.from({ length: 5000 }, (_, place) => `"f${place}":1`).join()}}`,
  'a long name of digits': JSON.stringify({ card: { name: fill('4 ', BODY_MAX) } }),
  'no JSON': fill('{', BODY_MAX),
  'a long number': `{"card":${fill('9', BODY_MAX)}}`,
  'escaped characters': `{"card":"${fill('\\u0034', BODY_MAX)}"}`,
}

const LONG_HEADERS = [
  'user-agent',
  'accept',
  'accept-language',
  'authorization',
  'cookie',
  'referer',
  'origin',
] as const

describe(`a request costs at most ${CPU_LIMIT_MS} ms of CPU time, whatever it holds`, () => {
  let server: TestServer
  let open: string
  before(async () => {
    server = await openTestServer({ gateway: fakeGateway(), build: await readPageBuild() })
    open = await server.createCheckout()
  })
  after(() => server.app.close())

  const cpuTimeMs = async (request: InjectOptions): Promise<number> => {
    const start = process.cpuUsage()
    await server.app.inject(request)
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  }

  /** The least of several: a collection of garbage, and whatever else the machine does, only add to it. */
  const assertCheap = (name: string, requestOf: () => InjectOptions): void => {
    test(name, async () => {
      const request = requestOf()
      let leastMs = Infinity
      for (let round = 0; round < ROUNDS_MAX && leastMs > CPU_LIMIT_MS; round += 1)
        leastMs = Math.min(leastMs, await cpuTimeMs(request))
      assert.ok(leastMs <= CPU_LIMIT_MS, `${leastMs.toFixed(1)} ms`)
    })
  }

  for (const [what, query] of Object.entries(inQuery)) {
    assertCheap(`an unknown link with ${what}`, () => ({ method: 'GET', url: `/${UNKNOWN}?${query}`, headers: HOST }))
    assertCheap(`an open link with ${what}`, () => ({ method: 'GET', url: `/${open}?${query}`, headers: HOST }))
    assertCheap(`an unknown address with ${what}`, () => ({ method: 'GET', url: `/x/y?${query}`, headers: HOST }))
    assertCheap(`a reading with ${what}`, () => ({
      method: 'GET',
      url: `/api/v1/checkouts/${open}?${query}`,
      headers: SHOPPER,
    }))
  }
  const merchant = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
  const merchantCalls: Readonly<Record<string, string>> = {
    'a list of checkouts': '/checkouts?limit=100',
    'a list with a long filter': `/checkouts?email=${fill('4.', 1000)}`,
    'a list with many parameters': `/checkouts?${inQuery['many named parameters']}`,
    'a list from a place that is none': `/checkouts?after=${fill('a', HEAD_MAX)}`,
    'a QR code': '/checkouts/OPEN/qr.svg',
    'a summary of a year': '/summary?from=2025-11-16&to=2026-11-15',
    'an export of a year': '/exports/movements.csv?from=2025-11-16&to=2026-11-15',
  }
  for (const [what, path] of Object.entries(merchantCalls))
    assertCheap(what, () => ({ url: `/merchant/v1${path.replace('OPEN', open)}`, headers: merchant }))

  assertCheap('an address of many parts', () => ({ method: 'GET', url: fill('/a', HEAD_MAX), headers: HOST }))
  assertCheap('an address of one long part', () => ({ method: 'GET', url: `/${fill('a', HEAD_MAX)}`, headers: HOST }))
  assertCheap('an address that cannot be decoded', () => ({
    method: 'GET',
    url: `/${fill('%zz', HEAD_MAX)}`,
    headers: HOST,
  }))

  for (const [what, query] of Object.entries(inPreview))
    assertCheap(`a preview with ${what}`, () => ({ method: 'GET', url: `/preview?${query}`, headers: HOST }))

  for (const [what, payload] of Object.entries(inBody)) {
    assertCheap(`a start with ${what}`, () => ({
      method: 'POST',
      url: `/api/v1/checkouts/${open}/3ds`,
      headers: SHOPPER,
      payload,
    }))
    assertCheap(`a merchant’s call without a key and with ${what}`, () => ({
      method: 'POST',
      url: '/merchant/v1/checkouts',
      headers: { host: 'localhost:3000', 'content-type': 'application/json' },
      payload,
    }))
    assertCheap(`a merchant’s call with ${what}`, () => ({
      method: 'POST',
      url: '/merchant/v1/checkouts',
      headers: { host: 'localhost:3000', 'content-type': 'application/json', authorization: `Bearer ${API_KEYS.tea}` },
      payload,
    }))
    assertCheap(`a report of a browser with ${what}`, () => ({
      method: 'POST',
      url: '/csp-report',
      headers: { ...HOST, 'content-type': 'application/csp-report' },
      payload: payload.slice(0, 16 * 1024),
    }))
    assertCheap(`an event of the bridge with ${what}`, () => ({
      method: 'POST',
      url: `/events/${UNKNOWN}`,
      headers: { host: '3ds.localhost:3000', 'content-type': 'application/x-www-form-urlencoded' },
      payload,
    }))
  }
  for (const method of ['GET', 'POST'] as const)
    for (const [what, query] of Object.entries(inQuery))
      assertCheap(`${method} of the link of a mail with ${what}`, () => ({
        method,
        url: `/mail-address/${UNKNOWN}?${query}`,
        headers: { ...HOST, 'content-type': 'application/x-www-form-urlencoded' },
        payload: method === 'GET' ? '' : fill('a&', 1024),
      }))
  assertCheap('an event of the bridge with many fields', () => ({
    method: 'POST',
    url: `/events/${UNKNOWN}`,
    headers: { host: '3ds.localhost:3000', 'content-type': 'application/x-www-form-urlencoded' },
    payload: fill('a&', BODY_MAX),
  }))

  for (const name of LONG_HEADERS)
    for (const [what, text] of Object.entries({ digits: '4 ', words: 'a,' })) {
      assertCheap(`an authentication with ${what} in ${name}`, () => ({
        method: 'PATCH',
        url: `/api/v1/3ds/${UNKNOWN}/authenticate`,
        headers: { ...SHOPPER, [name]: fill(text, 15_000) },
        payload: '',
      }))
      assertCheap(`a page with ${what} in ${name}`, () => ({
        method: 'GET',
        url: `/${open}/creditcard`,
        headers: { ...HOST, [name]: fill(text, 15_000) },
      }))
    }
})
