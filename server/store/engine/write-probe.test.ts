import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { fullDiskOf } from '../../../proof/harness/full-disk.ts'
import { openTestServer } from '../../../proof/harness/test-server.ts'
import { withMetrics } from '../../background/metrics.ts'
import { readStoredTimes } from './heartbeat.ts'
import { createWriteProbe } from './write-probe.ts'

const TWO_SECONDS = 2000
const CREATED_MAX = 500

describe('the write probe', () => {
  onBothDatabases(({ name, open }) => {
    test('each probe changes a row, which holds the time by which payments go and that of the machine', async () => {
      const database = await open()
      let now = 100
      const { takesWrites } = createWriteProbe(database, { now: () => now, wall: () => now + 7 }, () => now).writeProbe
      assert.equal(await takesWrites(), true)
      const beats = async (): Promise<unknown> => (await database.rows('SELECT beats, filler FROM heartbeat'))[0]
      assert.deepEqual({ ...((await beats()) as object) }, { beats: 1, filler: '' })
      assert.deepEqual(await readStoredTimes(database), { at: 100, wallAt: 107, confirmedAt: null })
      now += TWO_SECONDS - 1
      await takesWrites()
      assert.deepEqual({ ...((await beats()) as object) }, { beats: 1, filler: '' })
      now += 1
      await takesWrites()
      assert.deepEqual({ ...((await beats()) as object) }, { beats: 2, filler: '' })
      assert.equal((await readStoredTimes(database)).at, 100 + TWO_SECONDS)
    })

    test('on a full disk a payment is refused and nothing is charged; the server is not ready and says so, until there is room', async () => {
      const gateway = fakeGateway()
      const server = await openTestServer({ gateway, database: await open() })
      const { deps, scrape } = withMetrics(server.deps)
      const isUp = async (): Promise<boolean> => (await scrape()).includes('\nkaikei_database_up 1\n')
      const readyz = async (): Promise<number> =>
        (await server.app.inject({ url: '/readyz', headers: { host: 'localhost:3000' } })).statusCode
      const create = async (): Promise<boolean> =>
        server.createCheckout({ subject: 'x'.repeat(100) }).then(
          () => true,
          () => false,
        )
      const id = await server.createCheckout()
      const order = await server.startAttempt(id)
      const disk = fullDiskOf(name, deps.database)
      await disk.fill()
      // A probe alone still has room, as one row in its page.
      assert.deepEqual([await readyz(), await isUp()], [200, true])
      let created = 0
      while (created < CREATED_MAX && (await create())) created += 1
      assert.ok(created < CREATED_MAX)
      // At once: what the last probe said is not so any more.
      assert.deepEqual([await readyz(), await isUp()], [503, false])
      assert.equal((await server.pay(id, order)).statusCode, 503)
      assert.equal(gateway.charges.length, 0)
      server.clock.advance(TWO_SECONDS)
      assert.deepEqual([await readyz(), await isUp()], [503, false])

      await disk.makeRoom()
      server.clock.advance(TWO_SECONDS)
      assert.deepEqual([await readyz(), await isUp()], [200, true])
      assert.equal((await server.pay(id, order)).statusCode, 200)
      assert.equal(gateway.charges.length, 1)
      server.clock.advance(TWO_SECONDS)
      assert.equal(await readyz(), 200)
      const [row = {}] = await deps.database.rows('SELECT filler FROM heartbeat')
      assert.equal(row['filler'], '')
    })
  })
})
