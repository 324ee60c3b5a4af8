/** Dropping proxy: a real connection between browser and server that forwards requests whole and drops responses. */
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Route } from '@playwright/test'

/** How much of a response arrives. */
export type ResponseDrop =
  | 'nothing of it arrives and the connection is reset'
  | 'half of it arrives and the connection is reset'
  | 'half of it arrives and the connection stays open'

export interface DroppingProxy {
  /** Sends a request of the page through the proxy and returns the server's response, which the page does not get whole. */
  forward(route: Route, drop: ResponseDrop): Promise<string>
  close(): void
}

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

const sendDropped: Record<ResponseDrop, (outgoing: ServerResponse, body: Buffer) => void> = {
  'nothing of it arrives and the connection is reset': (outgoing) => outgoing.socket?.resetAndDestroy(),
  'half of it arrives and the connection is reset': (outgoing, body) => {
    outgoing.write(body.subarray(0, body.length / 2), () => outgoing.socket?.resetAndDestroy())
  },
  'half of it arrives and the connection stays open': (outgoing, body) => {
    outgoing.write(body.subarray(0, body.length / 2))
  },
}

export const startDroppingProxy = async (): Promise<DroppingProxy> => {
  let current: { readonly url: URL; readonly drop: ResponseDrop; onResponse(body: string): void } | undefined
  const server = createServer((incoming, outgoing) => {
    if (current === undefined) {
      outgoing.destroy()
      return
    }
    const { url, drop, onResponse } = current
    const onward = request(
      { host: '127.0.0.1', port: url.port, path: url.pathname, method: incoming.method ?? 'GET' },
      (response) => {
        void bodyOf(response).then((body) => {
          onResponse(body.toString())
          const { 'transfer-encoding': _chunked, ...headers } = response.headers
          outgoing.writeHead(response.statusCode ?? 502, { ...headers, 'content-length': body.length })
          sendDropped[drop](outgoing, body)
        })
      },
    )
    for (const [name, value] of Object.entries(incoming.headers)) if (value !== undefined) onward.setHeader(name, value)
    onward.setHeader('host', url.host)
    incoming.pipe(onward)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    forward: async (route, drop) => {
      const url = new URL(route.request().url())
      const { promise, resolve } = Promise.withResolvers<string>()
      current = { url, drop, onResponse: resolve }
      await route.continue({ url: `http://127.0.0.1:${address.port}${url.pathname}` })
      return promise
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
