import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { Gateway } from '#payment/ports.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { fakeGateway } from '../../proof/harness/fake-gateway.ts'
import { saveMerchant } from '../../proof/harness/save-records.ts'
import { saveTestAccount, TEST_SECRET_KEY } from '../../proof/harness/test-accounts.ts'
import { BOOKS_MERCHANT, TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import { createLog } from '../log.ts'
import { createSealing } from '../config/sealed.ts'
import type { Database } from '../store/engine/database.ts'
import { createGateways, KEPT_ACCOUNTS_MAX, type AccountsDependencies, type OpenedAccount } from './accounts.ts'
import { gatewayNotConfigured } from './not-configured.ts'

const LIVE = { merchantId: TEA_MERCHANT.id, mode: 'live' } as const
const TEST = { merchantId: TEA_MERCHANT.id, mode: 'test' } as const
const BOOKS = { merchantId: BOOKS_MERCHANT.id, mode: 'live' } as const

const SERVER = {
  apiUrl: new URL('https://as.example.com'),
  merchantId: 'configured',
  merchantToken: null,
  clientCertificate: null,
  caPath: null,
  timeoutMs: 1000,
  isSandbox: false,
}
const CONFIG = { threeDS: { server: SERVER, messageDomains: [] }, publicBase: new URL('https://pay.example.com') }

describe('accounts at acquirers', () => {
  onBothDatabases(({ name, open }) => {
    let real: Database
    let database: Database
    let now: number
    let statements: number
    let isDown: boolean
    let opened: OpenedAccount[]
    let logged: string[]
    beforeEach(async () => {
      real = await open()
      ;[now, statements, isDown, opened, logged] = [0, 0, false, [], []]
      await saveMerchant(real, TEA_MERCHANT, 0)
      await saveMerchant(real, BOOKS_MERCHANT, 0)
      database = {
        ...real,
        rows: (text, ...values) => {
          statements += 1
          return isDown ? Promise.reject(new Error('down')) : real.rows(text, ...values)
        },
      }
    })
    const adapter = {
      open: (account: OpenedAccount): Gateway => {
        opened.push(account)
        return fakeGateway()
      },
      checkAccount: async () => [],
    }
    const sandbox = fakeGateway()
    const create = (more: Partial<AccountsDependencies> = {}) =>
      createGateways({
        sql: database,
        elapsed: () => now,
        log: createLog(
          'debug',
          (line) => logged.push(line),
          () => 0,
        ),
        sealing: createSealing([TEST_SECRET_KEY]),
        adapters: { stripe: adapter, adyen: adapter },
        sandbox,
        wrap: (gateway) => ({ ...gateway }),
        config: CONFIG,
        ...more,
      })

    test(`on ${name} an account is opened once with its credentials, and each account has a gateway of its own`, async () => {
      await saveTestAccount(real, LIVE, { apiBase: 'http://127.0.0.1:9' })
      await saveTestAccount(real, BOOKS)
      const { gateways } = create()
      const [one, again, other] = [await gateways.of(LIVE), await gateways.of(LIVE), await gateways.of(BOOKS)]
      assert.equal(one, again)
      assert.notEqual(one, other)
      assert.deepEqual(opened, [
        {
          ...LIVE,
          label: 'tea',
          apiBase: 'http://127.0.0.1:9',
          credentials: { kind: 'stripe', secretKey: 'sk_live_canary0000000000' },
        },
        {
          ...BOOKS,
          label: 'books',
          apiBase: null,
          credentials: { kind: 'stripe', secretKey: 'sk_live_canary0000000000' },
        },
      ])
    })

    test(`on ${name} a test without an account goes to the sandbox, which all merchants share, and a live payment never does`, async () => {
      const { gateways } = create()
      assert.equal(await gateways.of(TEST), sandbox)
      assert.equal(await gateways.of({ ...TEST, merchantId: BOOKS_MERCHANT.id }), sandbox)
      assert.equal(await gateways.of(LIVE), gatewayNotConfigured)
      await saveTestAccount(real, TEST)
      now += 1000
      assert.notEqual(await gateways.of(TEST), sandbox)
      assert.equal(await gateways.of(LIVE), gatewayNotConfigured, 'an account for tests charges no real card')
      assert.equal(
        await create({ sandbox: null }).gateways.of({ ...TEST, merchantId: BOOKS_MERCHANT.id }),
        gatewayNotConfigured,
      )
    })

    test(`on ${name} an account is read again after a second, keeps its circuit breaker, and is opened anew when it was set again`, async () => {
      await saveTestAccount(real, LIVE)
      const { gateways, threeDSCredentialsOf } = create()
      const first = await gateways.of(LIVE)
      await threeDSCredentialsOf(LIVE)
      now += 999
      await gateways.of(LIVE)
      assert.equal(statements, 1)
      now += 1
      assert.equal(await gateways.of(LIVE), first)
      assert.deepEqual([statements, opened.length], [2, 1])
      await saveTestAccount(real, LIVE, { threeDSMerchantId: 'tea-3ds', threeDSToken: 'token' })
      assert.equal(await gateways.of(LIVE), first, 'within the second')
      now += 1000
      assert.notEqual(await gateways.of(LIVE), first)
      assert.equal(opened.length, 2)
      assert.deepEqual(await threeDSCredentialsOf(LIVE), { merchantId: 'tea-3ds', merchantToken: 'token' })
    })

    test(`on ${name} a live account on this machine takes test cards alone, also when it does not open, and any other takes real ones`, async () => {
      await saveTestAccount(real, LIVE, { apiBase: 'http://127.0.0.1:3001/stripe' })
      const { gateways } = create()
      assert.equal(await gateways.takenCards(LIVE), 'test')
      assert.equal(await create({ sealing: createSealing([]) }).gateways.takenCards(LIVE), 'test')
      assert.equal(await gateways.takenCards(BOOKS), 'real', 'no account')
      await saveTestAccount(real, BOOKS)
      now += 1000
      assert.equal(await gateways.takenCards(BOOKS), 'real')
      const before = statements
      assert.deepEqual([await gateways.takenCards(TEST), statements], ['test', before], 'of a test nothing is read')
    })

    test(`on ${name} payments that come at once open an account once: it has one circuit breaker`, async () => {
      await saveTestAccount(real, LIVE)
      const { gateways } = create()
      const all = await Promise.all(Array.from({ length: 20 }, () => gateways.of(LIVE)))
      assert.deepEqual([new Set(all).size, opened.length, statements], [1, 1, 1])
      now += 1000
      const later = await Promise.all(Array.from({ length: 20 }, () => gateways.of(LIVE)))
      assert.deepEqual([new Set([...all, ...later]).size, opened.length, statements], [1, 1, 2])
    })

    test(`on ${name} an account that does not open charges nothing, calls a person once, and says no secret`, async () => {
      await saveTestAccount(real, LIVE)
      await saveTestAccount(real, BOOKS, { credentials: '{"canary":1}' })
      const wrongKey = create({ sealing: createSealing(['f'.repeat(64)]) })
      assert.equal(await wrongKey.gateways.of(LIVE), gatewayNotConfigured)
      now += 1000
      assert.equal(await wrongKey.gateways.of(LIVE), gatewayNotConfigured)
      assert.equal(logged.length, 1)
      assert.equal(await create().gateways.of(BOOKS), gatewayNotConfigured, 'other credentials than those of its kind')
      const throws = {
        ...adapter,
        open: ({ credentials }: OpenedAccount): never => {
          throw new Error(JSON.stringify(credentials))
        },
      }
      const failing = create({ adapters: { stripe: throws, adyen: throws } })
      assert.equal(await failing.gateways.of(LIVE), gatewayNotConfigured, 'an adapter that throws')
      assert.equal(logged.length, 3)
      assert.match(logged.join('\n'), /an acquirer account does not open/)
      assert.doesNotMatch(logged.join('\n'), /canary/)
      assert.deepEqual(opened, [])
    })

    test(`on ${name} while the database does not answer nothing is charged, and afterwards the same gateway goes on`, async () => {
      await saveTestAccount(real, LIVE)
      const { gateways } = create()
      const first = await gateways.of(LIVE)
      now += 1000
      isDown = true
      await assert.rejects(gateways.of(LIVE), /down/)
      await assert.rejects(gateways.of(BOOKS), /down/)
      isDown = false
      assert.equal(await gateways.of(LIVE), first)
      assert.equal(await gateways.of(BOOKS), gatewayNotConfigured)
    })

    test(`on ${name} reconciliation is given every account once, with all merchants whose money it moves`, async () => {
      const { gateways } = create()
      const sandboxOf = (...merchantIds: string[]) => ({
        gateway: sandbox,
        scopes: merchantIds.map((merchantId) => ({ merchantId, mode: 'test' })),
      })
      assert.deepEqual(await gateways.accounts(), [sandboxOf(BOOKS_MERCHANT.id, TEA_MERCHANT.id)])
      // Two shops at one account of Stripe: its statement lists the money of both.
      await saveTestAccount(real, LIVE)
      await saveTestAccount(real, BOOKS)
      await saveTestAccount(real, TEST)
      const other = create({ sandbox: null }).gateways
      const [shared, ofTests, ...rest] = await other.accounts()
      assert.deepEqual(rest, [])
      assert.deepEqual(shared?.scopes, [BOOKS, LIVE])
      assert.deepEqual(ofTests?.scopes, [TEST])
      assert.equal(shared?.gateway, await other.of(BOOKS))
      now += 1000
      assert.deepEqual((await gateways.accounts())[0], sandboxOf(BOOKS_MERCHANT.id))
      // One that does not open makes the comparison incomplete, and is not left out.
      const wrongKey = create({ sealing: createSealing(['f'.repeat(64)]), sandbox: null })
      assert.deepEqual(
        (await wrongKey.gateways.accounts()).map(({ gateway, scopes }) => [gateway === gatewayNotConfigured, scopes]),
        [BOOKS, LIVE, TEST].map((scope) => [true, [scope]]),
      )
    })

    test(`on ${name} of more accounts than are kept the one that is idle for longest is opened anew`, async () => {
      await saveTestAccount(real, LIVE)
      await saveTestAccount(real, BOOKS)
      const { gateways } = create()
      const [idle, busy] = [await gateways.of(LIVE), await gateways.of(BOOKS)]
      for (let other = 0; other < KEPT_ACCOUNTS_MAX - 1; other += 1) {
        await gateways.of({ merchantId: `m${other}`, mode: 'test' })
        await gateways.of(BOOKS)
      }
      assert.equal(await gateways.of(BOOKS), busy)
      assert.notEqual(await gateways.of(LIVE), idle)
    })
  })
})
