import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { AttemptState } from '#payment/attempt.ts'
import type { Checkout } from '#payment/checkout.ts'
import type { Inquiry } from '#payment/ports.ts'
import { ATTEMPT_STATES, NOW, payment } from '#payment/testing/records.ts'
import type { Dependencies } from '../../server/dependencies.ts'
import { attemptsOfCheckout } from '../../server/store/checkout/attempts.ts'
import type { Database, Sql } from '../../server/store/engine/database.ts'
import { lockCheckout } from '../../server/store/checkout/transitions.ts'
import { refundsOfCheckout } from '../../server/store/checkout/refunds.ts'
import { onBothDatabases } from '../harness/databases.ts'
import { fakeGateway, type FakeGateway } from '../harness/fake-gateway.ts'
import { freshAttempt, freshCheckout } from '../harness/fresh-records.ts'
import { openTestServer } from '../harness/test-server.ts'
import { MERCHANT_SETTINGS } from '../harness/test-merchants.ts'
import { deleteAllRows } from '../harness/compare-databases.ts'
import { virtualClock, type TestClock } from '../harness/test-clocks.ts'
import { startWorker, workOnce } from '../../server/background/worker.ts'
import { insertCheckout, saveAttempt, saveCheckoutState, saveMerchant, saveRefund } from '../harness/save-records.ts'

const { charged, charging, unknown } = ATTEMPT_STATES
const HOUR_MS = 3_600_000
const PENDING: Inquiry = { outcome: 'pending' }

