import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { Check } from 'typebox/value'
import type { KeyAccess } from '#contract/access.ts'
import { MeAnswer } from '#contract/merchant/me.ts'
import { countedDatabase, type CountedDatabase } from '../../proof/harness/counted-database.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { statusAndCode } from '../../proof/harness/error-answers.ts'
import { virtualClock, type TestClock } from '../../proof/harness/test-clocks.ts'
import { saveTestAccount } from '../../proof/harness/test-accounts.ts'
import { API_KEYS, BOOKS_MERCHANT, TEA_MERCHANT, testKey } from '../../proof/harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { gatewayNotConfigured } from '../gateways/not-configured.ts'
import { findAccount, saveCheck } from '../store/merchant/acquirer-accounts.ts'
import { hashKey, insertKey, keysOfMerchant, saveExpiry, saveRevocation } from '../store/merchant/keys.ts'
import { closeMerchant } from '../store/merchant/merchants.ts'
import { isLastUseOld } from './last-use.ts'

const UNKNOWN = `sk_test_${'z'.repeat(32)}`

test('the last use is written again after a minute, and when the clock was set back by one', () => {
  assert.equal(isLastUseOld(null, 0), true)
  assert.deepEqual(
    [0, 59_999, 60_000, -59_999, -60_000].map((later) => isLastUseOld(100_000, 100_000 + later)),
    [false, false, true, false, true],
  )
})

