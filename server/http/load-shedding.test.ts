import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fakeGateway } from '../../proof/harness/fake-gateway.ts'
import { createTestApp, openTestServer } from '../../proof/harness/test-server.ts'
import { DatabaseUnavailable } from '../store/database.ts'
import { createRecentMerchants } from '../store/recent-merchants.ts'
import { createPageLane, eventLoopGauge } from './load-shedding.ts'
import { readPageBuild } from './page-build.ts'

describe('pages are shed before payments', () => {
  test('150 pages are in flight at the same time, the next one is shed until one of them has ended', () => {
    const lane = createPageLane({ delayMs: () => 0 })
    for (let page = 0; page < 150; page += 1) assert.equal(lane.enter(), true, String(page))
    assert.equal(lane.enter(), false)
    lane.leave()
    assert.equal(lane.enter(), true)
  })

  test('each turn of the event loop works on two pages, in the order in which they came', async () => {
    const lane = createPageLane({ delayMs: () => 0 })
    const begun: number[] = []
    for (let page = 0; page < 5; page += 1) void lane.turn().then(() => begun.push(page))
    const counts: number[] = []
    for (let turn = 0; turn < 4; turn += 1) {
      await new Promise(setImmediate)
      counts.push(begun.length)
    }
    assert.deepEqual(begun, [0, 1, 2, 3, 4])
    assert.deepEqual(counts, [2, 4, 5, 5])
  })

  test('pages are drawn while the event loop is 150 ms late and shed when it is later', () => {
    assert.equal(createPageLane({ delayMs: () => 150 }).enter(), true)
    assert.equal(createPageLane({ delayMs: () => 151 }).enter(), false)
  })

  test('an event loop that is blocked again and again is late, and an idle one is not', async () => {
    const gauge = eventLoopGauge()
    assert.equal(gauge.delayMs(), 0)
    const until = performance.now() + 1500
    while (performance.now() < until && gauge.delayMs() < 100) {
      const blockedUntil = performance.now() + 200
      while (performance.now() < blockedUntil);
      await new Promise(setImmediate)
    }
    assert.ok(gauge.delayMs() >= 100, `${gauge.delayMs()} ms`)
    gauge.stop()
  })

  test('an overloaded server answers pages 503 with Retry-After, and readings and payments as ever', async () => {
    const server = await openTestServer({ gateway: fakeGateway() })
    const build = await readPageBuild()
    let sleptMs = 0
    const clock = { ...server.parts.clock, sleep: async (ms: number) => void (sleptMs += ms) }
    const app = await createTestApp({ ...server.parts, clock }, build, { delayMs: () => 1000 })
    const id = await server.createCheckout()
    const host = { host: 'tea.localhost:3000' }
    for (const url of [`/${id}`, `/${id}/creditcard`, '/preview', '/404', '/nowhere']) {
      const answer = await app.inject({ method: 'GET', url, headers: host })
      assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [503, '2'], url)
      assert.ok(answer.body.length < 1024, 'a page that costs nothing')
      assert.equal(sleptMs, 2000, 'a shed caller that comes back at once is slowed down')
      sleptMs = 0
      assert.match(String(answer.headers['content-security-policy']), /^default-src 'none'/)
    }
    const shopper = { ...host, merchant: 'tea' }
    const reading = await app.inject({ method: 'GET', url: `/api/v1/checkouts/${id}`, headers: shopper })
    assert.equal(reading.statusCode, 200)
    await app.close()
  })

  test('a lost database gives pages and calls 503 with Retry-After, not 500, and no page an error line', async () => {
    const server = await openTestServer({ gateway: fakeGateway() })
    const id = await server.createCheckout()
    const lost = async (): Promise<never> => {
      throw new DatabaseUnavailable('gone')
    }
    const database = { ...server.parts.database, rows: lost, transact: lost, writeAll: lost }
    const parts = { ...server.parts, database, findMerchant: createRecentMerchants(database, server.parts.elapsed) }
    const app = await createTestApp(parts, await readPageBuild())
    const headers = { host: 'tea.localhost:3000', merchant: 'tea' }
    for (const url of [`/${id}`, `/${id}/creditcard`, '/preview', `/api/v1/checkouts/${id}`]) {
      const answer = await app.inject({ method: 'GET', url, headers })
      assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [503, '2'], url)
    }
    assert.deepEqual(
      server.logLines.filter((line) => line.includes('could not be drawn')),
      [],
    )
    await app.close()
  })
})
