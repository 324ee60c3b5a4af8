import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { DAY_MS, MINUTE_MS, startOfJstDay } from '#contract/jst.ts'
import type { FiguresAnswer } from '#contract/merchant/figures.ts'
import type { SummaryAnswer } from '#contract/merchant/reports.ts'
import { onBothDatabases, openSqliteInMemory } from '../../proof/harness/databases.ts'
import { fakeGateway } from '../../proof/harness/fake-gateway.ts'
import { openMerchantClient } from '../../proof/harness/merchant-client.ts'
import { virtualClock, type TestClock } from '../../proof/harness/test-clocks.ts'
import { API_KEYS, TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { sumDayFigures } from '../background/sum-day-figures.ts'
import { beginDay, claimSumming, endSumming, isLate, markLate, storeDay } from '../store/reports/day-figure-progress.ts'
import { sumDay } from '../store/reports/day-figures.ts'
import { createFigureReader } from './read-figures.ts'

const SCOPE = { merchantId: TEA_MERCHANT.id, mode: 'test' } as const
const EVENING = Date.parse('2026-11-15T23:00:00+09:00')
const DAY = startOfJstDay(EVENING)
const TODAY = { from: DAY, to: DAY + DAY_MS - 1 }
const HEADERS = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
const atOnce = async (): Promise<void> => undefined

describe('the figures of a day that is not over', () => {
  onBothDatabases(({ open }) => {
    let server: TestServer
    let clock: TestClock
    let booked = 0
    before(async () => {
      clock = virtualClock(EVENING)
      server = await openTestServer({ database: await open(), gateway: fakeGateway(clock.now), clock })
      await sumDayFigures(server.deps)
    })

    /** Charges of one yen of today. */
    const book = async (count: number): Promise<void> => {
      await server.deps.database.rows(
        `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
        INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at, mode)
        SELECT $1, 'charge ' || (n + ${booked}), 'acquirer', 'c1', 1, $2, 'test' FROM numbers`,
        SCOPE.merchantId,
        DAY,
      )
      booked += count
    }
    const readOf = async (path: 'figures' | 'summary'): Promise<readonly [number | undefined, string | undefined]> => {
      const answer = await server.app.inject({ url: `/merchant/v1/${path}?from=2026-11-15`, headers: HEADERS })
      const day = answer.json<FiguresAnswer | SummaryAnswer>().days[0]
      return [day?.chargedAmount, day?.countedAt]
    }
    const readFile = async (): Promise<number> => {
      const file = await server.app.inject({
        url: '/merchant/v1/exports/figures.csv?from=2026-11-15',
        headers: HEADERS,
      })
      const [heading = '', line = ''] = file.body.split('\r\n').map((each) => each.split(','))
      return Number(line[heading.indexOf('chargedAmount')])
    }

    test('are counted for each reading while they are of fewer than 500 rows', async () => {
      await book(498)
      assert.deepEqual(await readOf('figures'), [498, undefined])
      await book(1)
      assert.deepEqual(await readOf('figures'), [499, undefined])
      assert.deepEqual(await readOf('summary'), [499, undefined])
    })

    test('are counted once a minute for figures, summary and file from then on, and an answer says when', async () => {
      await book(1)
      const countedAt = new Date(clock.now()).toISOString()
      assert.deepEqual(await readOf('summary'), [500, undefined])
      await book(1)
      clock.advance(MINUTE_MS - 1)
      assert.deepEqual(await readOf('summary'), [500, countedAt])
      assert.deepEqual(await readOf('figures'), [500, countedAt])
      assert.equal(await readFile(), 500)
      clock.advance(1)
      assert.equal(await readFile(), 501)
      assert.deepEqual(await readOf('figures'), [501, new Date(clock.now()).toISOString()])
    })

    test('are counted once for all who ask meanwhile, and again after an error, which all of these are told', async () => {
      const { deps } = server
      let [isFull, statements, readers] = [true, 0, 0]
      let bothRead = Promise.withResolvers<void>()
      const rows: typeof deps.database.rows = async (statement, ...values) => {
        if (statement.includes('card_last_four')) {
          statements += 1
          await bothRead.promise
          if (isFull) throw new Error('the disk is full')
        }
        const found = await deps.database.rows(statement, ...values)
        // The last that is read before the count.
        if (/^SELECT booked_at AS at/.test(statement)) readers += 1
        if (readers === 2) setImmediate(bothRead.resolve)
        return found
      }
      const read = createFigureReader({ ...deps, database: { ...deps.database, rows } }, atOnce)
      const readTwice = () => Promise.allSettled([read(SCOPE, TODAY), read(SCOPE, TODAY)])
      assert.deepEqual(
        (await readTwice()).map(({ status }) => status),
        ['rejected', 'rejected'],
      )
      assert.equal(statements, 1)
      isFull = false
      readers = 0
      bothRead = Promise.withResolvers()
      const yen = (await readTwice()).map((each) =>
        each.status === 'fulfilled' ? each.value[0]?.counts.chargedYen : null,
      )
      assert.deepEqual([yen, statements], [[501, 501], 1 + 2])
    })

    test('of one mode are not those of the other', async () => {
      const [live] = await createFigureReader(server.deps, atOnce)({ ...SCOPE, mode: 'live' }, TODAY)
      assert.equal(live?.counts.charges, 0)
    })
  })
})

describe('the figures of a day that is over', () => {
  onBothDatabases(({ open }) => {
    test('to which something came late are counted for a reading, also while a worker sums that day', async () => {
      const { server, clock, createPaid } = await openMerchantClient(await open())
      const { database } = server.deps
      const day = startOfJstDay(clock.now())
      await createPaid({ amount: 1000 })
      clock.advance(2 * DAY_MS)
      await sumDayFigures(server.deps)
      const read = async (): Promise<number | undefined> =>
        (await createFigureReader(server.deps, atOnce)(SCOPE, { from: day, to: day }))[0]?.counts.chargedYen
      await database.rows('UPDATE day_figures SET charged_yen = 1')
      assert.equal(await read(), 1)
      await markLate(database, SCOPE, day)
      assert.equal(await read(), 1000)
      const summing = (await claimSumming(database, SCOPE, 'worker', clock.now())) ?? assert.fail()
      const begun = (await beginDay(database, summing, day, clock.now())) ?? assert.fail()
      assert.deepEqual(await database.rows('SELECT day FROM day_figures_late'), [])
      assert.equal(await isLate(database, SCOPE, day), true)
      assert.equal(await read(), 1000)
      const { figures } = await sumDay(database, SCOPE, day, atOnce)
      const stored = await storeDay(
        database,
        begun,
        day,
        { ...figures, counts: { ...figures.counts, chargedYen: 2 } },
        0,
      )
      assert.equal(await read(), 2)
      await endSumming(database, stored ?? assert.fail(), 0)
    })

    test('are counted where a release before has left its count of the open day', async () => {
      const { server, clock, createPaid } = await openMerchantClient(await open())
      const day = startOfJstDay(clock.now())
      await createPaid({ amount: 1000 })
      const { database } = server.deps
      await database.rows(
        `INSERT INTO day_figures (merchant_id, mode, day, charges, charged_yen, refunds, refunded_yen, chargebacks,
           chargeback_yen, chargeback_reversals, reversed_yen, begun, paid, declined, authentication_failed, given_up,
           in_doubt, brands, counted_at, rows_read)
         VALUES ($1, 'test', $2, 7, 7, 0, 0, 0, 0, 0, 0, 7, 7, 0, 0, 0, 0, '{}', 1, 1)`,
        SCOPE.merchantId,
        day,
      )
      const read = async (): Promise<number | undefined> =>
        (await createFigureReader(server.deps, atOnce)(SCOPE, { from: day, to: day }))[0]?.counts.chargedYen
      assert.equal(await read(), 1000)
      clock.advance(2 * DAY_MS)
      await sumDayFigures(server.deps)
      const [row] = await database.rows('SELECT charged_yen, counted_at FROM day_figures')
      assert.deepEqual({ ...row }, { charged_yen: 1000, counted_at: null })
    })
  })
})

describe('the work of counting a day', () => {
  /** So many attempts of each checkout, by turns, that those of each are on two pages. */
  const [CHECKOUTS, OF_EACH] = [11, 19]

  test('reads the attempts of each checkout once, and tells how many rows it has read', async () => {
    const { server, clock } = await openMerchantClient(await openSqliteInMemory())
    const day = startOfJstDay(clock.now())
    const checkouts: string[] = []
    for (let made = 0; made < CHECKOUTS; made += 1) checkouts.push(await server.createCheckout())
    for (let turn = 0; turn < OF_EACH; turn += 1)
      for (const id of checkouts) {
        await server.startAttempt(id)
        clock.advance(1)
      }
    const sum = await sumDay(server.deps.database, SCOPE, day, atOnce)
    assert.deepEqual([sum.figures.counts.begun, sum.rowsRead], [CHECKOUTS, 2 * CHECKOUTS * OF_EACH])

    // On the next day one more attempt: no checkout is begun on it, and yet its attempts are read.
    await server.deps.database.rows(`UPDATE attempts SET started_at = started_at - ${DAY_MS}`)
    await server.startAttempt(checkouts[0] ?? assert.fail())
    const next = await sumDay(server.deps.database, SCOPE, day, atOnce)
    assert.deepEqual([next.figures.counts.begun, next.rowsRead], [0, 1 + OF_EACH + 1])
  })
})
