import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MerchantMode } from '#contract/access.ts'
import { onBothDatabases, type TestEngine } from '../harness/databases.ts'
import { openCountedServer, TAXED } from './counted-server.ts'

type Costs = Readonly<Record<string, readonly [statements: number, transactions: number]>>

/** The calls of a payment, in order. The merchant is read by the first of them that comes after a second. */
const PAYMENT = ['start', 'authenticate', 'pay'] as const
/**
 * SQLite is sent each insert by itself: the event and the mail are one more than the row of both was (decisions 28, 29). Two
 * are readings for the limits on card testing (decision 17): of all cards once a minute, of a shop's cards once a second. One
 * stores the acquirer's reference before money can move (decision 50). A refund reads the disputes of its checkout under each of
 * its two locks (decision 53); a payment does not.
 */
const STATEMENTS_MAX: Readonly<Record<TestEngine['name'], number>> = { PostgreSQL: 43, SQLite: 46 }
const TRANSACTIONS_MAX = 6

/** BEGIN and COMMIT included; the merchant has just been read, the cards of the hour (by start and authenticate) have not. PostgreSQL is sent writes that belong together as one. */
const EXPECTED: Readonly<Record<TestEngine['name'], Readonly<Record<MerchantMode, Costs>>>> = {
  PostgreSQL: {
    test: {
      create: [2, 0],
      createOnce: [2, 0],
      list: [2, 0],
      listFiltered: [3, 0],
      document: [1, 0],
      read: [1, 0],
      merchantRead: [2, 0],
      start: [10, 1],
      authenticate: [13, 2],
      pay: [12, 2],
      refund: [16, 2],
      replaceLogo: [8, 1],
      picture: [1, 0],
      readSettings: [2, 0],
      changeSettings: [6, 1],
      removeLogo: [7, 1],
    },
    live: { start: [10, 1], authenticate: [13, 2], pay: [12, 2] },
  },
  SQLite: {
    test: {
      create: [2, 0],
      createOnce: [5, 1],
      list: [2, 0],
      listFiltered: [3, 0],
      document: [1, 0],
      read: [1, 0],
      merchantRead: [2, 0],
      start: [10, 1],
      authenticate: [15, 2],
      pay: [18, 2],
      refund: [22, 2],
      replaceLogo: [8, 1],
      picture: [1, 0],
      readSettings: [2, 0],
      changeSettings: [6, 1],
      removeLogo: [7, 1],
    },
    live: { start: [11, 1], authenticate: [15, 2], pay: [19, 2] },
  },
}

