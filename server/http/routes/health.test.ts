import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { createTestApp, openTestServer } from '../../../proof/harness/test-server.ts'
import { DatabaseUnavailable, type Database } from '../../store/engine/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { createWriteProbe } from '../../store/engine/write-probe.ts'

const READYZ = { method: 'GET', url: '/readyz', headers: { host: 'localhost:3000' } } as const

const probeOf = (database: Database, elapsed: () => number): Pick<Dependencies, 'writeProbe'> =>
  createWriteProbe(database, { now: () => 1, wall: () => 1 }, elapsed)

describe('readiness', () => {
  onBothDatabases(({ open }) => {
    test('a server whose database takes a write is ready, and names no version', async () => {
      const { app } = await openTestServer({ gateway: fakeGateway(), database: await open() })
      const answer = await app.inject(READYZ)
      assert.deepEqual([answer.statusCode, answer.json()], [200, { status: 'ready' }])
    })

    test('a server whose database can be read and not written is not ready, and says when to ask again', async () => {
      const server = await openTestServer({ gateway: fakeGateway(), database: await open() })
      const transact = async (): Promise<never> => {
        throw new DatabaseUnavailable('the disk is full')
      }
      const { writeProbe } = probeOf({ ...server.deps.database, transact }, server.clock.now)
      const app = await createTestApp({ ...server.deps, writeProbe })
      const answer = await app.inject(READYZ)
      assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [503, '2'])
      assert.deepEqual(answer.json(), { status: 'not ready' })
    })
  })

  test('a thousand questions in two seconds write once', async () => {
    const server = await openTestServer({ gateway: fakeGateway() })
    let writes = 0
    const { database } = server.deps
    const counted: typeof database = {
      ...database,
      transact: (work) => {
        writes += 1
        return database.transact(work)
      },
    }
    let elapsedMs = 0
    const { writeProbe } = probeOf(counted, () => elapsedMs)
    const app = await createTestApp({ ...server.deps, writeProbe })
    for (let count = 0; count < 1000; count += 1) assert.equal((await app.inject(READYZ)).statusCode, 200)
    assert.equal(writes, 1)
    elapsedMs = 2000
    await app.inject(READYZ)
    assert.equal(writes, 2)
  })
})
