/** Listeners: several sockets listen on one port, so that each turn of the event loop accepts more than one connection. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { trackConnections } from './end-connections.ts'

/**
 * Node accepts one connection a turn from each listening socket. With one of them, and a thousand callers who connect anew
 * for each call, a shopper's connection waited behind all of theirs: 145 were counted in the queue of the system.
 */
const LISTENERS = 16

/** Other systems do not spread the connections of a port over several sockets. */
const CAN_SHARE_PORT = process.platform === 'linux'

export interface Listeners {
  /** Stops listening, and resolves when every call that had arrived is answered and every connection has ended. */
  close(): Promise<void>
}

/** With reusePort another program could share the port unnoticed, so that a plain listen tries it first. */
const assertFree = async (port: number, host: string): Promise<void> => {
  const probe = createServer().listen({ port, host })
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}

/** Rejects with EADDRINUSE where another program listens. */
export const openListeners = async (
  app: FastifyInstance,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<Listeners> => {
  const shared = { port, host, reusePort: CAN_SHARE_PORT }
  if (CAN_SHARE_PORT) await assertFree(port, host)
  await app.listen(shared)
  // Once: a start tries again while another program has the port.
  const endConnections = trackConnections(app.server)
  // As the HTTP server sets up its own.
  const more = Array.from({ length: CAN_SHARE_PORT ? LISTENERS - 1 : 0 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => app.server.emit('connection', socket)),
  )
  for (const server of more) {
    server.listen(shared)
    await once(server, 'listening')
  }
  return {
    close: async () => {
      await endConnections([app.server, ...more])
      await app.close()
    },
  }
}
