import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, request as httpRequest } from 'node:http'
import { createServer as createHttpsServer, type RequestOptions } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { endApp } from '../../../proof/harness/end-server.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { createTestApp, openTestServer } from '../../../proof/harness/test-server.ts'
import type { FastifyInstance } from 'fastify'
import { createNetwork, resolveBySystem, type Network } from './network.ts'
import {
  CERTIFICATE_WARN_DAYS,
  judgeCertificate,
  judgeProxy,
  judgeServer,
  judgeWildcard,
  lookAtCertificate,
  lookAtProxy,
  lookAtServer,
  lookAtWildcard,
} from './public-checks.ts'

const BASE = new URL('https://pay.example.com')
const LABEL = 'k3v6'.repeat(8)
const DAY = 24 * 60 * 60 * 1000

test('the wildcard name must have an address, but on this machine browsers know it', () => {
  assert.equal(judgeWildcard(BASE, { seen: ['192.0.2.1'] }).state, 'ok')
  assert.equal(judgeWildcard(BASE, { seen: [] }).state, 'fail')
  const missing = judgeWildcard(BASE, { missing: 'ENOTFOUND' })
  assert.match('mend' in missing ? missing.mend : '', /^add a DNS record for \*\.pay\.example\.com/)
  assert.equal(judgeWildcard(new URL('http://localhost:3000'), { missing: 'ENOTFOUND' }).state, 'ok')
})

test('a certificate must be trusted, and must not end soon', () => {
  const stateOf = (days: number, untrusted: string | null = null): string =>
    judgeCertificate('pay.example.com', { seen: { untrusted, validTo: days * DAY } }, 0).state
  assert.equal(stateOf(CERTIFICATE_WARN_DAYS), 'ok')
  assert.equal(stateOf(CERTIFICATE_WARN_DAYS - 1), 'warn')
  assert.equal(stateOf(90, 'CERT_HAS_EXPIRED'), 'fail')
  assert.equal(judgeCertificate('pay.example.com', { missing: 'ECONNREFUSED' }, 0).state, 'fail')
})

test('a server that is not there, or not ready, has failed', () => {
  const reply = { contentType: '', body: '' }
  assert.equal(judgeServer('x', { seen: { ...reply, status: 200 } }).state, 'ok')
  assert.equal(judgeServer('x', { seen: { ...reply, status: 503 } }).state, 'fail')
  assert.match(judgeServer('x', { missing: 'ECONNREFUSED' }).says, /nobody answers at x \(ECONNREFUSED\)/)
})

test('names of this machine are resolved without asking anybody', async () => {
  assert.deepEqual(await resolveBySystem('anything.localhost'), ['127.0.0.1'])
})

test('a certificate of plain http is not looked for', async () => {
  const nobody: Network = {
    resolve: () => assert.fail('asked'),
    certificate: () => assert.fail('asked'),
    ask: () => assert.fail('asked'),
  }
  assert.equal((await lookAtCertificate(nobody, new URL('http://localhost:3000'), LABEL, 0)).state, 'ok')
})

const readPem = (name: string): string =>
  readFileSync(new URL(`../../../proof/harness/certificates/${name}`, import.meta.url), 'utf8')
const CA = readPem('ca.pem')
const portOf = (server: { address(): AddressInfo | string | null }): number => (server.address() as AddressInfo).port

/** Under which Host header a proxy hands a request on. */
type HostRule = (host: string) => string

const asItCame: HostRule = (host) => host

