/** Counting proxy: stands before PostgreSQL and counts round trips, for tests. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** Counts what it is sent: on each connection the driver waits for an answer before it sends again. */
export const startCountingProxy = async (url: string) => {
  const target = new URL(url)
  let sent = 0
  const server = createServer((socket) => {
    const session = connect(Number(target.port), target.hostname)
    socket.on('data', (bytes) => {
      sent += 1
      session.write(bytes)
    })
    session.on('data', (bytes) => socket.write(bytes))
    for (const side of [socket, session])
      side.on('error', () => undefined).on('close', () => [socket, session].forEach((each) => each.destroy()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const proxyUrl = new URL(url)
  proxyUrl.hostname = '127.0.0.1'
  proxyUrl.port = String(address.port)
  return {
    url: proxyUrl.href,
    close: () => server.close(),
    tripsOf: async (work: () => Promise<unknown>): Promise<number> => {
      const before = sent
      await work()
      return sent - before
    },
  }
}
