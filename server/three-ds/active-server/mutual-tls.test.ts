import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { listenDuring } from '../../../proof/harness/end-server.ts'
import tls from 'node:tls'
import {
  CARD_DIGITS,
  readCertificate,
  challengedSession,
  activeServerOptions,
  TEST_ACCOUNT,
  testOrder,
  startFakeActiveServer,
  type FakeActiveServer,
} from '../../../proof/harness/fake-active-server.ts'
import { createActiveServer } from './three-ds-server.ts'
import type { ClientTls } from './transport.ts'

const CA = readCertificate('ca.pem')
const SERVER = { key: readCertificate('server-key.pem'), cert: readCertificate('server.pem') }
const STRICT = { ...SERVER, ca: CA, requestCert: true, rejectUnauthorized: true }
const OURS: ClientTls = { pfx: readCertificate('client.p12'), passphrase: 'kaikei-test', ca: CA.toString() }

const AUTHENTICATED = { transStatus: 'Y' }
const NOT_ENROLLED = { enrolmentStatus: '00' }

const startStrictServer = async (t: TestContext, options: tls.SecureContextOptions = {}): Promise<FakeActiveServer> => {
  const provider = await startFakeActiveServer(() => ({ json: { ...AUTHENTICATED, ...NOT_ENROLLED } }), {
    ...STRICT,
    ...options,
  })
  t.after(provider.stop)
  return provider
}
const started = async (origin: string, client: ClientTls | null) => {
  const result = await createActiveServer({ ...activeServerOptions(origin), tls: client }).start(testOrder())
  return { outcome: result.outcome, why: result.outcome === 'unavailable' ? result.why : '' }
}

/** A TLS server that records every decrypted byte that a client sends after the handshake. */
const startRecordingServer = async (t: TestContext, options: tls.TlsOptions) => {
  const received: Buffer[] = []
  const server = tls.createServer(options, (socket) => {
    socket.on('data', (chunk) => received.push(Buffer.from(chunk)))
    socket.on('error', () => {})
    socket.once('data', () => socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'))
  })
  const closed = new Promise<void>((resolve) => {
    server.once('connection', (socket: tls.TLSSocket) => socket.once('close', () => resolve()))
  })
  const port = await listenDuring(t, server)
  const text = async (): Promise<string> => {
    await closed
    return Buffer.concat(received).toString('utf8')
  }
  return { origin: `https://127.0.0.1:${port}`, text }
}

describe('our client certificate', () => {
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const only = { minVersion: version, maxVersion: version }

    test(`over ${version} our own certificate is accepted`, async (t) => {
      const provider = await startStrictServer(t, only)
      assert.deepEqual(await started(provider.origin, OURS), { outcome: 'not_enrolled', why: '' })
      assert.equal(provider.received.length, 1)
    })

    test(`over ${version} the certificate of another CA is refused, and the reason names our certificate`, async (t) => {
      const provider = await startStrictServer(t, only)
      const { outcome, why } = await started(provider.origin, { ...OURS, pfx: readCertificate('other-client.p12') })
      assert.equal(outcome, 'unavailable')
      assert.match(why, /our client certificate/)
      assert.deepEqual(provider.received, [])
    })

    test(`over ${version} no certificate is refused, and the reason names our certificate`, async (t) => {
      const provider = await startStrictServer(t, only)
      const trusted = tls.getCACertificates()
      t.after(() => tls.setDefaultCACertificates(trusted))
      tls.setDefaultCACertificates([CA.toString()])
      const { outcome, why } = await started(provider.origin, null)
      assert.equal(outcome, 'unavailable')
      assert.match(why, /our client certificate/)
      assert.deepEqual(provider.received, [])
    })
  }

  test('a wrong passphrase is reported before the first payment', () => {
    for (const passphrase of [null, 'wrong'])
      assert.throws(
        () => createActiveServer({ ...activeServerOptions('https://127.0.0.1'), tls: { ...OURS, passphrase } }),
        /client certificate .* passphrase/,
      )
  })
})

describe('the server’s certificate is checked before a card number is sent', () => {
  test('to the right server the card number is sent', async (t) => {
    const recorder = await startRecordingServer(t, SERVER)
    assert.deepEqual(await started(recorder.origin, OURS), { outcome: 'unavailable', why: 'HTTP 404' })
    assert.match(await recorder.text(), new RegExp(CARD_DIGITS))
  })

  test('to a server that the given CA has not signed nothing is sent', async (t) => {
    const recorder = await startRecordingServer(t, SERVER)
    const { outcome, why } = await started(recorder.origin, { ...OURS, ca: readCertificate('other-ca.pem').toString() })
    assert.equal(outcome, 'unavailable')
    assert.match(why, /^its certificate is not to be trusted \([A-Z_]+\)$/)
    assert.equal(await recorder.text(), '')
  })

  test('to a server that no public CA has signed nothing is sent where no CA is given', async (t) => {
    for (const client of [null, { ...OURS, ca: null }]) {
      const recorder = await startRecordingServer(t, SERVER)
      const { outcome, why } = await started(recorder.origin, client)
      assert.equal(outcome, 'unavailable')
      assert.match(why, /^its certificate is not to be trusted/)
      assert.equal(await recorder.text(), '')
    }
  })

  test('another merchant’s client certificate of the same CA is not accepted as the server’s', async (t) => {
    const recorder = await startRecordingServer(t, { pfx: OURS.pfx, passphrase: 'kaikei-test' })
    const { why } = await started(recorder.origin, OURS)
    assert.match(why, /^its certificate is not to be trusted/)
    assert.equal(await recorder.text(), '')
  })

  test('NODE_TLS_REJECT_UNAUTHORIZED=0 does not switch the check off', async (t) => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    t.after(() => {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
    })
    t.mock.method(process, 'emitWarning', () => {})
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    const recorder = await startRecordingServer(t, SERVER)
    const { outcome } = await started(recorder.origin, { ...OURS, ca: readCertificate('other-ca.pem').toString() })
    assert.equal(outcome, 'unavailable')
    assert.equal(await recorder.text(), '')
  })
})

describe('the monitor of a challenge', () => {
  const readResult = async (api: FakeActiveServer, monitor: FakeActiveServer) =>
    createActiveServer({ ...activeServerOptions(api.origin), tls: OURS }).result(
      challengedSession(api.origin, `${monitor.origin}/mon`),
      TEST_ACCOUNT,
    )

  test('on the API’s own host it is asked with our certificate', async (t) => {
    const api = await startStrictServer(t)
    await readResult(api, api)
    assert.equal(api.received[0]?.path, '/mon')
  })

  test('on another host it is asked without our certificate; where that fails, the result is read instead', async (t) => {
    const api = await startStrictServer(t)
    const pages = await startStrictServer(t)
    assert.equal((await readResult(api, pages)).outcome, 'decided')
    assert.deepEqual(pages.received, [])
  })
})