describe('through a proxy that ends TLS for pay.test', () => {
  let app: FastifyInstance
  const opened: Server[] = []
  before(async () => {
    const { deps } = await openTestServer({ gateway: fakeGateway() })
    app = await createTestApp({ ...deps, publicBase: new URL('https://pay.test') })
    await app.listen({ port: 0, host: '127.0.0.1' })
  })
  after(async () => {
    for (const server of opened) server.close()
    await endApp(app)
  })

  const listen = async <T extends Server>(server: T): Promise<T> => {
    opened.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return server
  }
  /** Answers the base through which it is reached; the server itself knows its base without a port. */
  const openProxy = async (hostRule: HostRule): Promise<URL> => {
    const tls = { key: readPem('server-key.pem'), cert: readPem('server.pem') }
    const proxy = createHttpsServer(tls, (request, response) => {
      const host = hostRule((request.headers.host ?? '').replace(/:\d+$/, ''))
      const target: RequestOptions = {
        host: '127.0.0.1',
        port: portOf(app.server),
        path: request.url,
        headers: { host },
      }
      httpRequest(target, (answer) => {
        response.writeHead(answer.statusCode ?? 0, { 'content-type': answer.headers['content-type'] ?? '' })
        answer.pipe(response)
      }).end()
    })
    await listen(proxy)
    return new URL(`https://pay.test:${portOf(proxy)}`)
  }
  const network = createNetwork(async () => ['127.0.0.1'], CA)
  /** What the server says of its base has no port, as the proxy has none in real life. */
  const proxyFinding = async (hostRule: HostRule) => {
    const base = await openProxy(hostRule)
    const at443: Network = {
      ...network,
      ask: (url, address) => network.ask(new URL(`https://${url.hostname}:${base.port}${url.pathname}`), address),
    }
    return lookAtProxy(at443, new URL('https://pay.test'), LABEL)
  }

  test('a proxy that passes the Host header on is in order', async () => {
    assert.deepEqual(await proxyFinding(asItCame), {
      state: 'ok',
      says: 'merchants’ hosts and the bridge arrive under their own names',
    })
  })

  test('a proxy that writes another Host, of the base or of the server behind it, has failed', async () => {
    const isBridge = (host: string): boolean => host.startsWith('3ds.')
    for (const other of ['pay.test', '127.0.0.1:3000', 'localhost', 'a.b.pay.test']) {
      const ofMerchants = await proxyFinding((host) => (isBridge(host) ? host : other))
      assert.deepEqual(
        [ofMerchants.state, ofMerchants.says],
        ['fail', 'a merchant’s host arrives as another one'],
        other,
      )
      const ofBridge = await proxyFinding((host) => (isBridge(host) ? other : host))
      assert.deepEqual(
        [ofBridge.state, ofBridge.says],
        ['fail', 'the host of the bridge arrives as another one'],
        other,
      )
    }
    // One shop's host for all: told by the bridge, which then is that shop too.
    assert.equal((await proxyFinding(() => 'tea.pay.test')).state, 'fail')
  })

  test('the certificate is looked at for a merchant’s host and for the base', async () => {
    const base = await openProxy(asItCame)
    assert.match(
      (await lookAtCertificate(network, base, LABEL, Date.parse('2026-11-16'))).says,
      /^trusted for k3v6.* days left$/,
    )
    assert.equal((await lookAtCertificate(network, base, LABEL, Date.parse('2119-12-31'))).state, 'warn')
    const soonOver = await lookAtCertificate(
      {
        ...network,
        certificate: async (host, port, address) => {
          const facts = await network.certificate(host, port, address)
          return host === base.hostname ? { ...facts, validTo: Date.parse('2026-11-20') } : facts
        },
      },
      base,
      LABEL,
      Date.parse('2026-11-16'),
    )
    assert.deepEqual([soonOver.state, /^trusted for pay\.test,/.test(soonOver.says)], ['warn', true])
    const strangers = createNetwork(async () => ['127.0.0.1'])
    const untrusted = await lookAtCertificate(strangers, base, LABEL, 0)
    assert.match(untrusted.says, /^a browser refuses the certificate of pay\.test \(\w+\)$/)
    const other = new URL(`https://sub.pay.test:${base.port}`)
    const narrow = await lookAtCertificate(network, other, LABEL, 0)
    assert.equal(narrow.state, 'fail')
    assert.match(narrow.says, /certificate of k3v6\w+\.sub\.pay\.test \(ERR_TLS_CERT_ALTNAME_INVALID\)$/)
  })

  test('a proxy that leads elsewhere, or is not there, has failed', async () => {
    const other = createHttpServer((_request, response) => response.end('welcome'))
    await listen(other)
    const base = new URL(`http://pay.test:${portOf(other)}`)
    assert.match((await lookAtProxy(network, base, LABEL)).says, /does not lead to Kaikei \(HTTP 200\)/)
    assert.match(
      (await lookAtServer(network, { host: '0.0.0.0', port: portOf(app.server), publicBase: base })).says,
      /^ready at 127/,
    )
    const silent = await listen(createTcpServer((socket) => socket.destroy()))
    const gone = new URL(`https://pay.test:${portOf(silent)}`)
    assert.equal((await lookAtProxy(network, gone, LABEL)).state, 'fail')
    assert.equal((await lookAtCertificate(network, gone, LABEL, 0)).state, 'fail')
    const nowhere = createNetwork(() => Promise.reject(new Error('ENOTFOUND')))
    assert.match((await lookAtProxy(nowhere, base, LABEL)).says, /ENOTFOUND/)
    assert.match((await lookAtWildcard(nowhere, base, LABEL)).says, /^\*\.pay\.test has no address \(ENOTFOUND\)/)
  })

  test('a bridge that does not answer is told apart', () => {
    const body = '{"code":"invalid_api_key","message":"The merchant API is at pay.example.com."}'
    const unknownMerchant = { seen: { status: 401, contentType: 'application/json', body } }
    const finding = judgeProxy(BASE, { unknownMerchant, bridge: { missing: 'ECONNREFUSED' } })
    assert.match(finding.says, /^no answer from the bridge/)
  })
})
