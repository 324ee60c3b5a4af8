import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createPostgresDatabase } from '../../proof/harness/databases.ts'
import { DatabaseUnavailable } from './database.ts'
import { openPostgres } from './postgres.ts'

const POOL_SIZE = 10

/** A proxy to PostgreSQL that can cut sessions, and hold back the answer to the first statement of new ones. */
const startSlowProxy = async (url: string) => {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let gate: Promise<void> | null = null
  const server: Server = createServer((socket) => {
    const session = connect(Number(target.port), target.hostname)
    sockets.add(socket)
    let isSetUp = false
    socket.on('data', (sent) => {
      isSetUp ||= sent.includes('set_config')
      session.write(sent)
    })
    session.on('data', (answer) => {
      if (isSetUp && gate !== null) void gate.then(() => socket.write(answer))
      else socket.write(answer)
    })
    const end = (): void => {
      sockets.delete(socket)
      socket.destroy()
      session.destroy()
    }
    for (const side of [socket, session]) side.on('close', end).on('error', end)
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
    holdUntil: (opened: Promise<void>) => {
      gate = opened
    },
    stopHolding: () => {
      gate = null
    },
    cutAll: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: () => server.close(),
  }
}

describe('the connections of a server', () => {
  let place: Awaited<ReturnType<typeof createPostgresDatabase>>
  before(async () => {
    place = await createPostgresDatabase()
  })
  after(() => place.drop())

  test(
    'calls that timed out while their connections were being set up leave no connection of the pool unusable',
    { timeout: 30_000 },
    async () => {
      const proxy = await startSlowProxy(place.url)
      const database = await openPostgres(proxy.url, { connectMs: 500 })
      const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      let holding = 0
      const full = Array.from({ length: POOL_SIZE }, () =>
        database.transact(async () => {
          holding += 1
          if (holding === POOL_SIZE) held.resolve()
          await release.promise
        }),
      )
      await held.promise
      const queued = Array.from({ length: POOL_SIZE }, () => database.rows('SELECT 1 AS one'))
      const setUp = Promise.withResolvers<void>()
      proxy.holdUntil(setUp.promise)
      proxy.cutAll()
      release.resolve()
      await Promise.allSettled(full)
      for (const call of await Promise.allSettled(queued))
        assert.ok(call.status === 'rejected' && call.reason instanceof DatabaseUnavailable)
      proxy.stopHolding()
      setUp.resolve()
      const later = await Promise.all(Array.from({ length: 2 * POOL_SIZE }, () => database.rows('SELECT 1 AS one')))
      assert.equal(later.length, 2 * POOL_SIZE)
      await database.close()
      proxy.close()
    },
  )
})
