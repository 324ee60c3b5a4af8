/**
 * Fake ActiveServer: an HTTP server on a free loopback port in place of the 3-D Secure server
 * that the adapter `server/three-ds/active-server/` calls.
 * `respond` is given each request and how many came to the same path before it.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type { Card } from '#payment/ports.ts'
import type { ThreeDSOrder, ThreeDSRequest, ThreeDSSession } from '#payment/three-ds-port.ts'
import type { ActiveServerOptions } from '../../server/three-ds/active-server/three-ds-server.ts'
import { cardWithNumber } from './cards.ts'
import { listenOnFreePort } from './server-process.ts'

const CERTIFICATES = new URL('./certificates/', import.meta.url)
export const readCertificate = (name: string): Buffer => readFileSync(new URL(name, CERTIFICATES))

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: unknown
}

/** What the fake server does with one request. */
export type FakeResponse =
  | { readonly status?: number; readonly json: unknown; readonly afterMs?: number }
  | { readonly text: string }
  | { readonly redirect: string }
  | 'hang'
  | 'drip'
  | 'reset'
  | 'reset halfway'
  | 'switch protocols'

export interface FakeActiveServer {
  readonly origin: string
  readonly received: readonly ReceivedRequest[]
  connections(): number
  stop(): Promise<void>
}

const sendFakeResponse = (response: http.ServerResponse, fake: FakeResponse): void => {
  if (fake === 'hang') return
  if (fake === 'reset') {
    response.destroy()
  } else if (fake === 'reset halfway') {
    response.writeHead(200, { 'content-length': 100 }).write('{"enrolmentStatus":', () => response.destroy())
  } else if (fake === 'switch protocols') {
    response.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end()
  } else if (fake === 'drip') {
    const timer = setInterval(() => response.write(' '), 10)
    response.once('close', () => clearInterval(timer))
  } else if ('redirect' in fake) {
    response.writeHead(302, { location: fake.redirect }).end()
  } else if ('text' in fake) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(fake.text)
  } else {
    const { status = 200, json, afterMs = 0 } = fake
    response.writeHead(status, { 'content-type': 'application/json' })
    const timer = setTimeout(() => response.end(JSON.stringify(json)), afterMs)
    response.once('close', () => clearTimeout(timer))
  }
}

const parseBody = (text: string): unknown => (text === '' ? null : JSON.parse(text))

export const startFakeActiveServer = async (
  respond: (request: ReceivedRequest, before: number) => FakeResponse,
  tls?: https.ServerOptions,
): Promise<FakeActiveServer> => {
  const received: ReceivedRequest[] = []
  let connections = 0
  const listener: http.RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const call: ReceivedRequest = { method, path, headers, body: parseBody(Buffer.concat(chunks).toString('utf8')) }
      const before = received.filter((other) => other.path === path).length
      received.push(call)
      sendFakeResponse(response, respond(call, before))
    })
  }
  const server = tls === undefined ? http.createServer(listener) : https.createServer(tls, listener)
  server.on('connection', () => (connections += 1))
  const port = await listenOnFreePort(server)
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    received,
    connections: () => connections,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export const CARD_DIGITS = '4100000000005000'
export const SERVER_TRANS_ID = '7c1f6f3e-5d0a-4d9b-8a1c-2f0e6b7d9a11'
export const MERCHANT_ID = '123456789012345'

/** Whose cards are authenticated. */
export const TEST_ACCOUNT = { merchantId: 'tea-id', mode: 'test' } as const

export const testCard = (): Card => ({
  ...cardWithNumber(CARD_DIGITS),
  expiryMonth: 3,
  expiryYear: 2030,
  email: 'taro@example.jp',
})

export const testOrder = (): ThreeDSOrder => ({
  ...TEST_ACCOUNT,
  orderCode: 'k3v6wq2m',
  card: testCard(),
  eventUrl: 'https://3ds.pay.test/events/opaque',
})

export const testSession = (origin: string): ThreeDSSession => ({
  requestorTransId: '0b0a4b7e-93a4-5b7e-8d37-7f8a1d1a8d10',
  serverTransId: SERVER_TRANS_ID,
  authUrl: `${origin}/api/v2/auth/brw?t=1`,
  challenge: null,
})

export const challengedSession = (origin: string, monitorUrl: string | null): ThreeDSSession => ({
  ...testSession(origin),
  challenge: { monitorUrl, dsTransId: 'b1c2d3e4-0000-4000-8000-000000000001', messageVersion: '2.2.0' },
})

export const testAuthenticationRequest = (origin: string): ThreeDSRequest => ({
  ...TEST_ACCOUNT,
  session: testSession(origin),
  card: testCard(),
  amountYen: 1980,
  merchantName: 'Demo Shop',
  // Already the next day in Japan.
  purchasedAt: Date.parse('2026-12-31T15:04:05.678Z'),
  isChallengeMandatory: false,
  collected: null,
  browser: {
    acceptHeader: 'text/html',
    userAgent: 'Mozilla/5.0',
    ip: '203.0.113.7',
    language: 'zh-Hant-TW',
    screen: { javaEnabled: false, colorDepth: 30, height: 900, width: 1440, timeZoneOffset: -540 },
  },
})

/** Every account has this merchant id, and this token. */
export const sameCredentials =
  (merchantId = MERCHANT_ID, merchantToken: string | null = null): ActiveServerOptions['credentialsOf'] =>
  async () => ({ merchantId, merchantToken })

export const activeServerOptions = (origin: string, timeoutMs = 5000): ActiveServerOptions => ({
  apiUrl: new URL(origin),
  credentialsOf: sameCredentials(),
  tls: null,
  timeoutMs,
})
