import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { DAY_MS } from '#contract/jst.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import { virtualClock } from '../../proof/harness/test-clocks.ts'
import { systemRandom, type Dependencies } from '../dependencies.ts'
import { hashKey, keysOfMerchant, type ApiKey } from '../store/merchant/keys.ts'
import { createKey, keyState, revokeKey, rollKey } from './api-keys.ts'
import { saveMerchant } from '../../proof/harness/save-records.ts'

const OPEN = { closedAt: null }

test('a key ends at the instant of its expiry, when it is revoked and when its merchant is closed', () => {
  const endless = { expiresAt: null, revokedAt: null }
  assert.equal(keyState(endless, OPEN, Number.MAX_SAFE_INTEGER), 'active')
  assert.equal(keyState({ ...endless, expiresAt: 10 }, OPEN, 9), 'active')
  assert.equal(keyState({ ...endless, expiresAt: 10 }, OPEN, 10), 'expired')
  assert.equal(keyState({ ...endless, revokedAt: 10 }, OPEN, 0), 'revoked', 'whatever the clock says')
  assert.equal(keyState({ expiresAt: 1, revokedAt: 10 }, OPEN, 5), 'revoked')
  assert.equal(keyState(endless, { closedAt: 5 }, 0), 'merchant closed', 'whenever it was closed')
  assert.equal(keyState({ ...endless, expiresAt: 10 }, { closedAt: 5 }, 10), 'expired')
})

describe('API keys', () => {
  onBothDatabases(({ open }) => {
    const clock = virtualClock()
    let deps: Pick<Dependencies, 'database' | 'clock' | 'random'>
    beforeEach(async () => {
      const database = await open()
      await saveMerchant(database, TEA_MERCHANT, 0)
      deps = { database, clock, random: systemRandom }
    })
    const facts = { merchantId: TEA_MERCHANT.id, mode: 'test', access: 'sales', name: 'till', expiresAt: null } as const
    const stored = async (key: string): Promise<ApiKey> =>
      (await keysOfMerchant(deps.database, TEA_MERCHANT.id)).find(({ hash }) => hash === hashKey(key)) ??
      assert.fail('the key is not stored')

    test('no two are alike, each begins with its mode, and its last characters are its hint', async () => {
      const { key } = await createKey(deps.database, deps, facts)
      const live = await createKey(deps.database, deps, { ...facts, mode: 'live' })
      assert.match(key, /^sk_test_[a-z2-7]{32}$/)
      assert.match(live.key, /^sk_live_[a-z2-7]{32}$/)
      assert.notEqual(key.slice(8), live.key.slice(8))
      assert.equal((await stored(key)).hint, key.slice(-4))
    })

    test('rolling makes a key that may do the same, and the old one ends 24 hours later', async () => {
      const { key } = await createKey(deps.database, deps, facts)
      const now = clock.now()
      const rolled = await rollKey(deps.database, deps, await stored(key), null)
      assert.equal(rolled.oldEndsAt, now + DAY_MS)
      const old = await stored(key)
      const { mode, access, name, expiresAt } = await stored(rolled.key)
      assert.deepEqual([mode, access, name, expiresAt], ['test', 'sales', 'till', null])
      assert.deepEqual(
        [keyState(old, OPEN, now + DAY_MS - 1), keyState(old, OPEN, now + DAY_MS)],
        ['active', 'expired'],
      )
    })

    test('a key that ends sooner than that is not given more time by rolling it', async () => {
      const soon = clock.now() + 1000
      const { key } = await createKey(deps.database, deps, { ...facts, expiresAt: soon })
      const { oldEndsAt } = await rollKey(deps.database, deps, await stored(key), clock.now() + 2 * DAY_MS)
      assert.deepEqual([oldEndsAt, (await stored(key)).expiresAt], [soon, soon])
    })

    test('a revoked key stays revoked since the first time', async () => {
      const { key } = await createKey(deps.database, deps, facts)
      const first = await revokeKey(deps.database, deps, await stored(key))
      clock.advance(1000)
      const second = await revokeKey(deps.database, deps, await stored(key))
      assert.equal(first.revokedAt, second.revokedAt)
      assert.deepEqual(await stored(key), second)
    })
  })
})
