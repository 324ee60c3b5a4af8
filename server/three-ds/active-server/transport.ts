/** ActiveServer, transport: HTTPS with a client certificate, timeouts and kinds of failure. */
import { X509Certificate } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import { createSecureContext, TLSSocket } from 'node:tls'
import { isLoopback } from '#contract/loopback.ts'
import { parseJson } from '../../parse-json.ts'
import type { ActiveServerReply } from './wire.ts'

const ANSWER_MAX_BYTES = 256 * 1024
/** Servers close idle connections after five seconds and more; a call on one just being closed would be lost. */
const IDLE_MS = 4000

/** Why there is no answer. Never holds what was sent: a card number would travel into the log with it. */
export type Failure =
  | { readonly kind: 'timeout' | 'refused' | 'broken' | 'hung up' | 'too large' }
  | { readonly kind: 'untrusted' | 'unwelcome' | 'tls'; readonly code: string }

export type Exchange =
  | { readonly ok: true; readonly reply: ActiveServerReply }
  | { readonly ok: false; readonly failure: Failure }

export interface ActiveServerRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly body?: object
  /** Which merchant calls, where one certificate serves several; null: none is sent. */
  readonly merchantToken: string | null
}

export type Send = (message: ActiveServerRequest, signal: AbortSignal) => Promise<Exchange>

export interface ClientTls {
  readonly pfx: Buffer
  readonly passphrase: string | null
  readonly ca: string | null
}

export interface TransportOptions {
  readonly apiUrl: URL
  readonly tls: ClientTls | null
}

/** Read once: a passphrase that does not fit is told at the start of the server and not at the first payment. */
const secureContextOf = ({ pfx, passphrase, ca }: ClientTls) => {
  try {
    // Node takes an empty text for none, and would then trust every authority of the world with card numbers.
    if (ca !== null) void new X509Certificate(ca)
    return createSecureContext({ pfx, ...(passphrase === null ? {} : { passphrase }), ...(ca === null ? {} : { ca }) })
  } catch {
    throw new Error('The client certificate for the 3-D Secure server cannot be read: check file, passphrase and CA.')
  }
}

const apiAgentOf = ({ apiUrl, tls }: TransportOptions): http.Agent => {
  const shared = { keepAlive: true, timeout: IDLE_MS }
  if (apiUrl.protocol === 'https:') {
    const secureContext = tls === null ? {} : { secureContext: secureContextOf(tls) }
    // Said aloud, so that NODE_TLS_REJECT_UNAUTHORIZED in somebody's environment cannot hand card numbers to anyone.
    return new https.Agent({ ...shared, ...secureContext, rejectUnauthorized: true })
  }
  if (apiUrl.protocol !== 'http:' || !isLoopback(apiUrl.hostname))
    throw new Error('Card numbers leave this machine over https alone: give the 3-D Secure server an https address.')
  return new http.Agent(shared)
}

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' && /^[A-Z0-9_]{1,64}$/.test(error.code) ? error.code : 'no code'

const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']
/** The alerts of RFC 8446 6.2 with which a server turns a client certificate down, as OpenSSL words them. */
const UNWELCOME = /certificate|unknown ca|access denied|handshake failure/i
const isUnwelcome = (message: string): boolean => {
  const alert = message.search(/\balert /i)
  return alert !== -1 && UNWELCOME.test(message.slice(alert))
}

const failureOf = (request: http.ClientRequest, error: Error): Failure => {
  const code = codeOf(error)
  const { socket } = request
  const secure = socket instanceof TLSSocket
  // Node types it as always there, but it is null until the server's certificate was found wanting.
  if (secure && Boolean(socket.authorizationError)) return { kind: 'untrusted', code }
  if (UNREACHABLE.includes(code)) return { kind: 'refused' }
  if (isUnwelcome(error.message)) return { kind: 'unwelcome', code }
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return { kind: 'tls', code }
  return { kind: secure && !request.reusedSocket ? 'hung up' : 'broken' }
}

const readAnswer = async (response: http.IncomingMessage): Promise<Exchange> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response) {
      if (!(chunk instanceof Uint8Array)) continue
      bytes += chunk.byteLength
      if (bytes > ANSWER_MAX_BYTES) {
        response.destroy()
        return { ok: false, failure: { kind: 'too large' } }
      }
      chunks.push(chunk)
    }
  } catch {
    return { ok: false, failure: { kind: 'broken' } }
  }
  return {
    ok: true,
    reply: { status: response.statusCode ?? 0, body: parseJson(Buffer.concat(chunks).toString('utf8')) },
  }
}

const exchange = async (
  request: http.ClientRequest,
  body: Buffer | undefined,
  signal: AbortSignal,
): Promise<Exchange> => {
  const { promise, resolve } = Promise.withResolvers<Exchange>()
  const fail = (failure: Failure): void => resolve({ ok: false, failure })
  let answered = false
  request.once('response', (response) => {
    answered = true
    void readAnswer(response).then(resolve)
  })
  request.on('error', (error) => fail(failureOf(request, error)))
  request.once('close', () => {
    if (!answered) fail({ kind: 'broken' })
  })
  request.end(body)
  const result = await promise
  return signal.aborted && !result.ok ? { ok: false, failure: { kind: 'timeout' } } : result
}

const TOKEN_HEADER = 'AS-Merchant-Token'

/** Whether a token can be sent: one with a line break in it, or a letter of Japan, cannot. */
export const isMerchantToken = (token: string): boolean => {
  try {
    http.validateHeaderValue(TOKEN_HEADER, token)
    return token !== ''
  } catch {
    return false
  }
}

/** Sends one message and follows no redirect. Only the API itself sees our certificate and our token. */
export const createTransport = (options: TransportOptions): Send => {
  const { apiUrl } = options
  const apiAgent = apiAgentOf(options)
  const strangers = { 'http:': new http.Agent(), 'https:': new https.Agent({ rejectUnauthorized: true }) }

  return async ({ method, url, body, merchantToken }, signal) => {
    const ofApi = url.origin === apiUrl.origin
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const headers = {
      accept: 'application/json',
      ...(bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': bytes.byteLength }),
      ...(ofApi && merchantToken !== null ? { [TOKEN_HEADER]: merchantToken } : {}),
    }
    const secure = url.protocol === 'https:'
    const agent = ofApi ? apiAgent : strangers[secure ? 'https:' : 'http:']
    const request = (secure ? https : http).request(url, { method, headers, agent, signal })
    return exchange(request, bytes, signal)
  }
}
