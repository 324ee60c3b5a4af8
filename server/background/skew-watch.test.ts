import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLOCK_SKEW_MAX_MS, clockSkew } from '#payment/clock.ts'
import { leaseFrom } from '#payment/doubt.ts'
import { DELIVERY_LEASE_MS, TRY_TIMEOUT_MS } from '#payment/webhook-retries.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { fakeGateway } from '../../proof/harness/fake-gateway.ts'
import { openTestServer } from '../../proof/harness/test-server.ts'
import { systemClock } from '../dependencies.ts'
import { askClockSkew } from '../store/engine/database-time.ts'
import { withMetrics } from './metrics.ts'
import { createClockSkew, createSkewLook } from './skew-watch.ts'

test('two servers whose clocks are as wrong as is allowed, each in its own direction, take no charge and no webhook from each other', () => {
  const apart = 2 * CLOCK_SKEW_MAX_MS
  assert.ok(apart < leaseFrom(0, 20_000) - 20_000)
  assert.ok(apart < DELIVERY_LEASE_MS - TRY_TIMEOUT_MS)
})

test('a clock is known no better than its answer takes', () => {
  assert.equal(clockSkew(1000, 900, 1100), 0)
  assert.equal(clockSkew(1000, 1300, 1400), 300)
  assert.equal(clockSkew(1000, 500, 600), -400)
})

test('a clock that differs from the database’s raises an alarm past the limit, in either direction, and none when nobody answers', async () => {
  const server = await openTestServer({ gateway: fakeGateway() })
  let answer: number | null = CLOCK_SKEW_MAX_MS
  const skew = createClockSkew(async () => answer)
  const { deps, scrape } = withMetrics(server.deps, skew.lastMs)
  const look = createSkewLook(deps, skew)
  const alarms = () => server.logLines.filter((line) => line.includes('"the clock differs from that of the database"'))
  assert.doesNotMatch(await scrape(), /kaikei_clock_skew_seconds/)
  await look()
  assert.match(await scrape(), /^kaikei_clock_skew_seconds 5$/m)
  assert.equal(alarms().length, 0)
  answer = -CLOCK_SKEW_MAX_MS - 1
  await look()
  assert.equal(alarms().length, 1)
  assert.match(alarms()[0] ?? '', /5\.001 s behind the database's/)
  assert.match(await scrape(), /^kaikei_alarms_total 1$/m)
  answer = null
  await look()
  assert.doesNotMatch(await scrape(), /kaikei_clock_skew_seconds/)
  assert.equal(
    server.logLines.some((line) => line.includes('the clock agrees')),
    false,
  )
  answer = 0
  await look()
  assert.equal(
    server.logLines.some((line) => line.includes('the clock agrees')),
    true,
  )
})

onBothDatabases(({ name, open }) => {
  test('the skew is measured against the clock of PostgreSQL, and not where the database is embedded', async () => {
    const database = await open()
    const ahead = await askClockSkew(database, () => systemClock.now() + 60_000)
    if (name === 'PostgreSQL') assert.ok(ahead !== null && ahead > 50_000 && ahead <= 60_001, String(ahead))
    else assert.equal(ahead, null)
  })
})
