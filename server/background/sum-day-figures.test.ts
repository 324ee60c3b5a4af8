import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DAY_MS, jstDate, MINUTE_MS, startOfJstDay } from '#contract/jst.ts'
import type { FiguresAnswer } from '#contract/merchant/figures.ts'
import type { SummaryAnswer } from '#contract/merchant/reports.ts'
import type { DayFigures } from '#payment/day-figures.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { fakeGateway, type FakeGateway } from '../../proof/harness/fake-gateway.ts'
import { virtualClock, type TestClock } from '../../proof/harness/test-clocks.ts'
import { API_KEYS, TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { checkDays } from '../operations/day-figures.ts'
import { inquireIfDue } from '../operations/resolve-doubt.ts'
import { readCheckoutSnapshot } from '../store/checkout/checkout-reads.ts'
import type { KeyScope } from '../store/merchant/keys.ts'
import { lockCheckout } from '../store/checkout/transitions.ts'
import {
  beginDay,
  claimSumming,
  endSumming,
  isLate,
  markLate,
  readProgress,
  storeDay,
} from '../store/reports/day-figure-progress.ts'
import { readFigureRows } from '../store/reports/day-figure-rows.ts'
import { sumDay } from '../store/reports/day-figures.ts'
import { findShopsToSum } from '../store/reports/shops-to-sum.ts'
import { sumDayFigures, sumShop } from './sum-day-figures.ts'

const SCOPE = { merchantId: TEA_MERCHANT.id, mode: 'test' } as const
const EVENING = Date.parse('2026-11-15T23:50:00+09:00')
const DAY = startOfJstDay(EVENING)

describe('days that are over', () => {
  onBothDatabases(({ open }) => {
    let gateway: FakeGateway
    let server: TestServer
    let clock: TestClock
    before(async () => {
      clock = virtualClock(EVENING)
      gateway = fakeGateway(clock.now)
      server = await openTestServer({ database: await open(), gateway, clock })
    })

    const stored = async (day = DAY): Promise<DayFigures | undefined> =>
      (await readFigureRows(server.deps.database, SCOPE, { from: day, to: day })).get(day) ?? undefined
    const payNew = async (amount: number): Promise<string> => {
      const id = await server.createCheckout({ amount })
      assert.equal((await server.pay(id, await server.startAttempt(id))).statusCode, 200)
      return id
    }
    const figures = async (from: string, to: string): Promise<FiguresAnswer> => {
      const headers = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
      const answer = await server.app.inject({ url: `/merchant/v1/figures?from=${from}&to=${to}`, headers })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json<FiguresAnswer>()
    }
    let doubtful = ''
    let declined = ''

    test('are not summed before half past midnight, and until then are counted while the shop waits', async () => {
      await payNew(1000)
      await payNew(500)
      doubtful = await server.createCheckout({ amount: 7 })
      gateway.chargeOutcome = { outcome: 'unknown', why: 'no answer in time' }
      assert.equal((await server.pay(doubtful, await server.startAttempt(doubtful))).statusCode, 409)
      declined = await server.createCheckout({ amount: 300 })
      gateway.chargeOutcome = { outcome: 'declined', reason: 'insufficient_funds' }
      await server.pay(declined, await server.startAttempt(declined))
      gateway.chargeOutcome = null
      await server.startAttempt(await server.createCheckout())
      clock.advance(39 * MINUTE_MS)
      await sumDayFigures(server.deps)
      assert.equal(await stored(), undefined)
      const { days, total } = await figures('2026-11-14', '2026-11-16')
      const quiet = { begun: 0, paid: 0, declined: 0, authenticationFailed: 0, givenUp: 0, inDoubt: 0 }
      assert.deepEqual(
        days.map(({ date, chargedAmount, checkouts, cardBrands }) => ({ date, chargedAmount, checkouts, cardBrands })),
        [
          { date: '2026-11-14', chargedAmount: 0, checkouts: quiet, cardBrands: [] },
          {
            date: '2026-11-15',
            chargedAmount: 1500,
            checkouts: { begun: 5, paid: 2, declined: 1, authenticationFailed: 0, givenUp: 1, inDoubt: 1 },
            cardBrands: [{ cardBrand: 'visa', charges: 2, chargedAmount: 1500 }],
          },
          { date: '2026-11-16', chargedAmount: 0, checkouts: quiet, cardBrands: [] },
        ],
      )
      assert.deepEqual([total.charges, total.netAmount, total.checkouts.begun], [2, 1500, 5])
    })

    test('are summed once then, and a shop reads the row: what nobody has marked is not counted again', async () => {
      const live = await figures('2026-11-15', '2026-11-15')
      clock.advance(MINUTE_MS)
      await sumDayFigures(server.deps)
      assert.equal((await stored())?.counts.begun, 5)
      assert.equal((await readProgress(server.deps.database, SCOPE)).summedUntil, DAY + DAY_MS)
      assert.deepEqual(await figures('2026-11-15', '2026-11-15'), live)
      const { database } = server.deps
      await database.rows('UPDATE day_figures SET charged_yen = 1 WHERE merchant_id = $1', SCOPE.merchantId)
      await sumDayFigures(server.deps)
      assert.equal((await figures('2026-11-15', '2026-11-15')).total.chargedAmount, 1)
      await database.rows('UPDATE day_figures SET charged_yen = 1500 WHERE merchant_id = $1', SCOPE.merchantId)
    })

    test('are summed again when a doubt is resolved on the next day, with the day of the charge', async () => {
      // Charged yesterday, as the acquirer says now.
      gateway.inquire = async () => ({ outcome: 'charged', transactionId: 't', approvedAt: EVENING, amountYen: 7 })
      const ref = { merchantId: SCOPE.merchantId, checkoutId: doubtful }
      await inquireIfDue(server.deps, await readCheckoutSnapshot(server.deps.database, ref), lockCheckout)
      assert.equal(await isLate(server.deps.database, SCOPE, DAY), true)
      await sumDayFigures(server.deps)
      const { counts } = (await stored()) ?? assert.fail()
      assert.deepEqual([counts.chargedYen, counts.paid, counts.inDoubt], [1507, 3, 0])
      assert.equal(await isLate(server.deps.database, SCOPE, DAY), false)
    })

    test('are summed again when a checkout of them is paid on the next day, whose money is of that day', async () => {
      assert.equal((await server.pay(declined, await server.startAttempt(declined))).statusCode, 200)
      await sumDayFigures(server.deps)
      const { counts } = (await stored()) ?? assert.fail()
      assert.deepEqual([counts.begun, counts.chargedYen, counts.paid, counts.declined], [5, 1507, 4, 0])
      assert.equal((await figures('2026-11-16', '2026-11-16')).total.chargedAmount, 300)
    })

    test('a charge that an acquirer dates before 1970 is summed on its day, and keeps no worker busy for ever', async () => {
      const longAgo = startOfJstDay(0)
      await markLate(server.deps.database, SCOPE, longAgo)
      await sumDayFigures(server.deps)
      assert.equal(await isLate(server.deps.database, SCOPE, longAgo), false)
    })

    test('payments of today leave no mark', async () => {
      await payNew(100)
      assert.deepEqual(await server.deps.database.rows('SELECT day FROM day_figures_late'), [])
    })

    test('a mark that comes while a day is summed makes it summed once more', async () => {
      const { database } = server.deps
      const summing = (await claimSumming(database, SCOPE, 'first', clock.now())) ?? assert.fail()
      const begun = (await beginDay(database, summing, DAY, clock.now())) ?? assert.fail()
      const { figures: early } = await sumDay(database, SCOPE, DAY, nextTurn)
      await database.rows(
        `INSERT INTO day_figures_late (merchant_id, mode, day, checkout_id, version) VALUES ($1, 'test', $2, 'c', 1)`,
        SCOPE.merchantId,
        DAY,
      )
      const done = (await storeDay(database, begun, DAY, early, clock.now())) ?? assert.fail()
      assert.equal(await isLate(database, SCOPE, DAY), true)
      await endSumming(database, done, 0)
      await sumDayFigures(server.deps)
      assert.equal(await isLate(database, SCOPE, DAY), false)
    })

    test('of two workers one sums a shop; one that has lost its lease stores nothing', async () => {
      const { database } = server.deps
      const slow = (await claimSumming(database, SCOPE, 'slow', clock.now())) ?? assert.fail()
      const begun = (await beginDay(database, slow, DAY, clock.now())) ?? assert.fail()
      assert.equal(await sumShop(server.deps, SCOPE), false)
      clock.advance(11 * MINUTE_MS)
      const { counts } = (await sumDay(database, SCOPE, DAY, nextTurn)).figures
      const wrong = { counts: { ...counts, charges: 99 }, brands: {} }
      // The next worker begins with the day that the slow one has left half done.
      await database.rows('DELETE FROM day_figures')
      assert.equal(await sumShop(server.deps, SCOPE), true)
      assert.equal(await storeDay(database, begun, DAY, wrong, clock.now()), null)
      assert.equal((await stored())?.counts.charges, 3)
    })

    test('a late day whose sum failed after its marks were deleted waits for no other day: it is summed when the lease has ended', async () => {
      const { database, log } = server.deps
      const check = () => checkDays(database, SCOPE, { from: DAY, to: DAY + DAY_MS - 1 })
      await database.rows('UPDATE day_figures SET charged_yen = 1 WHERE day = $1', DAY)
      await markLate(database, SCOPE, DAY)
      const errors: string[] = []
      await sumDayFigures({
        ...server.deps,
        database: { ...database, transact: () => Promise.reject(new Error('the disk is full')) },
        log: { ...log, error: (message) => void errors.push(message) },
      })
      assert.deepEqual(errors, ['a round of the worker failed'])
      assert.deepEqual(await database.rows('SELECT day FROM day_figures_late'), [])
      assert.deepEqual(await check(), { checked: 1, waiting: 1, wrong: [] })
      clock.advance(10 * MINUTE_MS - 1)
      await sumDayFigures(server.deps)
      assert.equal((await stored())?.counts.chargedYen, 1)
      clock.advance(1)
      await sumDayFigures(server.deps)
      assert.equal((await stored())?.counts.chargedYen, 1507)
      assert.deepEqual(await check(), { checked: 1, waiting: 0, wrong: [] })
    })

    test('a day that is half done and not closed, by a clock that was set back, is left until it is closed', async () => {
      const { database } = server.deps
      const summing = (await claimSumming(database, SCOPE, 'ahead', clock.now())) ?? assert.fail()
      const tomorrow = startOfJstDay(clock.now()) + DAY_MS
      const begun = (await beginDay(database, summing, tomorrow, clock.now())) ?? assert.fail()
      const { summedUntil: until } = await readProgress(database, SCOPE)
      // So that nothing else is to be summed.
      await database.rows('UPDATE day_figures_progress SET summed_until = $1', tomorrow + DAY_MS)
      assert.deepEqual(await findShopsToSum(database, tomorrow), [])
      assert.deepEqual(await findShopsToSum(database, tomorrow + DAY_MS), [SCOPE])
      await database.rows('UPDATE day_figures_progress SET summed_until = $1', until)
      await endSumming(database, { ...begun, summingDay: null }, until)
    })

    test('days without a payment have no row and are not read again; a new shop is begun with', async () => {
      clock.advance(3 * DAY_MS)
      await sumDayFigures(server.deps)
      const { database } = server.deps
      const rows = await database.rows('SELECT day FROM day_figures ORDER BY day')
      assert.deepEqual(
        rows.map(({ day }) => day),
        [DAY, DAY + DAY_MS],
      )
      const until = startOfJstDay(clock.now())
      const summedUntil = async (scope: KeyScope) => (await readProgress(database, scope)).summedUntil
      assert.equal(await summedUntil(SCOPE), until)
      assert.equal(await summedUntil({ merchantId: 'books-id', mode: 'live' }), until)
      const { days, total } = await figures('2026-11-15', jstDate(clock.now()))
      assert.deepEqual([days.length, total.chargedAmount], [5, 1907])
    })

    test('ledger lines that add up to more than a number holds are named, and every other day is read beside theirs', async () => {
      const { database } = server.deps
      for (let nth = 0; nth < 3; nth += 1)
        await database.rows(
          `INSERT INTO ledger_lines (merchant_id, mode, entry, account, checkout_id, amount_yen, booked_at)
           VALUES ($1, 'test', $2, 'acquirer', 'none', $3, $4)`,
          SCOPE.merchantId,
          `charge spoiled${nth}`,
          Number.MAX_SAFE_INTEGER,
          DAY,
        )
      const total = async (): Promise<number> => {
        const headers = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
        const url = '/merchant/v1/summary?from=2026-11-15&to=2026-11-16'
        const answer = await server.app.inject({ url, headers })
        assert.equal(answer.statusCode, 200, answer.body)
        return answer.json<SummaryAnswer>().total.chargedAmount
      }
      // As a release before has stored it: 2^53 and more.
      await database.rows('UPDATE day_figures SET charged_yen = 27021597764222973 WHERE day = $1', DAY)
      assert.equal(await total(), Number.MAX_SAFE_INTEGER)
      await markLate(database, SCOPE, DAY)
      await sumDayFigures(server.deps)
      assert.equal((await stored())?.counts.chargedYen, Number.MAX_SAFE_INTEGER)
      assert.equal(await total(), Number.MAX_SAFE_INTEGER)
      assert.equal((await figures('2026-11-16', '2026-11-16')).total.chargedAmount, 300 + 100)
      const rows = await database.rows("SELECT id FROM set_aside WHERE queue = 'figures'")
      assert.deepEqual(
        rows.map(({ id }) => id),
        ['test 2026-11-14T15:00:00.000Z'],
      )
    })
  })
})
