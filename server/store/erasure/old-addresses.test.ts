import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#contract/jst.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { RETENTION } from '#payment/retention.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { scriptedThreeDSServer } from '../../../proof/harness/fake-three-ds-servers.ts'
import { openMerchantClient } from '../../../proof/harness/merchant-client.ts'
import { virtualClock } from '../../../proof/harness/test-clocks.ts'
import { openTestServer } from '../../../proof/harness/test-server.ts'
import { workOnce } from '../../background/worker.ts'
import { forgetOldAddresses } from './old-addresses.ts'
import { findAuthentication, saveBrowserFacts, saveCollected } from '../checkout/authentications.ts'
import { forgetOldEvents } from '../outbox/events.ts'
import { fanOut } from '../outbox/fan-out.ts'

const BROWSER = { acceptHeader: '*/*', userAgent: 'Phone/1', ip: '192.0.2.7', language: 'ja', screen: null }

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
      await workOnce(client.server.deps, null, retention)
      assert.deepEqual(await counts(), expected)
      client.clock.advance(DAY_MS + 1)
    }
  })

  test('what a browser said of itself is forgotten a day after the start, whatever became of the attempt, and not earlier', async () => {
    const database = await open()
    const threeDSServer = scriptedThreeDSServer()
    const clock = virtualClock()
    const server = await openTestServer({ database, gateway: fakeGateway(), threeDSServer, clock })
    const validUntil = new Date(clock.now() + 30 * DAY_MS).toISOString()
    const startedAt: number[] = []
    for (const what of ['browser', 'collected']) {
      const order = await server.startAttempt(await server.createCheckout({ validUntil }))
      const ref = (await findAuthentication(database, 'tea-id', order)) ?? assert.fail()
      startedAt.push(clock.now())
      clock.advance(1000)
      if (what === 'browser') await saveBrowserFacts(database, ref, BROWSER)
      else await saveCollected(database, ref, 'x')
    }
    const [first = 0, second = 0] = startedAt
    const kept = async (): Promise<number> =>
      (await database.rows('SELECT ticket FROM authentications WHERE browser IS NOT NULL OR collected IS NOT NULL'))
        .length
    assert.equal(await kept(), 2)
    // In a state that has ended, as by a release that kept it.
    await database.rows("UPDATE attempts SET state = 'abandoned' WHERE started_at = $1", second)
    for (const [at, left] of [
      [first, 2],
      [first + 1, 1],
      [second, 1],
      [second + 1, 0],
    ] as const) {
      clock.advance(at + DAY_MS - clock.now())
      await workOnce(server.deps)
      assert.equal(await kept(), left)
    }
  })
})
