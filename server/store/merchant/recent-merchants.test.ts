import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { countedDatabase, type CountedDatabase } from '../../../proof/harness/counted-database.ts'
import { openSqliteInMemory } from '../../../proof/harness/databases.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { virtualClock, type TestClock } from '../../../proof/harness/test-clocks.ts'
import { API_KEYS, MERCHANT_SETTINGS, TEA_MERCHANT } from '../../../proof/harness/test-merchants.ts'
import { openTestServer } from '../../../proof/harness/test-server.ts'
import { moveForcedChallenge } from '../checkout/shop-velocity-rows.ts'
import { createRecentMerchants, KEPT_MAX, type RecentMerchants } from './recent-merchants.ts'
import { saveMerchant } from '../../../proof/harness/save-records.ts'

describe('a merchant is kept in memory for a second', () => {
  let database: CountedDatabase
  let clock: TestClock
  let find: RecentMerchants
  beforeEach(async () => {
    database = countedDatabase(await openSqliteInMemory())
    clock = virtualClock()
    find = createRecentMerchants(database, clock.now)
    await saveMerchant(database, TEA_MERCHANT, 0)
    database.takeCost()
  })

  test('within a second it is read once, and after it again', async () => {
    assert.deepEqual([await find('tea'), await find('tea')], [TEA_MERCHANT, TEA_MERCHANT])
    clock.advance(999)
    await find('tea')
    assert.equal(database.takeCost().statements, 1)
    clock.advance(1)
    await find('tea')
    assert.equal(database.takeCost().statements, 1)
  })

  test('new settings and a forced challenge hold after a second at the latest', async () => {
    await find('tea')
    const settings = { ...MERCHANT_SETTINGS, allowExemption: false }
    await saveMerchant(database, { ...TEA_MERCHANT, settings }, 0)
    await moveForcedChallenge(database, { merchantId: TEA_MERCHANT.id, mode: 'live' }, { from: 0, until: 7 })
    clock.advance(1000)
    assert.deepEqual(await find('tea'), { ...TEA_MERCHANT, settings, forcedChallengeUntil: { test: 0, live: 7 } })
  })

  test('a merchant that is created is there at once: one that was not found is not remembered', async () => {
    assert.equal(await find('new'), null)
    await saveMerchant(database, { ...TEA_MERCHANT, id: 'new-id', label: 'new' }, 0)
    assert.equal((await find('new'))?.id, 'new-id')
  })

  test('an error page recalls its face without a reading for ten minutes after the last one, and one that was never read not at all', async () => {
    assert.equal(find.recall('tea'), null)
    await find('tea')
    database.takeCost()
    clock.advance(600_999)
    assert.deepEqual(find.recall('tea'), TEA_MERCHANT)
    clock.advance(1)
    assert.equal(find.recall('tea'), null)
    assert.equal(database.takeCost().statements, 0)
  })

  test('of more merchants than are kept the one that was read first is read again', async () => {
    const labels = Array.from({ length: KEPT_MAX }, (_, place) => `m${place}`)
    for (const label of labels) await saveMerchant(database, { ...TEA_MERCHANT, id: label, label }, 0)
    await find('tea')
    for (const label of labels) await find(label)
    database.takeCost()
    await find('m1')
    assert.equal(database.takeCost().statements, 0)
    await find('tea')
    assert.equal(database.takeCost().statements, 1)
  })
})

test('an API key is never kept: one that is taken back ends at once', async () => {
  const server = await openTestServer({ gateway: fakeGateway(), clock: virtualClock() })
  await server.createCheckout()
  await server.deps.database.rows('DELETE FROM api_keys')
  await assert.rejects(server.createCheckout({}, API_KEYS.tea), /invalid_api_key/)
})