/** Concurrent workers: any number of them share the inquiries and expiries that are due. */
describe('many workers at the same time', () => {
  onBothDatabases(({ name, open }) => {
    let database: Database
    let clock: TestClock
    let deps: Dependencies
    let gateway: FakeGateway
    /** Orders that the acquirer was asked about, in order. */
    let inquiredOrders: string[] = []
    let answerInquiry: (orderCode: string) => Promise<Inquiry>
    before(async () => {
      database = await open()
    })
    beforeEach(async () => {
      await deleteAllRows(database)
      clock = virtualClock(NOW + 1000)
      inquiredOrders = []
      answerInquiry = async () => PENDING
      gateway = fakeGateway()
      gateway.inquire = ({ orderCode }) => {
        inquiredOrders.push(orderCode)
        return answerInquiry(orderCode)
      }
      deps = (await openTestServer({ database, gateway, clock })).deps
    })

    const storeCheckouts = async (
      count: number,
      more: Partial<Checkout> = {},
      state: AttemptState | null = unknown,
    ) => {
      const made = Array.from({ length: count }, () => {
        const checkout = freshCheckout({ merchantId: 'tea-id', validUntil: NOW + HOUR_MS, ...more })
        return { checkout, attempt: freshAttempt(checkout, state ?? unknown, { reference: 'ref' }) }
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
    const orderCodesOf = (made: readonly { attempt: { orderCode: string } }[]): string[] =>
      made.map(({ attempt }) => attempt.orderCode).toSorted()
    const stateOf = async ({ checkout }: { checkout: Checkout }): Promise<AttemptState | undefined> =>
      (await attemptsOfCheckout(database, { merchantId: checkout.merchantId, checkoutId: checkout.id }))[0]?.state
    const countCheckouts = async (status: string): Promise<number> =>
      (await database.rows('SELECT id FROM checkouts WHERE status = $1', status)).length
    /** Pauses end with the next turn of the event loop, while the clock stands still. */
    const partsWithoutPauses = (): Dependencies => ({
      ...deps,
      clock: { now: clock.now, sleep: () => new Promise((resolve) => void setImmediate(resolve)) },
    })
    const waitUntil = async (condition: () => Promise<boolean> | boolean): Promise<void> => {
      while (!(await condition())) await new Promise(setImmediate)
    }

    test('five workers inquire about each of thirty payments in doubt once per due time', async () => {
      const doubts = [...(await storeCheckouts(24)), ...(await storeCheckouts(6, {}, { ...charging, leaseUntil: NOW }))]
      const round = async (): Promise<void> => {
        inquiredOrders = []
        await Promise.all(Array.from({ length: 5 }, () => workOnce(deps)))
      }
      await round()
      assert.deepEqual(inquiredOrders.toSorted(), orderCodesOf(doubts))
      await round()
      assert.equal(inquiredOrders.length, 0)
      clock.advance(HOUR_MS / 60)
      await round()
      assert.deepEqual(inquiredOrders.toSorted(), orderCodesOf(doubts))
    })

    test('workers that keep running share the inquiries and resolve every doubt', async () => {
      const doubts = await storeCheckouts(20)
      answerInquiry = async () => ({ outcome: 'charged', transactionId: 't', approvedAt: NOW, amountYen: 1980 })
      const workers = Array.from({ length: 4 }, () => startWorker(partsWithoutPauses()))
      await waitUntil(async () => (await countCheckouts('paid')) === 20)
      await Promise.all(workers.map((worker) => worker.stop()))
      assert.deepEqual(inquiredOrders.toSorted(), orderCodesOf(doubts))
    })

    test('a merchant whose acquirer does not answer uses its share of the worker, and delays no other merchant', async () => {
      const { promise: noAnswer, resolve: answerAll } = Promise.withResolvers<Inquiry>()
      const tea = await storeCheckouts(20)
      const unanswered = new Set(orderCodesOf(tea))
      answerInquiry = (orderCode) => (unanswered.has(orderCode) ? noAnswer : Promise.resolve(PENDING))
      const worker = startWorker(partsWithoutPauses())
      const isInquired = (made: Awaited<ReturnType<typeof storeCheckouts>>) => () =>
        orderCodesOf(made).every((order) => inquiredOrders.includes(order))
      await waitUntil(() => inquiredOrders.length === 2)
      const books = { merchantId: 'books-id' }
      await waitUntil(isInquired(await storeCheckouts(3, books)))
      await waitUntil(isInquired(await storeCheckouts(3, books)))
      await storeCheckouts(1, { validUntil: NOW }, null)
      await waitUntil(async () => (await countCheckouts('expired')) === 1)
      assert.equal(inquiredOrders.filter((order) => unanswered.has(order)).length, 2)
      answerAll(PENDING)
      await waitUntil(isInquired(tea))
      await worker.stop()
    })

    test('acquirers that do not answer for three merchants delay no fourth', async () => {
      const { promise: noAnswer, resolve: answerAll } = Promise.withResolvers<Inquiry>()
      for (const label of ['rice', 'soap'])
        await saveMerchant(database, { id: label, label, settings: MERCHANT_SETTINGS }, 0)
      const made: Awaited<ReturnType<typeof storeCheckouts>> = []
      for (const merchantId of ['tea-id', 'books-id', 'rice']) made.push(...(await storeCheckouts(5, { merchantId })))
      const unanswered = new Set(orderCodesOf(made))
      answerInquiry = (orderCode) => (unanswered.has(orderCode) ? noAnswer : Promise.resolve(PENDING))
      const worker = startWorker(partsWithoutPauses())
      await waitUntil(() => inquiredOrders.length === 6)
      const soap = orderCodesOf(await storeCheckouts(4, { merchantId: 'soap' }))
      await waitUntil(() => soap.every((order) => inquiredOrders.includes(order)))
      assert.equal(inquiredOrders.filter((order) => unanswered.has(order)).length, 6)
      const stopping = worker.stop()
      answerAll(PENDING)
      await stopping
    })

    test('a worker that is stopped finishes the inquiries it has sent, and sends no more', async () => {
      const { promise: noAnswer, resolve: answerAll } = Promise.withResolvers<Inquiry>()
      await storeCheckouts(20)
      answerInquiry = () => noAnswer
      const worker = startWorker(partsWithoutPauses())
      await waitUntil(() => inquiredOrders.length === 2)
      const stopping = worker.stop()
      answerAll(PENDING)
      await stopping
      assert.equal(inquiredOrders.length, 2)
    })

    test('hundreds of checkouts that expire together are recorded without a pause between', async () => {
      await storeCheckouts(130, { validUntil: NOW }, null)
      const { promise: pausing, resolve: wake } = Promise.withResolvers<void>()
      let pauses = 0
      const sleep = (): Promise<void> => ((pauses += 1), pausing)
      const worker = startWorker({ ...deps, clock: { now: clock.now, sleep } })
      await waitUntil(async () => (await countCheckouts('expired')) === 130)
      // A pause left over would end in the middle of a later round and let all that failed be tried again.
      assert.equal(pauses, 1)
      const stopping = worker.stop()
      wake()
      await stopping
    })

    test('rows that cannot be read, however many and however long due, keep no other from being handled', async () => {
      await storeCheckouts(70, {}, { ...unknown, nextInquiryAt: NOW - HOUR_MS })
      await database.rows(`UPDATE attempts SET details = '{}'`)
      const sound = await storeCheckouts(1)
      await workOnce(deps)
      assert.deepEqual(inquiredOrders, orderCodesOf(sound))
    })

    test('a refund whose inquiry fails does not keep the next one from its inquiry', async () => {
      const [made] = await storeCheckouts(1, {}, charged)
      if (made === undefined) assert.fail('nothing stored')
      const { merchantId, id: checkoutId } = made.checkout
      await saveCheckoutState(database, { ...made.checkout, state: { status: 'paid', payment } })
      const { orderCode } = made.attempt
      const lost = { merchantId, checkoutId, orderCode, amountYen: 10, taxes: null, requestedAt: NOW - HOUR_MS }
      const state = { name: 'requested', leaseUntil: NOW } as const
      await saveRefund(database, { ...lost, refundId: 'first', state })
      await saveRefund(database, { ...lost, refundId: 'second', state })
      gateway.inquireRefund = async ({ refundId }) => {
        if (refundId === 'first') throw new Error('a bug')
        return { outcome: 'refunded', amountYen: 10, refundedAt: NOW }
      }
      await workOnce(deps)
      const states = (await refundsOfCheckout(database, { merchantId, checkoutId })).map((refund) => refund.state.name)
      assert.deepEqual(states, ['unknown', 'refunded'])
    })

    // SQLite has one transaction at a time: no row is ever locked by another, and no connection is lost.
    if (name === 'SQLite') return

    const terminateConnections = (): Promise<unknown> =>
      database.rows(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      )

    /** The parts of a worker that loses its connection just before each commit, while this holds. */
    const loseConnectionBeforeCommit = (condition: () => boolean): Dependencies => {
      const { transact } = deps.database
      const losing: typeof transact = (work) =>
        transact(async (sql) => {
          const result = await work(sql)
          if (condition()) await terminateConnections()
          return result
        })
      return { ...deps, database: { ...deps.database, transact: losing } }
    }

    /** The pool drops dead connections when it notices them: until then one more query may get one. */
    const waitUntilReconnected = async (): Promise<void> => {
      const all = Array.from({ length: 10 }, () => database.rows('SELECT 1 AS x'))
      const results = await Promise.allSettled(all)
      if (results.some(({ status }) => status === 'rejected')) await waitUntilReconnected()
    }

    test('a checkout that another transaction has locked is skipped, not waited for', async () => {
      const [held, ...others] = await storeCheckouts(4)
      const [late, lateToo] = await storeCheckouts(2, { validUntil: NOW }, null)
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
      await workOnce(deps)
      assert.deepEqual(inquiredOrders.toSorted(), orderCodesOf(others))
      assert.equal(await countCheckouts('expired'), 1)
      release()
      await holding
      await workOnce(deps)
      assert.equal(inquiredOrders.at(-1), held.attempt.orderCode)
      assert.equal(await countCheckouts('expired'), 2)
    })

    test('a worker that loses its connection while the acquirer answers leaves an inquiry that is repeated when due', async () => {
      const [doubt] = await storeCheckouts(1)
      if (doubt === undefined) assert.fail('nothing stored')
      const paid: Inquiry = { outcome: 'charged', transactionId: 't', approvedAt: NOW, amountYen: 1980 }
      answerInquiry = async () => paid
      // The inquiry is claimed: only its answer is lost.
      await workOnce(loseConnectionBeforeCommit(() => inquiredOrders.length === 1))
      await waitUntilReconnected()
      const left = await stateOf(doubt)
      assert.deepEqual([left?.name, left?.name === 'unknown' && left.inquiries], ['unknown', 1])
      assert.equal(await countCheckouts('paid'), 0)
      clock.advance(HOUR_MS)
      await workOnce(deps)
      assert.deepEqual(
        [(await stateOf(doubt))?.name, await countCheckouts('paid'), inquiredOrders.length],
        ['charged', 1, 2],
      )
    })

    test('a worker that loses its connection while it claims an inquiry has claimed none', async () => {
      const [doubt] = await storeCheckouts(1)
      if (doubt === undefined) assert.fail('nothing stored')
      await workOnce(loseConnectionBeforeCommit(() => true))
      await waitUntilReconnected()
      assert.deepEqual([inquiredOrders, await stateOf(doubt)], [[], unknown])
      await workOnce(deps)
      assert.deepEqual(inquiredOrders, orderCodesOf([doubt]))
    })
  })
})
