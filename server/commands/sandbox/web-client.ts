/** Web client: one request as a browser sends it, also to a *.localhost that Node does not resolve; no redirect is followed. */
import http from 'node:http'
import https from 'node:https'
import { isLoopback } from '#contract/loopback.ts'

export interface WebRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Given up when it is aborted. */
  readonly signal?: AbortSignal
}

export interface WebAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

/** Rejects where there is no answer. */
export type SendRequest = (request: WebRequest) => Promise<WebAnswer>

/** A payment may wait for the acquirer as long as GATEWAY_TIMEOUT_MS allows. */
const TIMEOUT_MS = 130_000
const BODY_MAX_BYTES = 1024 * 1024

export const sendByHttp: SendRequest = ({ method, url, headers = {}, body, signal }) =>
  new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:'
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const options = {
      ...(isLoopback(url.hostname) ? { host: '127.0.0.1', servername: url.hostname } : { host: url.hostname }),
      port: url.port === '' ? (isSecure ? 443 : 80) : url.port,
      path: `${url.pathname}${url.search}`,
      method,
      headers: { host: url.host, 'accept-encoding': 'identity', ...headers },
      agent: false,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    } as const
    const request = (isSecure ? https : http).request(options, (response) => {
      const parts: Buffer[] = []
      let bytes = 0
      response.on('data', (part: Buffer) => {
        parts.push(part)
        bytes += part.length
        if (bytes > BODY_MAX_BYTES) request.destroy(new Error(`more than ${BODY_MAX_BYTES} bytes`))
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString('utf8'),
        }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
