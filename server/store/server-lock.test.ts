import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createDatabase } from '../../proof/harness/databases.ts'
import type { Database } from './database.ts'
import { openPostgres } from './postgres.ts'

const SERVER_LOCK = 0x6b61696c
const TIMEOUTS = { lockMs: 5000, idleInTransactionMs: 5000, statementMs: 5000, clientMs: 5000, serverLockMs: 20_000 }
const standstill = { timeout: 20_000 }

/** A line to the database that can break on our side alone: the server hears nothing of it. */
const openBrittleLine = async (url: string) => {
  const { hostname, port } = new URL(url)
  const [near, far]: [Socket[], Socket[]] = [[], []]
  const line = createServer({ allowHalfOpen: true }, (socket) => {
    const server = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    near.push(socket.on('error', () => undefined))
    far.push(server.on('error', () => undefined))
    socket.on('data', (bytes) => server.write(bytes))
    server.on('data', (bytes) => socket.write(bytes)).on('end', () => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(line, 'listening')
  const address = line.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  const through = new URL(url)
  through.host = `127.0.0.1:${address.port}`
  return {
    url: through.href,
    isUnused: () => near.every((socket) => socket.closed || socket.readableEnded),
    breakUnheard: () => {
      for (const socket of near.splice(0)) socket.destroy()
    },
    close: () => {
      line.close()
      for (const socket of [...near, ...far]) socket.destroy()
    },
  }
}

describe('the lock of the only server on PostgreSQL', () => {
  let place: Awaited<ReturnType<typeof createDatabase>>
  let admin: pg.Client
  let thief: pg.Client
  before(async () => {
    place = await createDatabase()
    admin = new pg.Client({ connectionString: place.url })
    thief = new pg.Client({ connectionString: place.url })
    await Promise.all([admin.connect(), thief.connect()])
  })
  after(async () => {
    await Promise.all([admin.end(), thief.end()])
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
  const until = async (isSo: () => Promise<boolean> | boolean): Promise<void> => {
    const deadline = performance.now() + 15_000
    while (!(await isSo())) {
      assert.ok(performance.now() < deadline, 'it did not come to that')
      await new Promise((resolve) => void setTimeout(resolve, 5))
    }
  }
  const endSession = (pid: number | undefined) => admin.query('SELECT pg_terminate_backend($1)', [pid])
  /** Stands in the queue first, so that the server, which then loses its session, cannot have the lock back at once. */
  const stealLock = async (): Promise<void> => {
    const stolen = thief.query('SELECT pg_advisory_lock($1)', [SERVER_LOCK])
    await until(async () => (await sessions(false)).length === 1)
    await endSession((await sessions(true))[0])
    await stolen
  }
  const letGo = () => thief.query('SELECT pg_advisory_unlock($1)', [SERVER_LOCK])

  const serverOn = async (url: string, timeouts = TIMEOUTS): Promise<{ database: Database; losses: () => number }> => {
    let lost = 0
    const database = await openPostgres(url, timeouts)
    assert.deepEqual(await database.claimServer(() => void (lost += 1)), { isOurs: true })
    return { database, losses: () => lost }
  }

  test('a server whose line broke unheard ends the session it left behind and goes on', standstill, async () => {
    const line = await openBrittleLine(place.url)
    const { database, losses } = await serverOn(line.url)
    const rival = await openPostgres(place.url, TIMEOUTS)
    const [ghost] = await sessions(true)
    line.breakUnheard()
    await until(async () => {
      const [holder] = await sessions(true)
      return holder !== undefined && holder !== ghost
    })
    assert.deepEqual([losses(), (await rival.claimServer()).isOurs], [0, false])
    await database.close()
    assert.equal((await rival.claimServer()).isOurs, true)
    await rival.close()
    line.close()
  })

  test('a server whose session was ended takes its lock up again, as often as it happens', standstill, async () => {
    const { database, losses } = await serverOn(place.url)
    for (let time = 0; time < 3; time += 1) {
      const [previous] = await sessions(true)
      await endSession(previous)
      await until(async () => {
        const [holder] = await sessions(true)
        return holder !== undefined && holder !== previous
      })
    }
    assert.equal(losses(), 0)
    await database.close()
    assert.deepEqual(await sessions(true), [])
  })

  test('a lock that another has for a moment is waited for, and the server goes on', standstill, async () => {
    const { database, losses } = await serverOn(place.url)
    await stealLock()
    await until(async () => (await sessions(false)).length === 1)
    await letGo()
    await until(async () => (await sessions(true)).length === 1)
    assert.equal(losses(), 0)
    await database.close()
  })

  test('a lock that another keeps is given up when the timeout ends, once', standstill, async () => {
    const { database, losses } = await serverOn(place.url, { ...TIMEOUTS, serverLockMs: 100 })
    await stealLock()
    await until(() => losses() > 0)
    assert.deepEqual([losses(), await sessions(false)], [1, []])
    await letGo()
    await database.close()
  })

  test('a server that is told to end while it waits for its lock does not wait any longer', standstill, async () => {
    const line = await openBrittleLine(place.url)
    const { database, losses } = await serverOn(line.url, { ...TIMEOUTS, serverLockMs: 60_000 })
    await stealLock()
    await until(async () => (await sessions(false)).length === 1)
    await database.close()
    await until(line.isUnused)
    line.close()
    await letGo()
    await until(async () => [...(await sessions(false)), ...(await sessions(true))].length === 0)
    assert.equal(losses(), 0)
  })
})
