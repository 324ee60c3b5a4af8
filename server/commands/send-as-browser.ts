/** One request as a browser sends it, also to a *.localhost that Node does not resolve; no redirect is followed. */
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
  /** Where to connect to and whom to trust there, in place of what the address says. */
  readonly connection?: Pick<https.RequestOptions, 'host' | 'servername' | 'ca' | 'rejectUnauthorized'>
}

export interface ReceivedAnswer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

interface Limits {
  readonly timeoutMs: number
  readonly bytesMax: number
  /** What is beyond `bytesMax` is left out, and the answer counts all the same. */
  readonly isCut?: boolean
}

/** Rejects where there is no answer, or none within the limits. */
export const sendAsBrowser = (
  { method, url, headers = {}, body, signal, connection = {} }: WebRequest,
  { timeoutMs, bytesMax, isCut = false }: Limits,
): Promise<ReceivedAnswer> =>
  new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:'
    const timeout = AbortSignal.timeout(timeoutMs)
    const options = {
      // Browsers lead every *.localhost to this machine by themselves; Node asks the system, which often does not know it.
      ...(isLoopback(url.hostname) ? { host: '127.0.0.1', servername: url.hostname } : { host: url.hostname }),
      ...connection,
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
      const end = (): void =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) })
      response.on('data', (part: Buffer) => {
        parts.push(part)
        bytes += part.length
        if (bytes > bytesMax && isCut) end()
        if (bytes > bytesMax) request.destroy(new Error(`more than ${bytesMax} bytes`))
      })
      response.on('error', reject)
      response.on('end', end)
    })
    const late = Object.assign(new Error('no answer in time'), { code: 'ABORT_ERR' })
    request.on('error', (error) => reject(timeout.aborted ? late : error))
    request.end(body)
  })
