/** Metrics port: serves /metrics to Prometheus on its own listener. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'

/** This machine alone, whatever HOST is: merchants' hosts must never answer with the figures of all of them. */
const METRICS_HOST = '127.0.0.1'
const REQUEST_TIMEOUT_MS = 10_000

const PLAIN = { 'content-type': 'text/plain; charset=utf-8' }
const EXPOSITION = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' }

/** A page in a browser of this machine reaches the port under a name of its own that resolves to 127.0.0.1 (DNS rebinding). */
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]']

const isOurHost = ({ headers, socket }: IncomingMessage): boolean =>
  LOOPBACK_NAMES.some((name) => headers.host?.toLowerCase() === `${name}:${socket.localPort}`)

const answerScrapes =
  (scrape: () => Promise<string>): RequestListener =>
  (request, response) => {
    const { method = '', url = '', socket } = request
    request.resume()
    if (!isOurHost(request))
      response
        .writeHead(421, PLAIN)
        .end(`The metrics are at http://127.0.0.1:${socket.localPort}/metrics, and under no other name.\n`)
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
export const createMetricsListener = (scrape: () => Promise<string>): MetricsListener => {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, answerScrapes(scrape))
  return {
    listen: async (port) => {
      server.listen(port, METRICS_HOST)
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
