import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBenchDatabase, prepareCheckouts } from '../../proof/filled-database/bench-database.ts'
import { CLIENTS, payPoolOf, startBenchServer, type PayPool } from './bench-server.ts'

test('the in-process server pays what the load sends, each checkout once, and a load that is refused fails', async () => {
  const bench = await openBenchDatabase('SQLite', {})
  let pool: PayPool = { readIds: [], payIds: [] }
  const server = await startBenchServer(bench, 'in process', () => pool)
  try {
    pool = payPoolOf(await prepareCheckouts(bench, 60))
    assert.equal(pool.payIds.length, 30)
    const figures = await server.run('payment', CLIENTS)
    assert.ok(figures.perSecond > 0 && figures.cpuMsEach > 0 && figures.p99Ms >= figures.p50Ms, JSON.stringify(figures))
    assert.equal(pool.payIds.length, 30 - CLIENTS, 'each checkout is paid once')
    await server.run('mixture', 200)
    pool = { readIds: ['a'.repeat(32)], payIds: [] }
    await assert.rejects(server.run('read', 1), /the load failed: .* answered 404/)
  } finally {
    await server.stop()
    await bench.remove()
  }
})