describe('a call with an API key', () => {
  onBothDatabases(({ open }) => {
    let database: CountedDatabase
    let clock: TestClock
    let server: TestServer
    let writes: Promise<unknown>[]
    let isDiskFull: boolean
    beforeEach(async () => {
      const real = await open()
      writes = []
      isDiskFull = false
      database = countedDatabase({
        ...real,
        rows: (text, ...values) => {
          const isLastUse = text.startsWith('UPDATE api_keys SET last_used_at')
          const running = isLastUse && isDiskFull ? Promise.reject(new Error('full')) : real.rows(text, ...values)
          if (isLastUse) writes.push(running)
          return running
        },
      })
      clock = virtualClock()
      server = await openTestServer({ database, gateway: gatewayNotConfigured, clock })
    })

    const me = (key: string): Promise<LightMyRequestResponse> =>
      server.app.inject({
        url: '/merchant/v1/me',
        headers: { host: 'localhost:3000', authorization: `Bearer ${key}` },
      })
    const keyWith = async (access: KeyAccess): Promise<string> => {
      const key = `sk_test_${access.padEnd(32, 'k')}`
      await insertKey(database, testKey(key, TEA_MERCHANT.id, { access, name: 'till' }), clock.now())
      return key
    }
    const lastUse = async (key: string): Promise<number | null | undefined> =>
      (await keysOfMerchant(database, TEA_MERCHANT.id)).find(({ hash }) => hash === hashKey(key))?.lastUsedAt
    /** Waits for the writes that no call waits for. */
    const settle = async (): Promise<void> => {
      await Promise.allSettled(writes)
    }

    test('is told whose key it is, its mode, its access and its hint', async () => {
      const answer = await me(await keyWith('sales'))
      assert.equal(answer.statusCode, 200)
      assert.ok(Check(MeAnswer, answer.json()))
      assert.deepEqual(answer.json(), {
        merchant: { label: 'tea', name: 'Aoyama Tea' },
        mode: 'test',
        key: { access: 'sales', hint: 'kkkk', name: 'till', createdAt: new Date(clock.now()).toISOString() },
      })
    })

    test('that is revoked, expired, of a closed merchant or unknown gets one and the same 401, from the next call on', async () => {
      const revoked = await keyWith('full')
      const expired = await keyWith('sales')
      for (const key of [revoked, expired, API_KEYS.tea]) assert.equal((await me(key)).statusCode, 200)
      await saveRevocation(database, hashKey(revoked), clock.now())
      await saveExpiry(database, hashKey(expired), clock.now() + 1)
      const refusals = [await me(UNKNOWN), await me(revoked)]
      assert.equal((await me(expired)).statusCode, 200)
      clock.advance(1)
      refusals.push(await me(expired))
      await closeMerchant(database, TEA_MERCHANT.id, clock.now())
      refusals.push(await me(API_KEYS.tea))
      assert.equal(new Set(refusals.map(({ statusCode, body }) => `${statusCode} ${body}`)).size, 1)
      assert.deepEqual(statusAndCode(refusals[0] ?? assert.fail()), [401, 'invalid_api_key'])
      assert.equal((await me(API_KEYS.books)).statusCode, 200, 'another merchant goes on')
    })

    test('of a live key works once the acquirer account of its shop has passed its check, and until then names the command to run', async () => {
      const messageOf = async (key: string): Promise<string> => {
        const answer = await me(key)
        assert.deepEqual(statusAndCode(answer), [401, 'invalid_api_key'])
        return answer.json<{ message: string }>().message
      }
      const ref = { merchantId: TEA_MERCHANT.id, mode: 'live' } as const
      assert.match(await messageOf(API_KEYS.live), /has no account.* acquirer set --merchant tea --mode live --kind/)
      await saveTestAccount(database, { ...ref, mode: 'test' })
      assert.match(await messageOf(API_KEYS.live), /has no account/, 'an account for tests is none for real money')
      await saveTestAccount(database, { merchantId: BOOKS_MERCHANT.id, mode: 'live' })
      assert.match(await messageOf(API_KEYS.live), /has no account/, 'nor is that of another shop')
      await saveTestAccount(database, ref)
      assert.match(await messageOf(API_KEYS.live), /not passed its check.* acquirer check --merchant tea --mode live$/)
      const { setAt } = (await findAccount(database, ref)) ?? assert.fail()
      await saveCheck(database, { ...ref, setAt }, { checkedAt: clock.now() })
      await settle()
      database.takeCost()
      const answer = await me(API_KEYS.live)
      assert.deepEqual([answer.statusCode, answer.json<{ mode: string }>().mode], [200, 'live'], answer.body)
      await settle()
      assert.deepEqual(database.takeCost(), { statements: 2, transactions: 0 }, 'the key with its account, and its use')
      await saveTestAccount(database, ref)
      assert.match(await messageOf(API_KEYS.live), /not passed its check/, 'credentials that were set since')
      assert.equal((await me(API_KEYS.tea)).statusCode, 200, 'tests go on')
    })

    test('without the access it needs is refused before anything is looked up or read', async () => {
      const headers = { host: 'localhost:3000', 'content-type': 'application/json' }
      for (const [access, url, needed] of [
        ['read', '/merchant/v1/checkouts', 'sales'],
        ['read', `/merchant/v1/checkouts/${'a'.repeat(32)}/refunds`, 'full'],
        ['sales', '/merchant/v1/checkouts/%00/refunds', 'full'],
      ] as const) {
        const authorization = `Bearer ${await keyWith(access)}`
        await me(await keyWith(access))
        await settle()
        database.takeCost()
        const answer = await server.app.inject({
          method: 'POST',
          url,
          headers: { ...headers, authorization },
          payload: '{',
        })
        assert.deepEqual(statusAndCode(answer), [403, 'key_not_allowed'], `${access} ${url}`)
        assert.deepEqual(answer.json<{ params: object }>().params, { needed })
        assert.deepEqual(database.takeCost(), { statements: 1, transactions: 0 }, 'the key alone was read')
      }
    })

    test('may come so often, then it is 429 with Retry-After until that time has passed', async () => {
      const few = { calls: { burst: 3, perSecond: 0.5 }, refunds: { burst: 1, perSecond: 1 } }
      server = await openTestServer({
        database,
        gateway: gatewayNotConfigured,
        clock,
        keyLimits: { test: few, live: few },
      })
      for (let call = 0; call < 3; call += 1) assert.equal((await me(API_KEYS.tea)).statusCode, 200)
      const answer = await me(API_KEYS.tea)
      assert.deepEqual(statusAndCode(answer), [429, 'too_many_requests'])
      assert.equal(answer.headers['retry-after'], '2')
      assert.equal((await me(API_KEYS.books)).statusCode, 200, 'another key goes on')
      clock.advance(2000)
      assert.equal((await me(API_KEYS.tea)).statusCode, 200)
    })

    test('refunds have a limit of their own', async () => {
      const few = { calls: { burst: 100, perSecond: 1 }, refunds: { burst: 1, perSecond: 1 } }
      server = await openTestServer({
        database,
        gateway: gatewayNotConfigured,
        clock,
        keyLimits: { test: few, live: few },
      })
      const refund = (): Promise<LightMyRequestResponse> =>
        server.app.inject({
          method: 'POST',
          url: `/merchant/v1/checkouts/${'a'.repeat(32)}/refunds`,
          headers: { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` },
          payload: { refundId: 'r1' },
        })
      assert.deepEqual(statusAndCode(await refund()), [404, 'checkout_not_found'])
      assert.deepEqual(statusAndCode(await refund()), [429, 'too_many_requests'])
      assert.equal((await me(API_KEYS.tea)).statusCode, 200)
    })

    test('is noted as the last use of its key, at most once a minute, and costs one statement otherwise', async () => {
      const key = await keyWith('read')
      const first = clock.now()
      await Promise.all([me(key), me(key), me(key)])
      await settle()
      assert.equal(writes.length, 1)
      assert.equal(await lastUse(key), first)
      clock.advance(59_999)
      database.takeCost()
      await me(key)
      await settle()
      assert.deepEqual(database.takeCost(), { statements: 1, transactions: 0 })
      assert.equal(await lastUse(key), first)
      clock.advance(1)
      await me(key)
      await settle()
      assert.equal(await lastUse(key), first + 60_000)
    })

    test('goes on when its last use cannot be written', async () => {
      isDiskFull = true
      assert.equal((await me(API_KEYS.tea)).statusCode, 200)
      await settle()
      assert.equal(await lastUse(API_KEYS.tea), null)
    })
  })
})
