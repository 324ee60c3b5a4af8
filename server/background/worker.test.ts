import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { countingGateway, type CountingGateway } from '../../proof/harness/counting-gateway.ts'
import { openShop, type Shop } from '../../proof/harness/shop.ts'
import { virtualClock } from '../../proof/harness/virtual-clock.ts'
import { startWorker, workOnce } from './worker.ts'

const MINUTE_MS = 60_000

describe('the worker', () => {
  onBothDatabases(({ open }) => {
    let gateway: CountingGateway
    let shop: Shop
    before(async () => {
      gateway = countingGateway()
      shop = await openShop({ database: await open(), gateway, clock: virtualClock() })
    })
    beforeEach(() => {
      gateway.next = null
    })

    const soon = (): string => new Date(shop.clock.now() + MINUTE_MS).toISOString()
    const storedStatus = async (id: string): Promise<unknown> =>
      (await shop.parts.database.rows('SELECT status FROM checkouts WHERE id = $1', id))[0]?.['status']
    const stateOf = async (order: string): Promise<unknown> =>
      (await shop.parts.database.rows('SELECT state FROM attempts WHERE order_code = $1', order))[0]?.['state']
    const lettersOf = async (id: string): Promise<string[]> => {
      const sql = 'SELECT event, kind FROM outbox WHERE checkout_id = $1 ORDER BY event, kind'
      return (await shop.parts.database.rows(sql, id)).map((row) => `${row['event']} ${row['kind']}`)
    }

    test('a checkout past its deadline is expired by the worker, with its webhook, though nobody reads it', async () => {
      const id = await shop.create({ validUntil: soon() })
      const order = await shop.start(id)
      await workOnce(shop.parts)
      assert.equal(await storedStatus(id), 'open')
      shop.clock.advance(MINUTE_MS + 1)
      await workOnce(shop.parts)
      assert.deepEqual([await storedStatus(id), await stateOf(order)], ['expired', 'abandoned'])
      assert.equal((await shop.read(id)).json<{ status: string }>().status, 'expired')
      assert.deepEqual(await lettersOf(id), ['checkout.expired webhook'])
      const binding = { merchantId: 'tea-id', checkoutId: id, orderCode: order, amountYen: 1980 }
      assert.equal(shop.parts.cardHold.find(binding), undefined)
      await workOnce(shop.parts)
      assert.deepEqual(await lettersOf(id), ['checkout.expired webhook'])
    })

    test('a payment in doubt at the deadline keeps its checkout open, and is settled without anybody reading it', async () => {
      const id = await shop.create({ validUntil: soon() })
      const order = await shop.start(id)
      gateway.next = { outcome: 'unknown', why: 'no answer in time' }
      assert.equal((await shop.pay(id, order)).statusCode, 409)
      const real = gateway.inquire
      gateway.inquire = async () => ({ outcome: 'pending' })
      shop.clock.advance(MINUTE_MS + 1)
      await workOnce(shop.parts)
      assert.deepEqual([await storedStatus(id), await stateOf(order)], ['open', 'unknown'])
      gateway.inquire = async () => ({ outcome: 'charged', transactionId: 't', approvedAt: 0, amountYen: 1980 })
      shop.clock.advance(60 * MINUTE_MS)
      await workOnce(shop.parts)
      gateway.inquire = real
      assert.deepEqual([await storedStatus(id), await stateOf(order)], ['paid', 'charged'])
      assert.deepEqual(await lettersOf(id), ['checkout.paid webhook', 'receipt mail'])
    })

    test('a doubt that ends without a charge is written to the shopper, who was told that we would write', async () => {
      const id = await shop.create()
      const order = await shop.start(id)
      gateway.next = { outcome: 'unknown', why: 'no answer in time' }
      await shop.pay(id, order)
      shop.clock.advance(1000)
      await workOnce(shop.parts)
      assert.equal(await stateOf(order), 'void')
      assert.deepEqual(await lettersOf(id), ['nothing_charged mail'])
    })

    test('one checkout that cannot be attended to keeps no other waiting', async () => {
      const orders: string[] = []
      for (let each = 0; each < 3; each += 1) {
        const id = await shop.create()
        const order = await shop.start(id)
        gateway.next = { outcome: 'unknown', why: 'no answer in time' }
        await shop.pay(id, order)
        orders.push(order)
      }
      const [first = ''] = orders
      const real = gateway.inquire
      gateway.inquire = (orderCode) => (orderCode === first ? Promise.reject(new Error('a bug')) : real(orderCode))
      shop.clock.advance(1000)
      await workOnce(shop.parts)
      gateway.inquire = real
      assert.deepEqual(await Promise.all(orders.map(stateOf)), ['unknown', 'void', 'void'])
    })

    test('many workers at once ask the acquirer once about one doubt', async () => {
      const id = await shop.create()
      const order = await shop.start(id)
      gateway.next = { outcome: 'unknown', why: 'no answer in time' }
      await shop.pay(id, order)
      let asked = 0
      const real = gateway.inquire
      gateway.inquire = async (orderCode) => {
        if (orderCode === order) asked += 1
        return { outcome: 'pending' }
      }
      shop.clock.advance(1000)
      await Promise.all(Array.from({ length: 5 }, () => workOnce(shop.parts)))
      gateway.inquire = real
      assert.equal(asked, 1)
    })

    test('a worker that is stopped ends its round and begins no other', async () => {
      const rounds: number[] = []
      const clock = {
        now: shop.clock.now,
        sleep: async (ms: number) => {
          rounds.push(ms)
          await new Promise(setImmediate)
        },
      }
      const worker = startWorker({ ...shop.parts, clock })
      while (rounds.length === 0) await new Promise(setImmediate)
      await worker.stop()
      const ended = rounds.length
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
      assert.equal(rounds.length, ended)
      assert.ok(rounds.every((ms) => ms === 1000))
    })
  })
})
