/**
 * End of a server in a test: with every connection that is open. `close` alone waits for these, for ever where an assertion has
 * failed before its test ended them.
 */
import { once } from 'node:events'
import type { Server, Socket } from 'node:net'
import type { TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'

export const endApp = async (app: FastifyInstance): Promise<void> => {
  app.server.closeAllConnections()
  await app.close()
}

/** Listens on loopback until the test is over, on a free port unless one is given, and answers which. */
export const listenDuring = async (t: Pick<TestContext, 'after'>, server: Server, port = 0): Promise<number> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}
