import assert from 'node:assert/strict'
import { connect, createServer, type Socket } from 'node:net'
import { after, before, describe, test, type TestContext } from 'node:test'
import pg from 'pg'
import { listenDuring } from '../../../proof/harness/end-server.ts'
import { closedAfter, createPostgresDatabase } from '../../../proof/harness/databases.ts'
import type { Database } from './database.ts'
import { openPostgres } from './postgres.ts'

const SERVER_LOCK = 0x6b61696c
const TIMEOUTS = { lockMs: 5000, idleInTransactionMs: 5000, statementMs: 5000, clientMs: 5000, serverLockMs: 20_000 }

/** A proxy to the database whose connections can break on our side alone: the database does not notice. */
const openBreakableProxy = async (t: TestContext, url: string) => {
  const { hostname, port } = new URL(url)
  const [near, far]: [Socket[], Socket[]] = [[], []]
  const proxy = createServer({ allowHalfOpen: true }, (socket) => {
    const server = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    near.push(socket.on('error', () => undefined))
    far.push(server.on('error', () => undefined))
    socket.on('data', (bytes) => server.write(bytes))
    server.on('data', (bytes) => socket.write(bytes)).on('end', () => socket.destroy())
  })
  const breakNoticed = (): void => far.forEach((socket) => socket.destroy())
  t.after(breakNoticed)
  const through = new URL(url)
  through.host = `127.0.0.1:${await listenDuring(t, proxy)}`
  return {
    url: through.href,
    isUnused: () => near.every((socket) => socket.closed || socket.readableEnded),
    breakUnnoticed: () => {
      for (const socket of near.splice(0)) socket.destroy()
    },
    breakNoticed,
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
    while (!(await isSo())) await new Promise((resolve) => void setTimeout(resolve, 5))
  }
  const endSession = (pid: number | undefined) => admin.query('SELECT pg_terminate_backend($1)', [pid])
  /** Queues for the lock first, so that the server, which then loses its session, cannot take it back at once. */
  const takeLockAway = async (t: TestContext): Promise<void> => {
    t.after(() => otherSession.query('SELECT pg_advisory_unlock_all()'))
    const taken = otherSession.query('SELECT pg_advisory_lock($1)', [SERVER_LOCK])
    await waitUntil(async () => (await sessions(false)).length === 1)
    await endSession((await sessions(true))[0])
    await taken
  }
  const releaseLock = () => otherSession.query('SELECT pg_advisory_unlock($1)', [SERVER_LOCK])

  const open = async (t: TestContext, url = place.url, timeouts = TIMEOUTS): Promise<Database> =>
    closedAfter(t, await openPostgres(url, timeouts))
  const serverOn = async (
    t: TestContext,
    url: string,
    timeouts = TIMEOUTS,
  ): Promise<{ database: Database; losses: () => number }> => {
    let lost = 0
    const database = await open(t, url, timeouts)
    assert.deepEqual(await database.claimServer('alone', () => void (lost += 1)), { isOurs: true })
    return { database, losses: () => lost }
  }

  test('a server whose connection broke without the database noticing ends its old session and keeps its lock', async (t) => {
    const proxy = await openBreakableProxy(t, place.url)
    const { database, losses } = await serverOn(t, proxy.url)
    const otherServer = await open(t)
    const [oldSession] = await sessions(true)
    proxy.breakUnnoticed()
    await waitUntil(async () => {
      const [holder] = await sessions(true)
      return holder !== undefined && holder !== oldSession
    })
    assert.deepEqual([losses(), (await otherServer.claimServer('alone')).isOurs], [0, false])
    await database.close()
    assert.equal((await otherServer.claimServer('alone')).isOurs, true)
  })

  test('a server whose session was ended takes its lock again, as often as it happens', async (t) => {
    const { database, losses } = await serverOn(t, place.url)
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
    await waitUntil(async () => (await sessions(true)).length === 0)
  })

  test('a lock that another session holds for a moment is waited for, and the server goes on', async (t) => {
    const { losses } = await serverOn(t, place.url)
    await takeLockAway(t)
    await waitUntil(async () => (await sessions(false)).length === 1)
    await releaseLock()
    await waitUntil(async () => (await sessions(true)).length === 1)
    assert.equal(losses(), 0)
  })

  test('a lock that another session keeps is reported lost when the timeout ends, once', async (t) => {
    const { losses } = await serverOn(t, place.url, { ...TIMEOUTS, serverLockMs: 100 })
    await takeLockAway(t)
    await waitUntil(() => losses() > 0)
    assert.deepEqual([losses(), await sessions(false)], [1, []])
    await releaseLock()
  })

  test('a server that is stopped while it waits for its lock does not wait any longer', async (t) => {
    const proxy = await openBreakableProxy(t, place.url)
    const { database, losses } = await serverOn(t, proxy.url, { ...TIMEOUTS, serverLockMs: 60_000 })
    await takeLockAway(t)
    await waitUntil(async () => (await sessions(false)).length === 1)
    await database.close()
    await waitUntil(proxy.isUnused)
    proxy.breakNoticed()
    await releaseLock()
    await waitUntil(async () => [...(await sessions(false)), ...(await sessions(true))].length === 0)
    assert.equal(losses(), 0)
  })

  test('servers that share their card hold stand beside each other, and never beside one that holds cards in memory', async (t) => {
    const [one, other, alone] = await Promise.all([1, 2, 3].map(() => open(t)))
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
    const late = await open(t)
    const refusedToo = await late.claimServer('shared')
    assert.equal(refusedToo.isOurs ? 'ours' : refusedToo.holderMode, 'alone')
  })

  test('a server that shares and whose session was ended takes its share again', async (t) => {
    const database = await open(t)
    let lost = 0
    await database.claimServer('shared', () => void (lost += 1))
    const [previous] = await sessions(true)
    await endSession(previous)
    await waitUntil(async () => {
      const [holder] = await sessions(true)
      return holder !== undefined && holder !== previous
    })
    const beside = await open(t)
    assert.equal((await beside.claimServer('shared')).isOurs, true)
    assert.equal(lost, 0)
  })
})