describe('what an operation sends to the database', () => {
  onBothDatabases(({ name, open }) => {
    const openWarm = async () => {
      const counted = await openCountedServer(await open())
      await counted.server.readCheckout('a'.repeat(32))
      return counted
    }

    for (const mode of ['test', 'live'] as const)
      test(`in ${mode} mode each costs as many statements and transactions as it needs`, async () => {
        const { callsOf, costOf, openCheckout } = await openWarm()
        const { browser, collected, ...calls } = callsOf(await openCheckout(mode), mode)
        const measured: Record<string, [number, number]> = {}
        for (const call of Object.keys(EXPECTED[name][mode])) {
          const { statements, transactions } = await costOf(calls[call] ?? assert.fail(call))
          measured[call] = [statements, transactions]
          if (call !== 'start') continue
          await browser?.()
          await collected?.()
        }
        assert.deepEqual(measured, EXPECTED[name][mode])
      })

    for (const mode of ['test', 'live'] as const)
      test(`a frictionless ${mode} payment takes at most ${STATEMENTS_MAX[name]} statements in ${TRANSACTIONS_MAX} transactions, its merchant’s row included`, async () => {
        const { callsOf, costOf, openCheckout, server } = await openWarm()
        const { browser, collected, ...calls } = callsOf(await openCheckout(mode), mode)
        server.clock.advance(1000)
        let [statements, transactions] = [0, 0]
        for (const call of PAYMENT) {
          const cost = await costOf(calls[call] ?? assert.fail(call))
          statements += cost.statements
          transactions += cost.transactions
          if (call !== 'start') continue
          await browser?.()
          await collected?.()
        }
        assert.ok(
          statements <= STATEMENTS_MAX[name] && transactions <= TRANSACTIONS_MAX,
          `${statements} in ${transactions}`,
        )
      })

    test('the next payments of the same second read no cards again', async () => {
      const { callsOf, costOf, openCheckout } = await openWarm()
      const costs = async () => {
        const { browser, collected, ...calls } = callsOf(await openCheckout('live'), 'live')
        const started = await costOf(calls['start'] ?? assert.fail())
        await browser?.()
        await collected?.()
        return [started.statements, (await costOf(calls['authenticate'] ?? assert.fail())).statements]
      }
      const [start = 0, authenticate = 0] = await costs()
      assert.deepEqual(await costs(), [start - 1, authenticate - 1])
    })

    test('a payment with taxes costs one statement more: the merchant’s row, for the issuer of the invoice', async () => {
      const { callsOf, costOf, server } = await openWarm()
      const calls = callsOf(await server.createCheckout(TAXED), 'test')
      for (const call of ['start', 'browser', 'collected', 'authenticate']) await (calls[call] ?? assert.fail(call))()
      const [statements, transactions] = EXPECTED[name].test['pay'] ?? assert.fail()
      const cost = await costOf(calls['pay'] ?? assert.fail())
      assert.deepEqual(cost, { statements: statements + 1, transactions })
    })

    test('a payment by a reusable link costs five statements more at its first start and up to three more when it is paid', async () => {
      const { callsOf, costOf, openByLink } = await openWarm()
      for (const [body, more] of [
        [{ amount: 1980 }, 0],
        // With a limit the charges under way are counted.
        [{ amount: 1980, maxPayments: 5 }, 1],
      ] as const) {
        const { browser, collected, ...calls } = callsOf(await openByLink(body), 'test')
        const started = await costOf(calls['start'] ?? assert.fail())
        const [start] = EXPECTED[name].test['start'] ?? assert.fail()
        // The cards of the hour were read by the first of the two.
        assert.equal(started.statements, start + 5 - more)
        await browser?.()
        await collected?.()
        await costOf(calls['authenticate'] ?? assert.fail())
        const [pay, transactions] = EXPECTED[name].test['pay'] ?? assert.fail()
        // PostgreSQL is sent the count of the link with the other writes, SQLite by itself.
        const counted = name === 'SQLite' ? 1 : 0
        assert.deepEqual(await costOf(calls['pay'] ?? assert.fail()), {
          statements: pay + 1 + more + counted,
          transactions,
        })
      }
    })

    test('a page that shows a challenge costs one statement each second', async () => {
      const { callsOf, costOf, openCheckout, threeDS, server } = await openWarm()
      threeDS.answers.authenticate = 'challenge'
      const { start, authenticate, monitor } = callsOf(await openCheckout('test'), 'test')
      await costOf(start ?? assert.fail())
      await costOf(authenticate ?? assert.fail())
      assert.deepEqual(await costOf(monitor ?? assert.fail()), { statements: 1, transactions: 0 })
      server.clock.advance(1000)
      assert.deepEqual(await costOf(monitor ?? assert.fail()), { statements: 2, transactions: 0 }, 'and its merchant')
    })

    test('a paid checkout is read with its refunds; paid for a second time it is answered without a lock', async () => {
      const { callsOf, costOf, openCheckout } = await openWarm()
      const calls = callsOf(await openCheckout('test'), 'test')
      for (const call of PAYMENT) await costOf(calls[call] ?? assert.fail(call))
      assert.deepEqual(await costOf(calls['read'] ?? assert.fail()), { statements: 2, transactions: 0 })
      assert.deepEqual(await costOf(calls['pay'] ?? assert.fail()), { statements: 2, transactions: 0 })
      await assert.rejects(costOf(calls['authenticate'] ?? assert.fail()), /order_over/)
    })
  })
})
