import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { fakeGateway, type FakeGateway } from '../../proof/harness/fake-gateway.ts'
import { openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { virtualClock } from '../../proof/harness/test-clocks.ts'
import { insertRecords } from '../store/engine/write.ts'
import { startWorker, workOnce } from './worker.ts'
import { heldCard } from '../../proof/harness/cards.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

describe('the worker', () => {
  onBothDatabases(({ open }) => {
    let gateway: FakeGateway
    let server: TestServer
    before(async () => {
      gateway = fakeGateway()
      server = await openTestServer({ database: await open(), gateway, clock: virtualClock() })
    })
    beforeEach(() => {
      gateway.chargeOutcome = null
    })

    const soon = (): string => new Date(server.clock.now() + MINUTE_MS).toISOString()
    const storedStatus = async (id: string): Promise<unknown> =>
      (await server.deps.database.rows('SELECT status FROM checkouts WHERE id = $1', id))[0]?.['status']
    const stateOf = async (order: string): Promise<unknown> =>
      (await server.deps.database.rows('SELECT state FROM attempts WHERE order_code = $1', order))[0]?.['state']
    const outboxRowsOf = async (id: string): Promise<string[]> => {
      const sql = `SELECT event, kind FROM outbox WHERE checkout_id = $1
        UNION ALL SELECT type, 'event' FROM events WHERE checkout_id = $1
        UNION ALL SELECT kind, 'mail' FROM mails WHERE checkout_id = $1`
      return (await server.deps.database.rows(sql, id)).map((row) => `${row['event']} ${row['kind']}`).toSorted()
    }

    test('a checkout past its deadline is expired by the worker, with its event, though nobody reads it', async () => {
      const id = await server.createCheckout({ validUntil: soon() })
      const order = await server.startAttempt(id)
      await workOnce(server.deps)
      assert.equal(await storedStatus(id), 'open')
      server.clock.advance(MINUTE_MS + 1)
      await workOnce(server.deps)
      assert.deepEqual([await storedStatus(id), await stateOf(order)], ['expired', 'abandoned'])
      assert.equal((await server.readCheckout(id)).json<{ status: string }>().status, 'expired')
      assert.deepEqual(await outboxRowsOf(id), ['checkout.expired event'])
      const binding = { merchantId: 'tea-id', checkoutId: id, orderCode: order, amountYen: 1980 }
      assert.equal(await heldCard(server.deps.cardHold, binding), undefined)
      await workOnce(server.deps)
      assert.deepEqual(await outboxRowsOf(id), ['checkout.expired event'])
    })

    test('a payment in doubt at the deadline keeps its checkout open, and is settled without anybody reading it', async () => {
      const id = await server.createCheckout({ validUntil: soon() })
      const order = await server.startAttempt(id)
      gateway.chargeOutcome = { outcome: 'unknown', why: 'no answer in time' }
      assert.equal((await server.pay(id, order)).statusCode, 409)
      const real = gateway.inquire
      gateway.inquire = async () => ({ outcome: 'pending' })
      server.clock.advance(MINUTE_MS + 1)
      await workOnce(server.deps)
      assert.deepEqual([await storedStatus(id), await stateOf(order)], ['open', 'unknown'])
      gateway.inquire = async () => ({ outcome: 'charged', transactionId: 't', approvedAt: 0, amountYen: 1980 })
      server.clock.advance(60 * MINUTE_MS)
      await workOnce(server.deps)
      gateway.inquire = real
      assert.deepEqual([await storedStatus(id), await stateOf(order)], ['paid', 'charged'])
      assert.deepEqual(await outboxRowsOf(id), ['alert.payment_in_doubt event', 'checkout.paid event', 'receipt mail'])
    })

    test('a doubt that ends without a charge sends the shopper the mail that the page promised', async () => {
      const id = await server.createCheckout()
      const order = await server.startAttempt(id)
      gateway.chargeOutcome = { outcome: 'unknown', why: 'no answer in time' }
      await server.pay(id, order)
      server.clock.advance(1000)
      await workOnce(server.deps)
      assert.equal(await stateOf(order), 'void')
      assert.deepEqual(await outboxRowsOf(id), ['alert.payment_in_doubt event', 'nothing_charged mail'])
    })

    test('one checkout that cannot be processed keeps no other waiting', async () => {
      const orders: string[] = []
      for (let each = 0; each < 3; each += 1) {
        const id = await server.createCheckout()
        const order = await server.startAttempt(id)
        gateway.chargeOutcome = { outcome: 'unknown', why: 'no answer in time' }
        await server.pay(id, order)
        orders.push(order)
      }
      const [first = ''] = orders
      const real = gateway.inquire
      gateway.inquire = (asked) => (asked.orderCode === first ? Promise.reject(new Error('a bug')) : real(asked))
      server.clock.advance(1000)
      await workOnce(server.deps)
      gateway.inquire = real
      assert.deepEqual(await Promise.all(orders.map(stateOf)), ['unknown', 'void', 'void'])
    })

    test('many workers at once make one inquiry about one doubt', async () => {
      const id = await server.createCheckout()
      const order = await server.startAttempt(id)
      gateway.chargeOutcome = { outcome: 'unknown', why: 'no answer in time' }
      await server.pay(id, order)
      let inquiries = 0
      const real = gateway.inquire
      gateway.inquire = async ({ orderCode }) => {
        if (orderCode === order) inquiries += 1
        return { outcome: 'pending' }
      }
      server.clock.advance(1000)
      await Promise.all(Array.from({ length: 5 }, () => workOnce(server.deps)))
      gateway.inquire = real
      assert.equal(inquiries, 1)
    })

    test('many workers at once expire a checkout once, delete what is old, and none of them fails', async () => {
      const ids = await Promise.all(Array.from({ length: 6 }, () => server.createCheckout({ validUntil: soon() })))
      const { database } = server.deps
      const old = Array.from({ length: 300 }, (_none, at) => `('tea-id', 'test', 'old-${at}', 1)`)
      await database.rows(`INSERT INTO shop_hours (merchant_id, mode, hour, paid, unpaid)
        SELECT 'tea-id', 'test', column4 + ROW_NUMBER() OVER (), 0, 0 FROM (VALUES ${old.join(', ')}) AS rows`)
      server.clock.advance(MINUTE_MS + 1)
      const before = server.logLines.length
      await Promise.all(Array.from({ length: 5 }, () => workOnce(server.deps)))
      for (const id of ids)
        assert.deepEqual([await storedStatus(id), await outboxRowsOf(id)], ['expired', ['checkout.expired event']])
      assert.deepEqual(await database.rows('SELECT hour FROM shop_hours WHERE hour <= 301'), [])
      assert.doesNotMatch(server.logLines.slice(before).join('\n'), /failed|could not/)
    })

    test('disputes are asked for at once and then each hour, and a silent acquirer holds up nothing', async () => {
      const rounds: number[] = []
      const clock = {
        now: server.clock.now,
        sleep: async (ms: number) => {
          rounds.push(ms)
          await new Promise(setImmediate)
        },
      }
      const afterRounds = async (more: number): Promise<void> => {
        const until = rounds.length + more
        while (rounds.length < until) await new Promise(setImmediate)
      }
      let asked = 0
      let answer: () => void = () => undefined
      const real = gateway.disputes
      gateway.disputes = async () => {
        asked += 1
        await new Promise<void>((resolve) => {
          answer = resolve
        })
        return { outcome: 'page', disputes: [], after: null }
      }
      const worker = startWorker({ ...server.deps, clock })
      const askedUntil = async (times: number): Promise<void> => {
        for (let before = asked; before < times; before = asked) await afterRounds(1)
      }
      await askedUntil(1)
      // A round after the other while the acquirer says nothing; and no second question meanwhile.
      server.clock.advance(2 * HOUR_MS)
      await afterRounds(5)
      assert.equal(asked, 1)
      answer()
      await askedUntil(2)
      answer()
      await afterRounds(5)
      server.clock.advance(HOUR_MS - 1)
      await afterRounds(5)
      assert.equal(asked, 2)
      server.clock.advance(1)
      await askedUntil(3)
      answer()
      await worker.stop()
      gateway.disputes = real
    })

    test('beside a mail server that says nothing the worker lists no more mails from second to second', async () => {
      const id = await server.createCheckout()
      await server.pay(id, await server.startAttempt(id))
      const { database } = server.deps
      const [mail = {}] = await database.rows('SELECT * FROM mails WHERE checkout_id = $1', id)
      for (let nth = 0; nth < 300; nth += 1)
        await database.writeAll(insertRecords('mails', [{ ...mail, id: `m${nth}` }]))
      const listed: number[] = []
      const counting: typeof database = {
        ...database,
        rows: async (statement, ...values) => {
          const rows = await database.rows(statement, ...values)
          if (statement.includes('some_to_shoppers')) listed.push(rows.length)
          return rows
        },
      }
      const clock = { now: server.clock.now, sleep: () => new Promise<void>((resolve) => setImmediate(resolve)) }
      const silence = Promise.withResolvers<{ readonly outcome: 'sent'; readonly answer: string }>()
      const worker = startWorker(
        { ...server.deps, database: counting, clock },
        { isSandbox: true, send: () => silence.promise },
      )
      try {
        while (listed.length < 20) await new Promise(setImmediate)
        // Eight of them are under way.
        assert.ok(Math.max(...listed) <= 58, listed.join(' '))
      } finally {
        silence.resolve({ outcome: 'sent', answer: '250' })
        await worker.stop()
      }
    })

    test('a worker that is stopped ends its round and begins no other', async () => {
      const rounds: number[] = []
      const clock = {
        now: server.clock.now,
        sleep: async (ms: number) => {
          rounds.push(ms)
          await new Promise(setImmediate)
        },
      }
      const worker = startWorker({ ...server.deps, clock })
      while (rounds.length === 0) await new Promise(setImmediate)
      await worker.stop()
      const ended = rounds.length
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
      assert.equal(rounds.length, ended)
      assert.ok(rounds.every((ms) => ms === 1000))
    })
  })
})
