import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../proof/harness/merchant-client.ts'
import { saveMerchant } from '../../proof/harness/save-records.ts'
import { saveTestAccount, TEST_SECRET_KEY } from '../../proof/harness/test-accounts.ts'
import { BOOKS_MERCHANT } from '../../proof/harness/test-merchants.ts'
import { fakeGateway } from '../../proof/harness/fake-gateway.ts'
import { createSealing } from '../config/sealed.ts'
import { createGateways } from '../gateways/accounts.ts'
import { gatewayNotConfigured } from '../gateways/not-configured.ts'
import { decideSetAside } from '../operations/set-aside.ts'
import { COMMAND_LINE } from '../operations/people/change-people.ts'
import type { Database, SqlValue } from '../store/engine/database.ts'
import { text } from '../store/engine/columns.ts'
import { sealAccountsAnew } from '../store/merchant/acquirer-accounts.ts'
import { merchantIds } from '../store/merchant/merchants.ts'
import { putBackReadableSettings, setAsideUnreadableSettings } from './unreadable-settings.ts'
import { sendWebhooksOnce } from './webhooks/webhook-worker.ts'

const TEA = 'tea-id'
/** Beyond what a number of JavaScript can be. */
const HUGE = '9007199254740993'

describe('settings that cannot be read', { concurrency: 1 }, () => {
  onBothDatabases(({ open }) => {
    let shop: MerchantClient
    let database: Database
    beforeEach(async () => {
      shop = await openMerchantClient(await open())
      database = shop.server.deps.database
    })
    const rows = (statement: string, ...values: SqlValue[]) => database.rows(statement, ...values)
    const setAside = async (): Promise<string[]> =>
      (await rows('SELECT queue, id FROM set_aside WHERE dropped_at IS NULL ORDER BY queue, id')).map(
        (row) => `${text(row, 'queue')} ${text(row, 'id')}`,
      )
    const alarms = (): number => shop.server.logLines.filter((line) => line.includes('was set aside')).length
    const decide = async (queue: string, id: string, decision: 'retry' | 'drop') =>
      (await decideSetAside(shop.server.deps, { shop: 'tea', queue, id }, decision, COMMAND_LINE)).outcome
    const addEndpoint = async (url: string): Promise<{ readonly id: string }> => {
      const answer = await shop.send('/webhooks', { method: 'POST', payload: { url } })
      return answer.json<{ id: string }>()
    }
    const nameAll = async (): Promise<void> => {
      await setAsideUnreadableSettings(shop.server.deps)
      await putBackReadableSettings(shop.server.deps)
    }

    test('of one account leave the accounts of other shops to be asked, and that account is listed as one that says nothing', async () => {
      await saveMerchant(database, BOOKS_MERCHANT, 0)
      const [tea, books] = [
        { merchantId: TEA, mode: 'live' },
        { merchantId: BOOKS_MERCHANT.id, mode: 'live' },
      ] as const
      await saveTestAccount(database, tea)
      await saveTestAccount(database, books)
      await rows(`UPDATE acquirer_accounts SET set_at = ${HUGE} WHERE merchant_id = $1`, TEA)
      const adapter = { open: () => fakeGateway(), checkAccount: async () => [] }
      const { gateways } = createGateways({
        sql: database,
        elapsed: () => 0,
        log: shop.server.deps.log,
        sealing: createSealing([TEST_SECRET_KEY]),
        adapters: { stripe: adapter, adyen: adapter },
        sandbox: null,
        wrap: (gateway) => gateway,
        config: { threeDS: { server: null, messageDomains: [] }, publicBase: new URL('https://pay.example.com') },
      })
      const accounts = await gateways.accounts()
      assert.deepEqual(
        accounts.map(({ scopes, gateway }) => [scopes, gateway === gatewayNotConfigured]),
        [
          [[books], false],
          [[tea], true],
        ],
      )
      assert.equal(await gateways.of(tea), gatewayNotConfigured)
      assert.notEqual(await gateways.of(books), gatewayNotConfigured)
      await sealAccountsAnew(database, createSealing(['1'.repeat(64), TEST_SECRET_KEY]))
      await nameAll()
      await nameAll()
      assert.deepEqual(await setAside(), ['accounts live'])
      assert.equal(alarms(), 1)
      assert.equal(await decide('accounts', 'live', 'drop'), 'never dropped')
      assert.equal(await decide('accounts', 'live', 'retry'), 'still unreadable')
      await rows('UPDATE acquirer_accounts SET set_at = 1 WHERE merchant_id = $1', TEA)
      await nameAll()
      assert.deepEqual(await setAside(), [])
    })

    test('of one shop keep no other from its comparison with the acquirer, and are named once', async () => {
      await saveMerchant(database, BOOKS_MERCHANT, 0)
      await rows("UPDATE merchants SET settings = '[]' WHERE id = $1", TEA)
      assert.deepEqual(await merchantIds(database), [BOOKS_MERCHANT.id, TEA].toSorted())
      await nameAll()
      await nameAll()
      assert.deepEqual(await setAside(), ['shops settings'])
      assert.equal(alarms(), 1)
    })

    test('of an endpoint hold back its own events alone, and it gets them once it can be read', async () => {
      const bad = await addEndpoint('https://bad.example.com/')
      const good = await addEndpoint('https://good.example.com/')
      const deliveriesOf = async ({ id }: { id: string }): Promise<number> =>
        (await rows('SELECT event_id FROM deliveries WHERE endpoint_id = $1', id)).length
      await shop.createPaid()
      await sendWebhooksOnce(shop.server.deps)
      const before = await deliveriesOf(bad)
      await rows(`UPDATE webhook_endpoints SET types = '["of a newer release"]' WHERE id = $1`, bad.id)
      for (let nth = 0; nth < 3; nth += 1) {
        shop.clock.advance(120_000)
        await shop.createPaid()
        await sendWebhooksOnce(shop.server.deps)
      }
      assert.deepEqual(await setAside(), [`endpoints ${bad.id}`], 'no event is blamed')
      assert.equal(alarms(), 1)
      assert.deepEqual([await deliveriesOf(bad), await deliveriesOf(good)], [before, 4 * before])
      assert.equal(await decide('endpoints', bad.id, 'retry'), 'still unreadable')
      await putBackReadableSettings(shop.server.deps)
      await rows('UPDATE webhook_endpoints SET types = NULL WHERE id = $1', bad.id)
      await putBackReadableSettings(shop.server.deps)
      assert.deepEqual(await setAside(), [])
      assert.equal(await deliveriesOf(bad), 4 * before)
    })

    test('of a shop keep none of its events from its endpoints', async () => {
      const { id } = await addEndpoint('https://good.example.com/')
      await shop.createPaid()
      await rows("UPDATE merchants SET settings = '[]' WHERE id = $1", TEA)
      await sendWebhooksOnce(shop.server.deps)
      assert.deepEqual(await setAside(), ['shops settings'])
      assert.equal((await rows('SELECT event_id FROM deliveries WHERE endpoint_id = $1', id)).length, 1)
    })

    test('of an endpoint at which deliveries wait are named, and none of these is given up', async () => {
      const { id } = await addEndpoint('https://bad.example.com/')
      await shop.createPaid()
      await sendWebhooksOnce(shop.server.deps)
      await rows("UPDATE deliveries SET state = 'pending', due_at = 0, ended_at = NULL")
      await rows("UPDATE webhook_endpoints SET types = '[7]' WHERE id = $1", id)
      await sendWebhooksOnce(shop.server.deps)
      assert.deepEqual(await setAside(), [`endpoints ${id}`])
      assert.equal((await rows("SELECT state FROM deliveries WHERE state <> 'pending'")).length, 0)
    })
  })
})
