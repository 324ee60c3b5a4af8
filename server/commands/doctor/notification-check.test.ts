import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { openTestServer } from '../../../proof/harness/test-server.ts'
import { registerByOperator } from '../../store/outbox/mail-addresses.ts'
import { changeSettings, closeMerchant, type MerchantSettings } from '../../store/merchant/merchants.ts'
import { judgeNotifications, readNotifiedShops, type NotifiedShop } from './notification-check.ts'

const shop = (more: Partial<NotifiedShop> = {}): NotifiedShop => ({
  merchant: 'tea',
  wantsMails: true,
  address: 'registered',
  ...more,
})

describe('doctor says which shops are not told of their payments', () => {
  test('a shop that wants mails and has no registered address, or none, is named', () => {
    assert.deepEqual(judgeNotifications([shop()]), { state: 'ok', says: '1 of 1 shops have a registered address' })
    const unregistered = judgeNotifications([shop({ address: 'not registered' })])
    assert.equal(unregistered.state, 'warn')
    assert.match(unregistered.says, /not registered, so they are not told of their payments: tea$/)
    assert.match(judgeNotifications([shop({ address: 'none' })]).says, /^no address, .*: tea$/)
  })

  test('one that has asked for nothing is no fault, and of many the first are named', () => {
    const quiet = shop({ wantsMails: false, address: 'not registered' })
    assert.equal(judgeNotifications([quiet]).state, 'ok')
    const many = ['a', 'b', 'c', 'd', 'e'].map((merchant) => shop({ merchant, address: 'not registered' }))
    assert.match(judgeNotifications(many).says, /: a, b, c, and 2 more$/)
    assert.match(judgeNotifications(many.slice(0, 3)).says, /: a, b, c$/)
  })

  onBothDatabases(({ open }) => {
    test('the facts are those of the settings and of the registered addresses', async () => {
      const { database } = (await openTestServer({ gateway: fakeGateway(), database: await open() })).deps
      const change = (id: string, how: (settings: MerchantSettings) => MerchantSettings) =>
        database.transact((sql) => changeSettings(sql, id, how))
      const read = async () => {
        const shops = await readNotifiedShops(database)
        return shops.map(({ merchant, wantsMails, address }) => [merchant, wantsMails, address])
      }
      assert.deepEqual(await read(), [
        ['books', false, 'not registered'],
        ['tea', false, 'not registered'],
      ])
      await registerByOperator(database, { merchantId: 'tea-id', address: 'Orders@example.com' }, 1)
      await change('tea-id', (settings) => ({
        ...settings,
        notifications: { ...settings.notifications, address: 'orders@example.com', refunded: true },
      }))
      await change('books-id', (settings) => ({ ...settings, receipt: { ...settings.receipt, shopEmail: '' } }))
      assert.deepEqual(await read(), [
        ['books', false, 'none'],
        ['tea', true, 'registered'],
      ])
      await closeMerchant(database, 'books-id', 1)
      assert.deepEqual(await read(), [['tea', true, 'registered']])
    })
  })
})
