/** PostgreSQL proxy: stands before a PostgreSQL server and sees each session, for tests. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** One session: the side of our driver, and the side of PostgreSQL. */
interface ProxiedSession {
  readonly driver: Socket
  readonly server: Socket
}

interface OpenSession extends ProxiedSession {
  end(): void
}

/** Calls `relay` for each new session, which passes on what it wants of it. Either side that ends takes the other along. */
export const startPostgresProxy = async (url: string, relay: (session: ProxiedSession) => void) => {
  const target = new URL(url)
  const sessions = new Set<OpenSession>()
  const proxy = createServer((driver) => {
    const server = connect(Number(target.port), target.hostname)
    const session = {
      driver,
      server,
      end: () => {
        sessions.delete(session)
        driver.destroy()
        server.destroy()
      },
    }
    sessions.add(session)
    for (const side of [driver, server]) side.on('close', session.end).on('error', session.end)
    relay(session)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const proxyUrl = new URL(url)
  proxyUrl.hostname = '127.0.0.1'
  proxyUrl.port = String(address.port)
  return {
    url: proxyUrl.href,
    cutAll: () => {
      for (const { driver } of sessions) driver.destroy()
    },
    close: () => {
      proxy.close()
      for (const session of sessions) session.end()
    },
  }
}

/** Counts round trips: on each connection the driver waits for an answer before it sends again. */
export const startCountingProxy = async (url: string) => {
  let sent = 0
  const proxy = await startPostgresProxy(url, ({ driver, server }) => {
    driver.on('data', (bytes) => {
      sent += 1
      server.write(bytes)
    })
    server.on('data', (bytes) => driver.write(bytes))
  })
  return {
    ...proxy,
    tripsOf: async (work: () => Promise<unknown>): Promise<number> => {
      const before = sent
      await work()
      return sent - before
    },
  }
}
