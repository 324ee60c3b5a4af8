/** Calls of the proxy proof: one request each, through the proxy or straight to the server. */
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'

export type Headers = Readonly<Record<string, string>>

export interface ProxyCall {
  readonly method?: 'GET' | 'POST' | 'PATCH'
  /** The Host header, with its port. */
  readonly host: string
  /** A path, or a whole address as a client of a forward proxy sends it. */
  readonly target: string
  readonly headers?: Headers
  readonly body?: object
  /** The name that the TLS handshake asks for; the base's own if not given. */
  readonly tlsName?: string
}

export interface ProxyAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type Send = (call: ProxyCall) => Promise<ProxyAnswer>

/** Another address than the proxy's own: taken for each other, the two would look alike. */
export const CLIENT_ADDRESS = '127.0.0.2'
const CALL_TIMEOUT_MS = 60_000
/** A busy server answers 503 and says when to come again. */
export const BUSY_RETRIES_MAX = 15
export const BUSY_WAIT_MS = 2000

const optionsOf = ({ method = 'GET', host, target, headers = {}, body }: ProxyCall) => ({
  host: '127.0.0.1',
  method,
  path: target,
  headers: { ...headers, host, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
  agent: false,
  timeout: CALL_TIMEOUT_MS,
})

const answerTo = (request: http.ClientRequest, { body }: ProxyCall): Promise<ProxyAnswer> =>
  new Promise((resolve, reject) => {
    const read = async (response: IncomingMessage): Promise<void> => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await text(response) })
    }
    request.on('response', (response) => void read(response).catch(reject))
    request.on('timeout', () => request.destroy(new Error(`no answer within ${CALL_TIMEOUT_MS} ms`)))
    request.on('error', reject)
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })

const untilNotBusy = async (send: () => Promise<ProxyAnswer>): Promise<ProxyAnswer> => {
  for (let retries = 0; ; retries += 1) {
    const answer = await send()
    if (answer.status !== 503 || retries === BUSY_RETRIES_MAX) return answer
    await wait(BUSY_WAIT_MS)
  }
}

/** Sends over TLS, as a browser on another machine would. */
export const sendThroughProxy =
  (port: number, baseName: string, ca: Buffer): Send =>
  (call) => {
    const options = { ...optionsOf(call), port, ca, servername: call.tlsName ?? baseName, localAddress: CLIENT_ADDRESS }
    return untilNotBusy(() => answerTo(https.request(options), call))
  }

/** Sends from the address of the trusted proxy, as a proxy would that passes on everything. */
export const sendStraight =
  (port: number): Send =>
  (call) =>
    untilNotBusy(() => answerTo(http.request({ ...optionsOf(call), port, localAddress: '127.0.0.1' }), call))
