import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestorTransId } from '../../server/three-ds/active-server/translate.ts'
import type { ProxyCall, Send } from './calls.ts'
import { addressToldIn } from './program.ts'
import { ADDING_PROXY_CASES, FORGED_CASES, payWithForgedHeaders, type Finding } from './forged-payments.ts'

const BASE = new URL('https://pay.test:8443')
const ALL_AT_ONCE = FORGED_CASES.at(-1)

interface Beliefs {
  readonly host: (call: ProxyCall) => string
  readonly address: (call: ProxyCall) => string
}

const NO_BELIEFS: Beliefs = { host: ({ host }) => host, address: () => '127.0.0.2' }

/** A server that takes host and address from where it is told to. */
const fakeServer = (toldAddresses: Map<string, string>, { host, address }: Beliefs): Send => {
  const json = (status: number, fields: object) => ({ status, headers: {}, body: JSON.stringify(fields) })
  return async (call) => {
    const { target } = call
    const label = host(call).split('.')[0]
    if (target === '/merchant/v1/checkouts') return json(201, { id: 'c', url: `https://demo.${BASE.host}/c` })
    if (target === '/c/creditcard' && label === 'demo')
      return {
        status: 200,
        headers: { 'content-security-policy': `frame-src https://3ds.${BASE.host}; x` },
        body: '青山茶舗',
      }
    if (target === '/c/creditcard') return { status: 303, headers: { location: '/404' }, body: '' }
    if (target === '/api/v1/checkouts/c') return json(label === 'demo' ? 200 : 404, {})
    if (target === '/api/v1/checkouts/c/3ds')
      return json(200, { orderCode: 'o', collectUrl: `https://3ds.${BASE.host}/collect/t` })
    if (target === '/collect/t/browser') return { status: 204, headers: {}, body: '' }
    if (target.endsWith('/authenticate')) toldAddresses.set(requestorTransId('o'), address(call))
    return json(200, { status: 'paid' })
  }
}

const payAt = async (beliefs: Beliefs): Promise<{ wrong: readonly Finding[]; forgedHeaders: number }> => {
  const toldAddresses = new Map<string, string>()
  const send = fakeServer(toldAddresses, beliefs)
  assert.ok(ALL_AT_ONCE !== undefined)
  const setup = { base: BASE, merchantKey: 'k', send, toldAddresses, expectedAddress: '127.0.0.2' }
  const { findings, forgedHeaders } = await payWithForgedHeaders(ALL_AT_ONCE, setup)
  return { wrong: findings.filter(({ expected, found }) => expected !== found), forgedHeaders }
}

test('every header by which a proxy tells of a client is forged, alone and with all others', () => {
  const names = [
    'forwarded',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-port',
    'x-forwarded-proto',
    'x-real-ip',
  ]
  assert.deepEqual(Object.keys(ALL_AT_ONCE?.headersFor('h') ?? {}).toSorted(), names)
  const alone = FORGED_CASES.slice(0, -1).flatMap(({ headersFor }) => Object.keys(headersFor('h')))
  assert.deepEqual([...new Set(alone)].toSorted(), names)
  for (const { headersFor } of ADDING_PROXY_CASES) assert.equal(headersFor('h')['x-forwarded-host'], 'h')
})

test('a server that believes no forged header passes, and every forged header is counted', async () => {
  assert.deepEqual(await payAt(NO_BELIEFS), { wrong: [], forgedHeaders: 8 * 6 })
})

test("a server that believes X-Forwarded-Host draws the wrong merchant's page, and is found out", async () => {
  const { wrong } = await payAt({ ...NO_BELIEFS, host: ({ host, headers }) => headers?.['x-forwarded-host'] ?? host })
  assert.deepEqual(
    wrong.map(({ what, found }) => `${what}: ${found}`),
    [
      "all at once: the merchant's page: 303 another page",
      'all at once: frames of the page: undefined',
      "all at once: the page on nobody's host: 200 ",
      "all at once: the checkout on nobody's host: 200",
    ],
  )
})

test('a server that believes X-Real-IP tells the 3-D Secure server a forged address, and is found out', async () => {
  const { wrong } = await payAt({ ...NO_BELIEFS, address: ({ headers }) => headers?.['x-real-ip'] ?? '' })
  assert.deepEqual(wrong, [
    { what: 'all at once: address of the shopper', expected: '127.0.0.2', found: '203.0.113.66' },
  ])
})

test("the shopper's address is read from an authentication, and from no other call", () => {
  const body = { threeDSRequestorTransID: 'r', browserInfoCollected: { browserIP: '127.0.0.2' } }
  assert.deepEqual(addressToldIn(JSON.stringify(body)), ['r', '127.0.0.2'])
  assert.equal(addressToldIn(JSON.stringify({ threeDSRequestorTransID: 'r', browserInfo: 'x' })), undefined)
  assert.equal(addressToldIn(''), undefined)
})
