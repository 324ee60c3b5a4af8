import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import {
  activeServerOptions,
  startFakeActiveServer,
  type FakeActiveServer,
  type FakeResponse,
} from '../../../proof/harness/fake-active-server.ts'
import { createTransport, isMerchantToken, type Exchange } from './transport.ts'

const TIMEOUT_MS = 5000
const CARD = '4100000000005000'

const started = async (
  t: TestContext,
  answer: Parameters<typeof startFakeActiveServer>[0],
): Promise<FakeActiveServer> => {
  const provider = await startFakeActiveServer(answer)
  t.after(provider.stop)
  return provider
}

/** One POST with a card number in it to a server that reacts so. */
const posted = async (t: TestContext, reaction: FakeResponse, limitMs = TIMEOUT_MS) => {
  const provider = await started(t, () => reaction)
  const send = createTransport(activeServerOptions(provider.origin))
  const url = new URL('/x', provider.origin)
  const exchange = await send(
    { method: 'POST', url, body: { acctNumber: CARD }, merchantToken: null },
    AbortSignal.timeout(limitMs),
  )
  return { exchange, provider }
}
const failure = (kind: string): unknown => ({ ok: false, failure: { kind } })
const jsonOf = (bytes: number): string => `"${'x'.repeat(bytes - 2)}"`

describe('one call to a 3-D Secure server', () => {
  test('an answer is read with its status', async (t) => {
    const { exchange, provider } = await posted(t, { status: 418, json: { a: '円' } })
    assert.deepEqual(exchange, { ok: true, reply: { status: 418, body: { a: '円' } } })
    const [call] = provider.received
    assert.equal(call?.headers['content-type'], 'application/json')
    assert.equal(call?.headers['as-merchant-token'], undefined)
    assert.deepEqual(call?.body, { acctNumber: CARD })
  })

  test('a body that is no JSON is read as null', async (t) => {
    for (const text of ['', '<html>', '{"a":'])
      assert.deepEqual((await posted(t, { text })).exchange, { ok: true, reply: { status: 200, body: null } })
  })

  test('a server that never answers, and one whose answer never ends, meet the same timeout', async (t) => {
    for (const reaction of ['hang', 'drip'] as const)
      assert.deepEqual((await posted(t, reaction, 120)).exchange, failure('timeout'))
  })

  test('a call whose time is already up is not made', async (t) => {
    const provider = await started(t, () => ({ json: {} }))
    const send = createTransport(activeServerOptions(provider.origin))
    const exchange = await send(
      { method: 'GET', url: new URL(provider.origin), merchantToken: null },
      AbortSignal.abort(),
    )
    assert.deepEqual(exchange, failure('timeout'))
    assert.equal(provider.connections(), 0)
  })

  test('an answer may have 256 KB and not a byte more', async (t) => {
    const { exchange } = await posted(t, { text: jsonOf(256 * 1024) })
    assert.equal(exchange.ok && exchange.reply.body, 'x'.repeat(256 * 1024 - 2))
    assert.deepEqual((await posted(t, { text: jsonOf(256 * 1024 + 1) })).exchange, failure('too large'))
  })

  test('a redirect is an answer and is not followed', async (t) => {
    const target = await started(t, () => ({ json: {} }))
    const { exchange } = await posted(t, { redirect: `${target.origin}/steal` })
    assert.deepEqual(exchange, { ok: true, reply: { status: 302, body: null } })
    assert.deepEqual(target.received, [])
  })

  test('a connection lost before, within or instead of the answer is a failure that repeats nothing that was sent', async (t) => {
    for (const reaction of ['reset', 'reset halfway', 'switch protocols'] as const) {
      const { exchange } = await posted(t, reaction)
      assert.deepEqual(exchange, failure('broken'), reaction)
    }
  })

  test('where nobody listens, or no such host is known, the server cannot be reached', async () => {
    const gone = await startFakeActiveServer(() => 'hang')
    await gone.stop()
    const ask = async (origin: string): Promise<Exchange> =>
      createTransport(activeServerOptions(gone.origin))(
        { method: 'GET', url: new URL(origin), merchantToken: null },
        AbortSignal.timeout(TIMEOUT_MS),
      )
    assert.deepEqual(await ask(gone.origin), failure('refused'))
    assert.deepEqual(await ask('http://nobody.invalid/'), failure('refused'))
  })

  test('the token goes to the API alone', async (t) => {
    const api = await started(t, () => ({ json: {} }))
    const other = await started(t, () => ({ json: {} }))
    const send = createTransport(activeServerOptions(api.origin))
    for (const { origin } of [api, other])
      await send({ method: 'GET', url: new URL(origin), merchantToken: 'tok_1' }, AbortSignal.timeout(TIMEOUT_MS))
    assert.equal(api.received[0]?.headers['as-merchant-token'], 'tok_1')
    assert.equal(other.received[0]?.headers['as-merchant-token'], undefined)
    assert.equal(other.received.length, 1)
  })

  test('calls one after the other share a connection', async (t) => {
    const provider = await started(t, () => ({ json: {} }))
    const send = createTransport(activeServerOptions(provider.origin))
    for (let call = 0; call < 3; call += 1)
      await send(
        { method: 'POST', url: new URL(provider.origin), body: {}, merchantToken: null },
        AbortSignal.timeout(TIMEOUT_MS),
      )
    assert.equal(provider.received.length, 3)
    assert.equal(provider.connections(), 1)
  })
})

describe('a configuration that cannot work is refused at the start', () => {
  const create = (apiUrl: string, rest: object = {}) =>
    createTransport({ ...activeServerOptions('http://localhost'), apiUrl: new URL(apiUrl), ...rest })

  test('card numbers go over plain http to this machine alone', () => {
    for (const url of [
      'http://127.0.0.1:3001',
      'http://127.1.2.3',
      'http://localhost:1',
      'http://[::1]:1',
      'https://a.test',
    ])
      assert.doesNotThrow(() => create(url), url)
    for (const url of [
      'http://a.test',
      'http://127.0.0.1.a.test',
      'http://localhost.a.test',
      'http://10.0.0.1',
      'ftp://127.0.0.1',
    ])
      assert.throws(() => create(url), /https alone/, url)
  })

  test('a token that is no header and a certificate that cannot be read are refused', () => {
    for (const token of ['a\nb', '円', '']) assert.equal(isMerchantToken(token), false, token)
    assert.equal(isMerchantToken('tok_1'), true)
    const tls = { pfx: Buffer.from('no certificate'), passphrase: null, ca: null }
    assert.throws(() => create('https://a.test', { tls }), /client certificate .* passphrase/)
  })
})
