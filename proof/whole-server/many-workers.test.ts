import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { AttemptState } from '#payment/attempt.ts'
import type { Checkout } from '#payment/checkout.ts'
import type { Inquiry } from '#payment/ports.ts'
import { ATTEMPT_STATES, NOW, payment } from '#payment/testing/records.ts'
import type { Parts } from '../../server/parts.ts'
import { attemptsOfCheckout, saveAttempt } from '../../server/store/attempts.ts'
import { insertCheckout, saveCheckoutState } from '../../server/store/checkouts.ts'
import { type Database, type Sql } from '../../server/store/database.ts'
import { lockCheckout } from '../../server/store/transitions.ts'
import { saveMerchant } from '../../server/store/merchants.ts'
import { refundsOfCheckout, saveRefund } from '../../server/store/refunds.ts'
import { onBothDatabases } from '../harness/databases.ts'
import { countingGateway } from '../harness/counting-gateway.ts'
import { freshAttempt, freshCheckout } from '../harness/records.ts'
import { openShop, SETTINGS } from '../harness/shop.ts'
import { emptyAll } from '../harness/two-engines.ts'
import { virtualClock, type VirtualClock } from '../harness/virtual-clock.ts'
import { startWorker, workOnce } from '../../server/background/worker.ts'

const { charged, charging, unknown } = ATTEMPT_STATES
const HOUR_MS = 3_600_000
const standstill = { timeout: 30_000 }
const pending: Inquiry = { outcome: 'pending' }

