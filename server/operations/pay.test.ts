import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createSandboxGateway } from '../gateways/sandbox/gateway.ts'
import { startSandbox, type SandboxProcess } from '../../proof/harness/sandbox-process.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { heldCard } from '../../proof/harness/cards.ts'

const DECLINED = '4100000000750001'
const LATE = '4100000000753005'
const NEVER_ANSWERED = '4100000000754003'
const DROPPED = '4100000000755000'
const GATEWAY_TIMEOUT_MS = 1000

interface Read {
  readonly status: string
  readonly paymentPending: boolean
  readonly transactionId?: string
  readonly card?: { readonly brand: string; readonly number: string }
}

describe('paying', { concurrency: true }, () => {
  let acquirer: SandboxProcess
  before(async () => {
    acquirer = await startSandbox()
  })
  after(() => acquirer.stop())

  const bookedFor = async (orderCode: string): Promise<string[]> =>
    (await acquirer.listOrders()).filter(({ orderId }) => orderId === orderCode).map(({ status }) => status)

  onBothDatabases(({ open }) => {
    let server: TestServer
    before(async () => {
      const gateway = createSandboxGateway(acquirer.origin, GATEWAY_TIMEOUT_MS)
      server = await openTestServer({ database: await open(), gateway, gatewayTimeoutMs: GATEWAY_TIMEOUT_MS })
    })

    const readUntil = async (checkoutId: string, done: (read: Read) => boolean): Promise<Read[]> => {
      const readings: Read[] = []
      for (let tries = 0; tries < 100; tries += 1) {
        const read = (await server.readCheckout(checkoutId)).json<Read>()
        readings.push(read)
        if (done(read)) return readings
        await server.clock.sleep(100)
      }
      return readings
    }

    test('a card is charged once and the checkout reads paid with its receipt facts', async () => {
      const checkout = await server.createCheckout()
      const order = await server.startAttempt(checkout)
      const answer = await server.pay(checkout, order)
      assert.equal(answer.statusCode, 200)
      const paid = answer.json<Read>()
      assert.equal(paid.status, 'paid')
      assert.deepEqual(paid.card, { brand: 'visa', number: '•••• 4242' })
      assert.match(paid.transactionId ?? '', /^txn_/)
      assert.deepEqual(await bookedFor(order), ['charged'])
      assert.deepEqual((await server.readCheckout(checkout)).json(), paid)
    })

    test('a claim that violates another constraint of the store fails at once with 500, and waits for no outcome', async () => {
      const checkout = await server.createCheckout()
      const order = await server.startAttempt(checkout)
      await server.deps.database.rows(
        `INSERT INTO changes (merchant_id, checkout_id, version, place, subject, actor, moved_from, moved_to, why, at)
         SELECT merchant_id, id, version + 1, 0, 'x', 'x', 'x', 'x', 'x', 0 FROM checkouts WHERE id = $1`,
        checkout,
      )
      assert.equal((await server.pay(checkout, order)).statusCode, 500)
      assert.deepEqual(await bookedFor(order), [])
    })

    test('the payment is booked in the ledger as two lines that add up to zero, with its event and its mail', async () => {
      const checkout = await server.createCheckout({ amount: 777 })
      await server.pay(checkout, await server.startAttempt(checkout))
      const lines = await server.deps.database.rows(
        'SELECT account, amount_yen FROM ledger_lines WHERE merchant_id = $1 AND checkout_id = $2 ORDER BY account',
        'tea-id',
        checkout,
      )
      assert.deepEqual(
        lines.map((line) => ({ ...line })),
        [
          { account: 'acquirer', amount_yen: 777 },
          { account: 'merchant', amount_yen: -777 },
        ],
      )
      const outboxRows = await server.deps.database.rows(
        `SELECT kind, event FROM outbox WHERE merchant_id = $1 AND checkout_id = $2
         UNION ALL SELECT 'event', type FROM events WHERE merchant_id = $1 AND checkout_id = $2
         UNION ALL SELECT 'mail', kind FROM mails WHERE merchant_id = $1 AND checkout_id = $2 ORDER BY kind DESC`,
        'tea-id',
        checkout,
      )
      assert.deepEqual(
        outboxRows.map((row) => ({ ...row })),
        [
          { kind: 'mail', event: 'receipt' },
          { kind: 'event', event: 'checkout.paid' },
        ],
      )
    })

    test('the same order code paid twice is one charge, and both answers show paid', async () => {
      const checkout = await server.createCheckout()
      const order = await server.startAttempt(checkout)
      const first = await server.pay(checkout, order)
      const second = await server.pay(checkout, order)
      assert.deepEqual([first.statusCode, second.statusCode], [200, 200])
      assert.deepEqual(second.json(), first.json())
      assert.deepEqual(await bookedFor(order), ['charged'])
    })

    test('ten pay calls at once are one charge, and all ten answers show paid', async () => {
      const checkout = await server.createCheckout()
      const order = await server.startAttempt(checkout)
      const answers = await Promise.all(Array.from({ length: 10 }, () => server.pay(checkout, order)))
      assert.deepEqual(new Set(answers.map((answer) => answer.json<Read>().status)), new Set(['paid']))
      assert.deepEqual(await bookedFor(order), ['charged'])
    })

    test('a declined card is answered 402, stays declined when repeated, and a second card pays', async () => {
      const checkout = await server.createCheckout()
      const order = await server.startAttempt(checkout, DECLINED)
      const declined = await server.pay(checkout, order)
      assert.equal(declined.statusCode, 402)
      assert.equal(declined.json<{ code: string }>().code, 'card_declined')
      assert.equal((await server.pay(checkout, order)).statusCode, 402)
      const second = await server.startAttempt(checkout)
      assert.equal((await server.pay(checkout, second)).json<Read>().status, 'paid')
      assert.deepEqual([await bookedFor(order), await bookedFor(second)], [['declined'], ['charged']])
    })

    test('the fifth declined card closes the link as failed', async () => {
      const checkout = await server.createCheckout()
      for (let declines = 0; declines < 5; declines += 1) {
        assert.equal((await server.readCheckout(checkout)).json<Read>().status, 'open')
        assert.equal((await server.pay(checkout, await server.startAttempt(checkout, DECLINED))).statusCode, 402)
      }
      assert.equal((await server.readCheckout(checkout)).json<Read>().status, 'failed')
    })

    // At once: each of them waits for the acquirer's timeout, and none moves the clock.
    describe('a payment in doubt', { concurrency: true }, () => {
      test('a charge whose answer never comes is pending, then found at the acquirer and paid, without a second charge', async () => {
        const checkout = await server.createCheckout()
        const order = await server.startAttempt(checkout, NEVER_ANSWERED)
        const answer = await server.pay(checkout, order)
        assert.equal(answer.statusCode, 409)
        assert.equal(answer.json<{ code: string }>().code, 'payment_in_progress')
        const readings = await readUntil(checkout, ({ status }) => status !== 'open')
        assert.equal(readings.at(0)?.paymentPending, true)
        assert.equal(readings.at(-1)?.status, 'paid')
        assert.deepEqual(await bookedFor(order), ['charged'])
      })

      test('a charge that is answered late is pending until the acquirer has booked it, then paid once', async () => {
        const checkout = await server.createCheckout()
        const order = await server.startAttempt(checkout, LATE)
        assert.equal((await server.pay(checkout, order)).statusCode, 409)
        const readings = await readUntil(checkout, ({ status }) => status !== 'open')
        assert.equal(readings.at(-1)?.status, 'paid')
        assert.deepEqual(await bookedFor(order), ['charged'])
      })

      test('a charge lost on the way is fenced: nothing was charged, nothing can be, and another card pays', async () => {
        const checkout = await server.createCheckout()
        const order = await server.startAttempt(checkout, DROPPED)
        assert.equal((await server.pay(checkout, order)).statusCode, 409)
        const readings = await readUntil(checkout, ({ paymentPending }) => !paymentPending)
        assert.equal(readings.at(0)?.paymentPending, true)
        assert.equal(readings.at(-1)?.status, 'open')
        assert.deepEqual(await bookedFor(order), ['void'])
        const again = await server.pay(checkout, order)
        assert.deepEqual([again.statusCode, again.json<{ code: string }>().code], [409, 'nothing_charged'])
        const second = await server.startAttempt(checkout)
        assert.equal((await server.pay(checkout, second)).json<Read>().status, 'paid')
      })

      test('while a payment is in doubt neither start nor cancel goes through, and both say so', async () => {
        const checkout = await server.createCheckout({ links: { cancelUrl: 'https://shop.example.com/cart' } })
        await server.pay(checkout, await server.startAttempt(checkout, LATE))
        const start = await server.submitCard(checkout)
        assert.deepEqual([start.statusCode, start.json<{ code: string }>().code], [409, 'payment_in_progress'])
        const cancel = await server.sendRequest({ method: 'DELETE', url: `/api/v1/checkouts/${checkout}` })
        assert.deepEqual([cancel.statusCode, cancel.json<{ code: string }>().code], [409, 'payment_in_progress'])
        await readUntil(checkout, ({ status }) => status !== 'open')
      })
    })

    test('a cancel that meets a charge under way waits for it, loses, and carries no cancel link', async () => {
      const checkout = await server.createCheckout({ links: { cancelUrl: 'https://shop.example.com/cart' } })
      const order = await server.startAttempt(checkout)
      const [paid, cancelled] = await Promise.all([
        server.pay(checkout, order),
        server.sendRequest({ method: 'DELETE', url: `/api/v1/checkouts/${checkout}` }),
      ])
      const final = (await server.readCheckout(checkout)).json<Read>()
      const charges = (await bookedFor(order)).filter((status) => status === 'charged').length
      assert.equal(charges, final.status === 'paid' ? 1 : 0)
      assert.equal(cancelled.json<Read>().status, final.status)
      assert.equal('cancelUrl' in cancelled.json<{ links: object }>().links, final.status === 'cancelled')
      assert.ok(paid.statusCode === 200 || paid.statusCode === 409)
    })

    test('a cancelled checkout cannot be paid, and a repeated cancel answers the same', async () => {
      const checkout = await server.createCheckout({ links: { cancelUrl: 'https://shop.example.com/cart' } })
      const order = await server.startAttempt(checkout)
      const cancelled = await server.sendRequest({ method: 'DELETE', url: `/api/v1/checkouts/${checkout}` })
      assert.equal(cancelled.json<Read>().status, 'cancelled')
      assert.deepEqual(cancelled.json<{ links: object }>().links, { cancelUrl: 'https://shop.example.com/cart' })
      assert.deepEqual(
        (await server.sendRequest({ method: 'DELETE', url: `/api/v1/checkouts/${checkout}` })).json(),
        cancelled.json(),
      )
      const late = await server.pay(checkout, order)
      assert.deepEqual([late.statusCode, late.json<Read>().status], [200, 'cancelled'])
      assert.deepEqual(await bookedFor(order), [])
    })

    test('a payment claimed in time finishes after the deadline; one that comes too late is not charged', async () => {
      const checkout = await server.createCheckout({ validUntil: new Date(server.clock.now() + 60_000).toISOString() })
      const order = await server.startAttempt(checkout)
      server.clock.advance(61_000)
      assert.equal((await server.readCheckout(checkout)).json<Read>().status, 'expired')
      const late = await server.pay(checkout, order)
      assert.deepEqual([late.statusCode, late.json<Read>().status], [200, 'expired'])
      assert.deepEqual(await bookedFor(order), [])
      const start = await server.submitCard(checkout)
      assert.deepEqual([start.statusCode, start.json<{ code: string }>().code], [404, 'checkout_closed'])

      const inTime = await server.createCheckout({ validUntil: new Date(server.clock.now() + 60_000).toISOString() })
      const claimed = await server.startAttempt(inTime, LATE)
      await server.pay(inTime, claimed)
      server.clock.advance(61_000)
      assert.equal((await server.readCheckout(inTime)).json<Read>().paymentPending, true)
      const readings = await readUntil(inTime, ({ status }) => status !== 'open')
      assert.equal(readings.at(-1)?.status, 'paid')
    })

    test('a new start supersedes the order code before it, whose card is forgotten', async () => {
      const checkout = await server.createCheckout()
      const first = await server.startAttempt(checkout)
      const second = await server.startAttempt(checkout)
      const answer = await server.pay(checkout, first)
      assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [409, 'order_over'])
      assert.equal((await server.pay(checkout, second)).json<Read>().status, 'paid')
    })

    test('a card is held for fifteen minutes and no longer', async () => {
      const checkout = await server.createCheckout()
      const order = await server.startAttempt(checkout)
      server.clock.advance(15 * 60_000)
      const answer = await server.pay(checkout, order)
      assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [409, 'card_not_held'])
      // What was answered stays true: a shared hold that finds the card again charges nothing.
      assert.equal((await server.pay(checkout, order)).json<{ code: string }>().code, 'order_over')
    })

    test('after a payment no card is held any more', async () => {
      const checkout = await server.createCheckout()
      await server.pay(checkout, await server.startAttempt(checkout))
      assert.equal(server.deps.cardHold.size, 0)
    })

    test('when the process that charges dies, its charge is inquired after the lease, and not sent again', async () => {
      const checkout = await server.createCheckout()
      const order = await server.startAttempt(checkout)
      const gateway = await server.deps.gateways.of({ merchantId: 'tea-id', mode: 'test' })
      const died = new Promise<never>(() => undefined)
      const dying = await openTestServer({
        database: server.deps.database,
        gateway: { ...gateway, charge: async (...sent) => gateway.charge(...sent).then(() => died) },
        gatewayTimeoutMs: GATEWAY_TIMEOUT_MS,
        clock: server.clock,
      })
      const binding = { merchantId: 'tea-id', checkoutId: checkout, orderCode: order, amountYen: 1980 }
      await dying.deps.cardHold.put(binding, (await heldCard(server.deps.cardHold, binding)) ?? assert.fail())
      void Promise.resolve(dying.pay(checkout, order))
      await readUntil(checkout, ({ paymentPending }) => paymentPending)
      await untilBooked(order)
      assert.equal((await server.readCheckout(checkout)).json<Read>().paymentPending, true)
      server.clock.advance(GATEWAY_TIMEOUT_MS + 15_001)
      const readings = await readUntil(checkout, ({ status }) => status !== 'open')
      assert.equal(readings.at(-1)?.status, 'paid')
      assert.deepEqual(await bookedFor(order), ['charged'])
    })

    const untilBooked = async (order: string): Promise<void> => {
      while ((await bookedFor(order)).length === 0) await server.clock.sleep(20)
    }
  })
})
