import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { statusAndCode } from '../../../proof/harness/error-answers.ts'
import { API_KEYS } from '../../../proof/harness/test-merchants.ts'
import { CARD, createTestApp, openTestServer } from '../../../proof/harness/test-server.ts'
import { DatabaseUnavailable } from '../../store/engine/database.ts'
import { createRecentMerchants } from '../../store/merchant/recent-merchants.ts'
import { LANES, type LaneEntry, type LaneTable } from './lane-table.ts'
import { readPageBuild } from '../page-build.ts'

/** Nobody gets a place and nobody may wait, but for payments. */
const full = (entry: LaneEntry): LaneEntry => ({ ...entry, atOnce: 0, waiting: 0 })
const NO_PLACES: LaneTable = {
  ...LANES,
  health: full(LANES.health),
  reads: full(LANES.reads),
  pages: full(LANES.pages),
  files: full(LANES.files),
  browserReports: full(LANES.browserReports),
  keyChecks: full(LANES.keyChecks),
}

describe('everything is shed before payments', () => {
  test('a server with no place left answers pages, readings and merchant calls 503 with Retry-After, and payments as ever', async () => {
    const server = await openTestServer({ gateway: fakeGateway() })
    const build = await readPageBuild()
    let sleptMs = 0
    const clock = { ...server.deps.clock, sleep: async (ms: number) => void (sleptMs += ms) }
    const app = await createTestApp({ ...server.deps, clock }, build, { lanes: NO_PLACES })
    const id = await server.createCheckout()
    const shopper = { host: 'tea.localhost:3000', merchant: 'tea' }
    const merchant = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
    const shed = async (url: string, headers: Record<string, string>, method: 'GET' | 'POST' = 'GET') => {
      sleptMs = 0
      const answer = await app.inject({ method, url, headers })
      assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [503, '2'], url)
      assert.equal(sleptMs, 2000, 'a shed caller that comes back at once is slowed down')
      assert.match(String(answer.headers['content-security-policy']), /^default-src 'none'/)
      assert.ok(answer.body.length < 1024, 'an answer that costs nothing')
      return answer
    }
    for (const url of [`/${id}`, `/${id}/creditcard`, '/preview', '/404', '/nowhere'])
      assert.match((await shed(url, shopper)).body, /^<!doctype html>/, url)
    for (const url of [`/api/v1/checkouts/${id}`, '/api/v1/nothing', '/healthz', '/readyz'])
      assert.deepEqual(statusAndCode(await shed(url, shopper)), [503, 'unavailable'], url)
    for (const url of [
      '/merchant/v1/checkouts',
      '/merchant/v1/me',
      '/merchant/v1/exports/movements.csv',
      '/merchant/v1/x',
    ])
      assert.deepEqual(statusAndCode(await shed(url, merchant)), [503, 'unavailable'], url)
    assert.deepEqual(statusAndCode(await shed('/csp-report', shopper, 'POST')), [503, 'unavailable'])
    assert.match((await shed(build.entry, shopper)).body, /^The server is busy/)

    const path = `/api/v1/checkouts/${id}/3ds`
    const started = await app.inject({ method: 'POST', url: path, headers: shopper, payload: { card: CARD } })
    const { orderCode } = started.json<{ orderCode: string }>()
    const payload = { cvc: CARD.cvc, receiptEmail: CARD.email }
    const paid = await app.inject({ method: 'PATCH', url: `${path}/${orderCode}/pay`, headers: shopper, payload })
    assert.deepEqual([paid.statusCode, paid.json<{ status: string }>().status], [200, 'paid'])
    await app.close()
  })

  test('a lost database gives pages and calls 503 with Retry-After, not 500, and no page an error line', async () => {
    const server = await openTestServer({ gateway: fakeGateway() })
    const id = await server.createCheckout()
    const lost = async (): Promise<never> => {
      throw new DatabaseUnavailable('gone')
    }
    const database = { ...server.deps.database, rows: lost, transact: lost, writeAll: lost }
    const deps = { ...server.deps, database, findMerchant: createRecentMerchants(database, server.deps.elapsed) }
    const app = await createTestApp(deps, await readPageBuild())
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