describe('many workers beside each other', () => {
  onBothDatabases(({ name, open }) => {
    let database: Database
    let clock: VirtualClock
    let parts: Parts
    /** Orders the acquirer was asked about, in turn. */
    let asked: string[] = []
    let answer: (orderCode: string) => Promise<Inquiry>
    before(async () => {
      database = await open()
    })
    beforeEach(async () => {
      await emptyAll(database)
      clock = virtualClock(NOW + 1000)
      asked = []
      answer = async () => pending
      const gateway = countingGateway()
      gateway.inquire = (orderCode) => {
        asked.push(orderCode)
        return answer(orderCode)
      }
      parts = (await openShop({ database, gateway, clock })).parts
    })

    const stored = async (count: number, more: Partial<Checkout> = {}, state: AttemptState | null = unknown) => {
      const made = Array.from({ length: count }, () => {
        const checkout = freshCheckout({ merchantId: 'tea-id', validUntil: NOW + HOUR_MS, ...more })
        return { checkout, attempt: freshAttempt(checkout, state ?? unknown) }
      })
      const save = async (sql: Sql): Promise<void> => {
        for (const { checkout, attempt } of made) {
          await insertCheckout(sql, checkout)
          if (state !== null) await saveAttempt(sql, attempt)
        }
      }
      await database.transact(save)
      return made
    }
    const ordersOf = (made: readonly { attempt: { orderCode: string } }[]): string[] =>
      made.map(({ attempt }) => attempt.orderCode).toSorted()
    const stateOf = async ({ checkout }: { checkout: Checkout }): Promise<AttemptState | undefined> =>
      (await attemptsOfCheckout(database, { merchantId: checkout.merchantId, checkoutId: checkout.id }))[0]?.state
    const countOf = async (status: string): Promise<number> =>
      (await database.rows('SELECT id FROM checkouts WHERE status = $1', status)).length
    /** Pauses that end with the next turn of the event loop, while the time of the shop stands still. */
    const hurried = (): Parts => ({
      ...parts,
      clock: { now: clock.now, sleep: () => new Promise((resolve) => void setImmediate(resolve)) },
    })
    const untilSo = async (isSo: () => Promise<boolean> | boolean): Promise<void> => {
      while (!(await isSo())) await new Promise(setImmediate)
    }

    test('five workers ask about each of thirty doubts once a turn', standstill, async () => {
      const doubts = [...(await stored(24)), ...(await stored(6, {}, { ...charging, leaseUntil: NOW }))]
      const round = async (): Promise<void> => {
        asked = []
        await Promise.all(Array.from({ length: 5 }, () => workOnce(parts)))
      }
      await round()
      assert.deepEqual(asked.toSorted(), ordersOf(doubts))
      await round()
      assert.equal(asked.length, 0)
      clock.advance(HOUR_MS / 60)
      await round()
      assert.deepEqual(asked.toSorted(), ordersOf(doubts))
    })

    test('workers that run on and on share the turns and end every doubt', standstill, async () => {
      const doubts = await stored(20)
      answer = async () => ({ outcome: 'charged', transactionId: 't', approvedAt: NOW, amountYen: 1980 })
      const workers = Array.from({ length: 4 }, () => startWorker(hurried()))
      await untilSo(async () => (await countOf('paid')) === 20)
      await Promise.all(workers.map((worker) => worker.stop()))
      assert.deepEqual(asked.toSorted(), ordersOf(doubts))
    })

    test('a merchant whose acquirer is silent takes its share of places, and no other’s turn', standstill, async () => {
      const { promise: silence, resolve: speak } = Promise.withResolvers<Inquiry>()
      const tea = await stored(20)
      const silent = new Set(ordersOf(tea))
      answer = (orderCode) => (silent.has(orderCode) ? silence : Promise.resolve(pending))
      const worker = startWorker(hurried())
      const isAsked = (made: Awaited<ReturnType<typeof stored>>) => () =>
        ordersOf(made).every((order) => asked.includes(order))
      await untilSo(() => asked.length === 2)
      const books = { merchantId: 'books-id' }
      await untilSo(isAsked(await stored(3, books)))
      await untilSo(isAsked(await stored(3, books)))
      await stored(1, { validUntil: NOW }, null)
      await untilSo(async () => (await countOf('expired')) === 1)
      assert.equal(asked.filter((order) => silent.has(order)).length, 2)
      speak(pending)
      await untilSo(isAsked(tea))
      await worker.stop()
    })

    test('acquirers that are silent to three merchants keep no fourth waiting', standstill, async () => {
      const { promise: silence, resolve: speak } = Promise.withResolvers<Inquiry>()
      for (const label of ['rice', 'soap']) await saveMerchant(database, { id: label, label, settings: SETTINGS }, 0)
      const made: Awaited<ReturnType<typeof stored>> = []
      for (const merchantId of ['tea-id', 'books-id', 'rice']) made.push(...(await stored(5, { merchantId })))
      const silent = new Set(ordersOf(made))
      answer = (orderCode) => (silent.has(orderCode) ? silence : Promise.resolve(pending))
      const worker = startWorker(hurried())
      await untilSo(() => asked.length === 6)
      const soap = ordersOf(await stored(4, { merchantId: 'soap' }))
      await untilSo(() => soap.every((order) => asked.includes(order)))
      assert.equal(asked.filter((order) => silent.has(order)).length, 6)
      const stopping = worker.stop()
      speak(pending)
      await stopping
    })

    test(
      'a worker that is stopped waits for what it has begun, and begins nothing that waits',
      standstill,
      async () => {
        const { promise: silence, resolve: speak } = Promise.withResolvers<Inquiry>()
        await stored(20)
        answer = () => silence
        const worker = startWorker(hurried())
        await untilSo(() => asked.length === 2)
        const stopping = worker.stop()
        speak(pending)
        await stopping
        assert.equal(asked.length, 2)
      },
    )

    test('hundreds of deadlines that pass together are written down without a pause between', standstill, async () => {
      await stored(130, { validUntil: NOW }, null)
      const { promise: pausing, resolve: wake } = Promise.withResolvers<void>()
      let pauses = 0
      const sleep = (): Promise<void> => ((pauses += 1), pausing)
      const worker = startWorker({ ...parts, clock: { now: clock.now, sleep } })
      await untilSo(async () => (await countOf('expired')) === 130)
      // Each pause that is left behind would end in the middle of a later round and let all that failed be tried again.
      assert.equal(pauses, 1)
      const stopping = worker.stop()
      wake()
      await stopping
    })

    test('rows that cannot be read, however many and however long due, hide no other', standstill, async () => {
      await stored(70, {}, { ...unknown, nextInquiryAt: NOW - HOUR_MS })
      await database.rows(`UPDATE attempts SET details = '{}'`)
      const sound = await stored(1)
      await workOnce(parts)
      assert.deepEqual(asked, ordersOf(sound))
    })

    test('a refund that cannot be asked about keeps the one behind it from nothing', standstill, async () => {
      const [made] = await stored(1, {}, charged)
      if (made === undefined) assert.fail('nothing stored')
      const { merchantId, id: checkoutId } = made.checkout
      await saveCheckoutState(database, { ...made.checkout, state: { status: 'paid', payment } })
      const { orderCode } = made.attempt
      const lost = { merchantId, checkoutId, orderCode, amountYen: 10, requestedAt: NOW - HOUR_MS }
      const state = { name: 'requested', leaseUntil: NOW } as const
      await saveRefund(database, { ...lost, refundId: 'first', state })
      await saveRefund(database, { ...lost, refundId: 'second', state })
      parts.gateway.inquireRefund = async ({ refundId }) => {
        if (refundId === 'first') throw new Error('a bug')
        return { outcome: 'refunded', amountYen: 10, refundedAt: NOW }
      }
      await workOnce(parts)
      const states = (await refundsOfCheckout(database, { merchantId, checkoutId })).map((refund) => refund.state.name)
      assert.deepEqual(states, ['unknown', 'refunded'])
    })

    // SQLite has one transaction at a time: no row is ever held by another, and no connection is lost.
    if (name === 'SQLite') return

    const cutConnections = (): Promise<unknown> =>
      database.rows(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      )

    /** A worker whose every transaction loses its connection just before it commits, while this is so. */
    const cutBeforeCommit = (isSo: () => boolean): Parts => {
      const { transact } = parts.database
      const cut: typeof transact = (work) =>
        transact(async (sql) => {
          const result = await work(sql)
          if (isSo()) await cutConnections()
          return result
        })
      return { ...parts, database: { ...parts.database, transact: cut } }
    }

    /** The pool drops dead connections when it hears of them: until then one more call may meet one. */
    const reconnected = async (): Promise<void> => {
      const all = Array.from({ length: 10 }, () => database.rows('SELECT 1 AS x'))
      const results = await Promise.allSettled(all)
      if (results.some(({ status }) => status === 'rejected')) await reconnected()
    }

    test('a checkout that another transaction holds is passed over, not waited for', standstill, async () => {
      const [held, ...others] = await stored(4)
      const [late, lateToo] = await stored(2, { validUntil: NOW }, null)
      if (held === undefined || late === undefined || lateToo === undefined) assert.fail('nothing stored')
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
      const holding = database.transact(async (sql) => {
        await lockCheckout(sql, { merchantId: 'tea-id', checkoutId: held.checkout.id })
        await lockCheckout(sql, { merchantId: 'tea-id', checkoutId: late.checkout.id })
        hold()
        await released
      })
      await isHeld
      await workOnce(parts)
      assert.deepEqual(asked.toSorted(), ordersOf(others))
      assert.equal(await countOf('expired'), 1)
      release()
      await holding
      await workOnce(parts)
      assert.equal(asked.at(-1), held.attempt.orderCode)
      assert.equal(await countOf('expired'), 2)
    })

    test('a worker cut off while the acquirer answers leaves a turn that comes round again', standstill, async () => {
      const [doubt] = await stored(1)
      if (doubt === undefined) assert.fail('nothing stored')
      const paid: Inquiry = { outcome: 'charged', transactionId: 't', approvedAt: NOW, amountYen: 1980 }
      answer = async () => paid
      // The turn has been taken: it is the answer that is lost.
      await workOnce(cutBeforeCommit(() => asked.length === 1))
      await reconnected()
      const left = await stateOf(doubt)
      assert.deepEqual([left?.name, left?.name === 'unknown' && left.inquiries], ['unknown', 1])
      assert.equal(await countOf('paid'), 0)
      clock.advance(HOUR_MS)
      await workOnce(parts)
      assert.deepEqual([(await stateOf(doubt))?.name, await countOf('paid'), asked.length], ['charged', 1, 2])
    })

    test('a worker cut off while it takes its turn has taken none', standstill, async () => {
      const [doubt] = await stored(1)
      if (doubt === undefined) assert.fail('nothing stored')
      await workOnce(cutBeforeCommit(() => true))
      await reconnected()
      assert.deepEqual([asked, await stateOf(doubt)], [[], unknown])
      await workOnce(parts)
      assert.deepEqual(asked, ordersOf([doubt]))
    })
  })
})
