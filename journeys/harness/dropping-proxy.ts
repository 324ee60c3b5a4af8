import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Route } from '@playwright/test'

/** How far an answer comes on a line that drops it. */
export type Drop =
  | 'nothing of it arrives and the connection is reset'
  | 'half of it arrives and the connection is reset'
  | 'half of it arrives and nothing more is heard'

export interface DroppingLine {
  /** Sends a request of the page on over this line and answers what the server said to it. */
  carry(route: Route, drop: Drop): Promise<string>
  close(): void
}

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

const drops: Record<Drop, (outgoing: ServerResponse, body: Buffer) => void> = {
  'nothing of it arrives and the connection is reset': (outgoing) => outgoing.socket?.resetAndDestroy(),
  'half of it arrives and the connection is reset': (outgoing, body) => {
    outgoing.write(body.subarray(0, body.length / 2), () => outgoing.socket?.resetAndDestroy())
  },
  'half of it arrives and nothing more is heard': (outgoing, body) => {
    outgoing.write(body.subarray(0, body.length / 2))
  },
}

/** A real connection between the browser and the server: requests come through it whole, answers do not. */
export const openDroppingLine = async (): Promise<DroppingLine> => {
  let carried: { readonly url: URL; readonly drop: Drop; heard(answer: string): void } | undefined
  const server = createServer((incoming, outgoing) => {
    if (carried === undefined) {
      outgoing.destroy()
      return
    }
    const { url, drop, heard } = carried
    const onward = request(
      { host: '127.0.0.1', port: url.port, path: url.pathname, method: incoming.method ?? 'GET' },
      (answer) => {
        void bodyOf(answer).then((body) => {
          heard(body.toString())
          const { 'transfer-encoding': _chunked, ...headers } = answer.headers
          outgoing.writeHead(answer.statusCode ?? 502, { ...headers, 'content-length': body.length })
          drops[drop](outgoing, body)
        })
      },
    )
    for (const [name, value] of Object.entries(incoming.headers)) if (value !== undefined) onward.setHeader(name, value)
    onward.setHeader('host', url.host)
    incoming.pipe(onward)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the line has no port')
  return {
    carry: async (route, drop) => {
      const url = new URL(route.request().url())
      const { promise, resolve } = Promise.withResolvers<string>()
      carried = { url, drop, heard: resolve }
      await route.continue({ url: `http://127.0.0.1:${address.port}${url.pathname}` })
      return promise
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
