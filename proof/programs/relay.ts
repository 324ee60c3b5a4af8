/** Relay: an HTTP server on loopback that forwards every request to another one, and can change or drop its answers. */
import { once } from 'node:events'
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface Answer {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** The answer as the client gets it; null: the connection is cut. `path` is the address as the client sent it. */
export type Change = (path: string, answer: Answer, sentBody: Buffer) => Answer | null

export interface Relay {
  readonly port: number
  change: Change
  stop(): Promise<void>
}

/** Where a request goes on this machine. Without a host the client's own is passed on. */
export interface RelayTarget {
  readonly port: number
  readonly host?: string
}

export const unchanged: Change = (_path, answer) => answer

/** Longer than any client keeps an idle connection. */
const KEEP_ALIVE_MS = 600_000

/** `port` 0 is a free one. */
export const startRelay = async (targetOf: (path: string) => RelayTarget, port = 0): Promise<Relay> => {
  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method, url = '/' } = incoming
    const { port: targetPort, host = incoming.headers.host } = targetOf(url)
    const path = url.replace(/^http:\/\/[^/]*/, '')
    // Uncompressed: neither a compressed answer nor the copy that the build has made of a script can be changed.
    const { 'accept-encoding': _compressed, ...headers } = incoming.headers
    const sentBody = await buffer(incoming)
    // A connection of its own: the server may close a kept one at the moment it is used again.
    const onward = request({
      host: '127.0.0.1',
      port: targetPort,
      method,
      path,
      headers: { ...headers, host },
      agent: false,
    })
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      onward.on('response', resolve).on('error', reject).end(sentBody)
    })
    const changed = relay.change(url, { headers: answer.headers, body: await buffer(answer) }, sentBody)
    if (changed === null) return void outgoing.destroy()
    const { 'transfer-encoding': _encoding, ...rest } = changed.headers
    outgoing.writeHead(answer.statusCode ?? 502, { ...rest, 'content-length': String(changed.body.length) })
    outgoing.end(changed.body)
  }
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) => {
    forward(incoming, outgoing).catch(() => outgoing.destroy())
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const relay: Relay = {
    port: typeof address === 'object' && address !== null ? address.port : port,
    change: unchanged,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return relay
}
