import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#contract/jst.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant.ts'
import { RETENTION } from '#payment/retention.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { openMerchantClient } from '../../proof/harness/merchant-client.ts'
import { workOnce } from '../background/worker.ts'
import { forgetOldAddresses } from './addresses.ts'
import { forgetOldEvents } from './events.ts'
import { fanOut } from './fan-out.ts'

onBothDatabases(({ open }) => {
  test('addresses of checkouts from before a time are forgotten, and nothing else of them', async () => {
    const database = await open()
    const client = await openMerchantClient(database)
    const old = await client.createPaid({ amount: 1980 }, { email: 'old@example.com' })
    client.clock.advance(DAY_MS)
    const young = await client.createPaid({ amount: 70 }, { email: 'young@example.com' })
    const shopperOf = async (id: string) => (await client.get<MerchantCheckoutAnswer>(`/checkouts/${id}`)).shopper
    const createdAt = Date.parse(old.createdAt)
    assert.equal(await forgetOldAddresses(database, createdAt), false)
    assert.equal((await shopperOf(old.id))?.email, 'old@example.com')
    assert.equal(await forgetOldAddresses(database, createdAt + 1), false)
    assert.deepEqual(await shopperOf(old.id), { locale: 'ja_JP' })
    assert.deepEqual(await shopperOf(young.id), { email: 'young@example.com', locale: 'ja_JP' })
    const kept = await client.get<MerchantCheckoutAnswer>(`/checkouts/${old.id}`)
    assert.deepEqual({ ...kept, shopper: old.shopper }, old)
    assert.deepEqual(await database.rows(`SELECT order_code FROM attempts WHERE details LIKE '%old@example.com%'`), [])
    assert.equal((await client.all('/checkouts?email=old@example.com')).length, 0)
    assert.equal((await client.refund(old.id, { refundId: 'r' })).json<{ status: string }>().status, 'refunded')
  })

  test('events that were told are forgotten after a time, and those that nobody has looked at stay', async () => {
    const database = await open()
    const client = await openMerchantClient(database)
    await client.createPaid()
    const at = client.clock.now()
    const count = async (): Promise<number> => (await database.rows('SELECT id FROM events')).length
    await forgetOldEvents(database, at + 1)
    assert.equal(await count(), 1)
    await fanOut(database, at)
    await forgetOldEvents(database, at)
    assert.equal(await count(), 1)
    await forgetOldEvents(database, at + 1)
    assert.equal(await count(), 0)
    assert.deepEqual(await client.all('/events'), [])
  })

  test('the worker forgets by the settings it is given', async () => {
    const database = await open()
    const client = await openMerchantClient(database)
    await client.createPaid()
    await fanOut(database, client.clock.now())
    const counts = async (): Promise<unknown[]> => {
      const [row = {}] = await database.rows(
        `SELECT (SELECT COUNT(*) FROM checkouts WHERE shopper_email IS NOT NULL) AS addresses,
           (SELECT COUNT(*) FROM events) AS events, (SELECT COUNT(*) FROM mails WHERE recipient IS NOT NULL) AS mails`,
      )
      return [row['addresses'], row['events'], row['mails']]
    }
    const retention = { ...RETENTION, mailsMs: DAY_MS, eventsMs: 2 * DAY_MS, addressesMs: 3 * DAY_MS }
    for (const expected of [
      [1, 1, 1],
      [1, 1, 0],
      [1, 0, 0],
      [0, 0, 0],
    ]) {
      await workOnce(client.server.parts, null, retention)
      assert.deepEqual(await counts(), expected)
      client.clock.advance(DAY_MS + 1)
    }
  })
})
