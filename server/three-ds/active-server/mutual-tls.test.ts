import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, test, type TestContext } from 'node:test'
import tls from 'node:tls'
import {
  CARD_DIGITS,
  certificate,
  challengedSession,
  optionsFor,
  orderUnderTest,
  startProvider,
  type Provider,
} from '../../../proof/harness/active-server-provider.ts'
import { createActiveServer } from './three-ds-server.ts'
import type { ClientTls } from './transport.ts'

const CA = certificate('ca.pem')
const SERVER = { key: certificate('server-key.pem'), cert: certificate('server.pem') }
const STRICT = { ...SERVER, ca: CA, requestCert: true, rejectUnauthorized: true }
const OURS: ClientTls = { pfx: certificate('client.p12'), passphrase: 'kaikei-test', ca: CA.toString() }

const AUTHENTICATED = { transStatus: 'Y' }
const NOT_ENROLLED = { enrolmentStatus: '00' }

const strict = async (t: TestContext, options: tls.SecureContextOptions = {}): Promise<Provider> => {
  const provider = await startProvider(() => ({ json: { ...AUTHENTICATED, ...NOT_ENROLLED } }), {
    ...STRICT,
    ...options,
  })
  t.after(provider.stop)
  return provider
}
const started = async (origin: string, client: ClientTls | null) => {
  const result = await createActiveServer({ ...optionsFor(origin), tls: client }).start(orderUnderTest())
  return { outcome: result.outcome, why: result.outcome === 'unavailable' ? result.why : '' }
}

/** Keeps every decrypted byte that a client sends after the handshake. */
const listenIn = async (t: TestContext, options: tls.TlsOptions) => {
  const heard: Buffer[] = []
  const server = tls.createServer(options, (socket) => {
    socket.on('data', (chunk) => heard.push(Buffer.from(chunk)))
    socket.on('error', () => {})
    socket.once('data', () => socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'))
  })
  const closed = new Promise<void>((resolve) => {
    server.once('connection', (socket: tls.TLSSocket) => socket.once('close', () => resolve()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const text = async (): Promise<string> => {
    await closed
    return Buffer.concat(heard).toString('utf8')
  }
  return { origin: `https://127.0.0.1:${port}`, text }
}

describe('who we are is shown by our certificate', () => {
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const only = { minVersion: version, maxVersion: version }

    test(`over ${version} our own certificate is accepted`, async (t) => {
      const provider = await strict(t, only)
      assert.deepEqual(await started(provider.origin, OURS), { outcome: 'not_enrolled', why: '' })
      assert.equal(provider.received.length, 1)
    })

    test(`over ${version} the certificate of another CA is refused, and the reason names our certificate`, async (t) => {
      const provider = await strict(t, only)
      const { outcome, why } = await started(provider.origin, { ...OURS, pfx: certificate('other-client.p12') })
      assert.equal(outcome, 'unavailable')
      assert.match(why, /our client certificate/)
      assert.deepEqual(provider.received, [])
    })

    test(`over ${version} no certificate is refused, and the reason names our certificate`, async (t) => {
      const provider = await strict(t, only)
      const trusted = tls.getCACertificates()
      t.after(() => tls.setDefaultCACertificates(trusted))
      tls.setDefaultCACertificates([CA.toString()])
      const { outcome, why } = await started(provider.origin, null)
      assert.equal(outcome, 'unavailable')
      assert.match(why, /our client certificate/)
      assert.deepEqual(provider.received, [])
    })
  }

  test('a passphrase that does not fit is told before the first payment', () => {
    for (const passphrase of [null, 'wrong'])
      assert.throws(
        () => createActiveServer({ ...optionsFor('https://127.0.0.1'), tls: { ...OURS, passphrase } }),
        /client certificate .* passphrase/,
      )
  })
})

describe('who they are is checked before a card number leaves', () => {
  test('to the right server the card number is sent', async (t) => {
    const ear = await listenIn(t, SERVER)
    assert.deepEqual(await started(ear.origin, OURS), { outcome: 'unavailable', why: 'HTTP 404' })
    assert.match(await ear.text(), new RegExp(CARD_DIGITS))
  })

  test('to a server that the given CA has not signed nothing is sent', async (t) => {
    const ear = await listenIn(t, SERVER)
    const { outcome, why } = await started(ear.origin, { ...OURS, ca: certificate('other-ca.pem').toString() })
    assert.equal(outcome, 'unavailable')
    assert.match(why, /^its certificate is not to be trusted \([A-Z_]+\)$/)
    assert.equal(await ear.text(), '')
  })

  test('to a server that only the public CAs could vouch for, and do not, nothing is sent', async (t) => {
    for (const client of [null, { ...OURS, ca: null }]) {
      const ear = await listenIn(t, SERVER)
      const { outcome, why } = await started(ear.origin, client)
      assert.equal(outcome, 'unavailable')
      assert.match(why, /^its certificate is not to be trusted/)
      assert.equal(await ear.text(), '')
    }
  })

  test('another merchant’s client certificate of the same CA does not pass for the server', async (t) => {
    const ear = await listenIn(t, { pfx: OURS.pfx, passphrase: 'kaikei-test' })
    const { why } = await started(ear.origin, OURS)
    assert.match(why, /^its certificate is not to be trusted/)
    assert.equal(await ear.text(), '')
  })

  test('an environment that switches the check off is not obeyed', async (t) => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    t.after(() => {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
    })
    t.mock.method(process, 'emitWarning', () => {})
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    const ear = await listenIn(t, SERVER)
    const { outcome } = await started(ear.origin, { ...OURS, ca: certificate('other-ca.pem').toString() })
    assert.equal(outcome, 'unavailable')
    assert.equal(await ear.text(), '')
  })
})

describe('the monitor of a challenge', () => {
  const asking = async (api: Provider, monitor: Provider) =>
    createActiveServer({ ...optionsFor(api.origin), tls: OURS }).result(
      challengedSession(api.origin, `${monitor.origin}/mon`),
    )

  test('on the API’s own host it is asked with our certificate', async (t) => {
    const api = await strict(t)
    await asking(api, api)
    assert.equal(api.received[0]?.path, '/mon')
  })

  test('on another host it is asked as the public would; where that fails, the result is read instead', async (t) => {
    const api = await strict(t)
    const pages = await strict(t)
    assert.equal((await asking(api, pages)).outcome, 'decided')
    assert.deepEqual(pages.received, [])
  })
})
