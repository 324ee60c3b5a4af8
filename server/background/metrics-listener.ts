/** Metrics port: serves /metrics to Prometheus on its own listener. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { isIP } from 'node:net'
import { LOCAL_METRICS_HOST } from '../config/process.ts'

const REQUEST_TIMEOUT_MS = 10_000

const PLAIN = { 'content-type': 'text/plain; charset=utf-8' }
const EXPOSITION = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' }

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]']

/**
 * A page in a browser reaches the port under a name of its own that resolves to our address (DNS rebinding). Elsewhere than on
 * this machine METRICS_HOST is answered too, and every address: whoever writes an address has no name that could change.
 */
const isOurHost = ({ headers, socket }: IncomingMessage, metricsHost: string): boolean => {
  const asked = headers.host?.toLowerCase() ?? ''
  const names = [...LOOPBACK_NAMES, metricsHost.toLowerCase(), `[${metricsHost.toLowerCase()}]`]
  if (names.some((name) => asked === `${name}:${socket.localPort}`)) return true
  const address = asked.endsWith(`:${socket.localPort}`) ? asked.slice(0, asked.lastIndexOf(':')) : ''
  return metricsHost !== LOCAL_METRICS_HOST && isIP(address.replace(/^\[(.*)\]$/, '$1')) !== 0
}

const answerScrapes =
  (scrape: () => Promise<string>, metricsHost: string): RequestListener =>
  (request, response) => {
    const { method = '', url = '', socket } = request
    request.resume()
    if (!isOurHost(request, metricsHost))
      response
        .writeHead(421, PLAIN)
        .end(`The metrics are at http://${metricsHost}:${socket.localPort}/metrics, and under no other name.\n`)
    else if (url.split('?')[0] !== '/metrics') response.writeHead(404, PLAIN).end('The metrics are at /metrics.\n')
    else if (method !== 'GET' && method !== 'HEAD')
      response.writeHead(405, { ...PLAIN, allow: 'GET, HEAD' }).end('The metrics are read with GET.\n')
    else
      scrape().then(
        (text) => response.writeHead(200, EXPOSITION).end(text),
        () => response.writeHead(500, PLAIN).end('The metrics cannot be read.\n'),
      )
  }

export interface MetricsListener {
  /** Rejects when the port cannot be had; may be called again then. */
  listen(port: number): Promise<void>
  stop(): Promise<void>
}

/** Answers at /metrics, on a port of its own. */
export const createMetricsListener = (
  scrape: () => Promise<string>,
  metricsHost: string = LOCAL_METRICS_HOST,
): MetricsListener => {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, answerScrapes(scrape, metricsHost))
  return {
    listen: async (port) => {
      server.listen(port, metricsHost)
      await once(server, 'listening')
    },
    stop: async () => {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      // A scrape that is cut off is asked again; one that hangs would keep the process from ending.
      server.closeAllConnections()
      await closed
    },
  }
}
