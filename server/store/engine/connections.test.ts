import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createPostgresDatabase } from '../../../proof/harness/databases.ts'
import { DatabaseUnavailable, type Database } from './database.ts'
import { openPostgres } from './postgres.ts'
import { asPayment } from './urgency.ts'
import { startPostgresProxy } from './testing/postgres-proxy.ts'

/** Of ten, three are for payments alone. */
const [POOL_SIZE, PAYMENTS] = [7, 3]
/** Ten sessions are set up in a twentieth of it, and a call whose set-up is held back waits for the whole of it. */
const CONNECT_MS = 2000

/** A proxy to PostgreSQL that can cut sessions, and hold back the answer to the first statement of new ones. */
const startSlowProxy = async (url: string) => {
  let gate: Promise<void> | null = null
  const proxy = await startPostgresProxy(url, ({ driver, server }) => {
    let isSetUp = false
    driver.on('data', (sent) => {
      isSetUp ||= sent.includes('set_config')
      server.write(sent)
    })
    server.on('data', (answer) => {
      if (isSetUp && gate !== null) void gate.then(() => driver.write(answer))
      else driver.write(answer)
    })
  })
  return {
    ...proxy,
    holdUntil: (opened: Promise<void>) => {
      gate = opened
    },
    stopHolding: () => {
      gate = null
    },
  }
}

/** So many transactions at once, each on a connection of its own; answers what ends them. */
const holdConnections = async (database: Database, count: number) => {
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let holding = 0
  const all = Array.from({ length: count }, () =>
    database.transact(async () => {
      holding += 1
      if (holding === count) held.resolve()
      await release.promise
    }),
  )
  await held.promise
  return () => {
    release.resolve()
    return Promise.allSettled(all)
  }
}

describe('the connections of a server', () => {
  let place: Awaited<ReturnType<typeof createPostgresDatabase>>
  before(async () => {
    place = await createPostgresDatabase()
  })
  after(() => place.drop())

  test('calls that timed out while their connections were being set up leave no connection of the pool unusable', async (t) => {
    const proxy = await startSlowProxy(place.url)
    t.after(proxy.close)
    const database = await openPostgres(proxy.url, { connectMs: CONNECT_MS })
    t.after(() => database.close())
    const release = await holdConnections(database, POOL_SIZE)
    const queued = Array.from({ length: POOL_SIZE }, () => database.rows('SELECT 1 AS one'))
    const setUp = Promise.withResolvers<void>()
    proxy.holdUntil(setUp.promise)
    proxy.cutAll()
    await release()
    for (const call of await Promise.allSettled(queued))
      assert.ok(call.status === 'rejected' && call.reason instanceof DatabaseUnavailable)
    proxy.stopHolding()
    setUp.resolve()
    const later = await Promise.all(Array.from({ length: 2 * POOL_SIZE }, () => database.rows('SELECT 1 AS one')))
    assert.equal(later.length, 2 * POOL_SIZE)
  })

  test('while other calls hold every connection but those of payments, a payment has one at once, and may use any that is free', async (t) => {
    const database = await openPostgres(place.url)
    t.after(() => database.close())
    const releaseOthers = await holdConnections(database, POOL_SIZE)
    let isOtherRead = false
    const other = database.rows('SELECT 1 AS one').then(() => (isOtherRead = true))
    const releasePayments = await asPayment(() => holdConnections(database, PAYMENTS))
    assert.equal(isOtherRead, false)
    const ended = [...(await releasePayments()), ...(await releaseOthers())]
    assert.deepEqual(new Set(ended.map(({ status }) => status)), new Set(['fulfilled']))
    await other
    await (
      await asPayment(() => holdConnections(database, POOL_SIZE + PAYMENTS))
    )()
  })
})
