import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createPostgresDatabase } from '../../../proof/harness/databases.ts'
import type { Database } from './database.ts'
import { openPostgres } from './postgres.ts'

const SERVER_LOCK = 0x6b61696c
const TIMEOUTS = { lockMs: 5000, idleInTransactionMs: 5000, statementMs: 5000, clientMs: 5000, serverLockMs: 20_000 }
const TEST_TIMEOUT = { timeout: 20_000 }

/** A proxy to the database whose connections can break on our side alone: the database does not notice. */
const openBreakableProxy = async (url: string) => {
  const { hostname, port } = new URL(url)
  const [near, far]: [Socket[], Socket[]] = [[], []]
  const proxy = createServer({ allowHalfOpen: true }, (socket) => {
    const server = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    near.push(socket.on('error', () => undefined))
    far.push(server.on('error', () => undefined))
    socket.on('data', (bytes) => server.write(bytes))
    server.on('data', (bytes) => socket.write(bytes)).on('end', () => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  const through = new URL(url)
  through.host = `127.0.0.1:${address.port}`
  return {
    url: through.href,
    isUnused: () => near.every((socket) => socket.closed || socket.readableEnded),
    breakUnnoticed: () => {
      for (const socket of near.splice(0)) socket.destroy()
    },
    close: () => {
      proxy.close()
      for (const socket of [...near, ...far]) socket.destroy()
    },
  }
}

describe('the lock of the only server on PostgreSQL', () => {
  let place: Awaited<ReturnType<typeof createPostgresDatabase>>
  let admin: pg.Client
  let otherSession: pg.Client
  before(async () => {
    place = await createPostgresDatabase()
    admin = new pg.Client({ connectionString: place.url })
    otherSession = new pg.Client({ connectionString: place.url })
    await Promise.all([admin.connect(), otherSession.connect()])
  })
  after(async () => {
    await Promise.all([admin.end(), otherSession.end()])
    await place.drop()
  })

  const sessions = async (isGranted: boolean): Promise<number[]> => {
    const found = await admin.query<{ pid: number }>(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = ${SERVER_LOCK} AND granted = $1
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [isGranted],
    )
    return found.rows.map(({ pid }) => pid)
  }
  const waitUntil = async (isSo: () => Promise<boolean> | boolean): Promise<void> => {
    const deadline = performance.now() + 15_000
    while (!(await isSo())) {
      assert.ok(performance.now() < deadline, 'it did not happen in time')
      await new Promise((resolve) => void setTimeout(resolve, 5))
    }
  }
  const endSession = (pid: number | undefined) => admin.query('SELECT pg_terminate_backend($1)', [pid])
  /** Queues for the lock first, so that the server, which then loses its session, cannot take it back at once. */
  const takeLockAway = async (): Promise<void> => {
    const taken = otherSession.query('SELECT pg_advisory_lock($1)', [SERVER_LOCK])
    await waitUntil(async () => (await sessions(false)).length === 1)
    await endSession((await sessions(true))[0])
    await taken
  }
  const releaseLock = () => otherSession.query('SELECT pg_advisory_unlock($1)', [SERVER_LOCK])

  const serverOn = async (url: string, timeouts = TIMEOUTS): Promise<{ database: Database; losses: () => number }> => {
    let lost = 0
    const database = await openPostgres(url, timeouts)
    assert.deepEqual(await database.claimServer('alone', () => void (lost += 1)), { isOurs: true })
    return { database, losses: () => lost }
  }

  test(
    'a server whose connection broke without the database noticing ends its old session and keeps its lock',
    TEST_TIMEOUT,
    async () => {
      const proxy = await openBreakableProxy(place.url)
      const { database, losses } = await serverOn(proxy.url)
      const otherServer = await openPostgres(place.url, TIMEOUTS)
      const [oldSession] = await sessions(true)
      proxy.breakUnnoticed()
      await waitUntil(async () => {
        const [holder] = await sessions(true)
        return holder !== undefined && holder !== oldSession
      })
      assert.deepEqual([losses(), (await otherServer.claimServer('alone')).isOurs], [0, false])
      await database.close()
      assert.equal((await otherServer.claimServer('alone')).isOurs, true)
      await otherServer.close()
      proxy.close()
    },
  )

  test('a server whose session was ended takes its lock again, as often as it happens', TEST_TIMEOUT, async () => {
    const { database, losses } = await serverOn(place.url)
    for (let time = 0; time < 3; time += 1) {
      const [previous] = await sessions(true)
      await endSession(previous)
      await waitUntil(async () => {
        const [holder] = await sessions(true)
        return holder !== undefined && holder !== previous
      })
    }
    assert.equal(losses(), 0)
    await database.close()
    assert.deepEqual(await sessions(true), [])
  })

  test(
    'a lock that another session holds for a moment is waited for, and the server goes on',
    TEST_TIMEOUT,
    async () => {
      const { database, losses } = await serverOn(place.url)
      await takeLockAway()
      await waitUntil(async () => (await sessions(false)).length === 1)
      await releaseLock()
      await waitUntil(async () => (await sessions(true)).length === 1)
      assert.equal(losses(), 0)
      await database.close()
    },
  )

  test('a lock that another session keeps is reported lost when the timeout ends, once', TEST_TIMEOUT, async () => {
    const { database, losses } = await serverOn(place.url, { ...TIMEOUTS, serverLockMs: 100 })
    await takeLockAway()
    await waitUntil(() => losses() > 0)
    assert.deepEqual([losses(), await sessions(false)], [1, []])
    await releaseLock()
    await database.close()
  })

  test('a server that is stopped while it waits for its lock does not wait any longer', TEST_TIMEOUT, async () => {
    const proxy = await openBreakableProxy(place.url)
    const { database, losses } = await serverOn(proxy.url, { ...TIMEOUTS, serverLockMs: 60_000 })
    await takeLockAway()
    await waitUntil(async () => (await sessions(false)).length === 1)
    await database.close()
    await waitUntil(proxy.isUnused)
    proxy.close()
    await releaseLock()
    await waitUntil(async () => [...(await sessions(false)), ...(await sessions(true))].length === 0)
    assert.equal(losses(), 0)
  })

  test(
    'servers that share their card hold stand beside each other, and never beside one that holds cards in memory',
    TEST_TIMEOUT,
    async () => {
      const [one, other, alone] = await Promise.all([1, 2, 3].map(() => openPostgres(place.url, TIMEOUTS)))
      if (one === undefined || other === undefined || alone === undefined) assert.fail()
      assert.deepEqual(
        [(await one.claimServer('shared')).isOurs, (await other.claimServer('shared')).isOurs],
        [true, true],
      )
      const refused = await alone.claimServer('alone')
      assert.equal(refused.isOurs ? 'ours' : refused.holderMode, 'shared')
      await one.close()
      assert.equal((await alone.claimServer('alone')).isOurs, false)
      await other.close()
      assert.equal((await alone.claimServer('alone')).isOurs, true)
      const late = await openPostgres(place.url, TIMEOUTS)
      const refusedToo = await late.claimServer('shared')
      assert.equal(refusedToo.isOurs ? 'ours' : refusedToo.holderMode, 'alone')
      await Promise.all([alone.close(), late.close()])
    },
  )

  test('a server that shares and whose session was ended takes its share again', TEST_TIMEOUT, async () => {
    const database = await openPostgres(place.url, TIMEOUTS)
    let lost = 0
    await database.claimServer('shared', () => void (lost += 1))
    const [previous] = await sessions(true)
    await endSession(previous)
    await waitUntil(async () => {
      const [holder] = await sessions(true)
      return holder !== undefined && holder !== previous
    })
    const beside = await openPostgres(place.url, TIMEOUTS)
    assert.equal((await beside.claimServer('shared')).isOurs, true)
    assert.equal(lost, 0)
    await Promise.all([database.close(), beside.close()])
  })
})
