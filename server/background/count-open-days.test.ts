import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DAY_MS, HOUR_MS, MINUTE_MS, startOfJstDay } from '#contract/jst.ts'
import type { FiguresAnswer } from '#contract/merchant/figures.ts'
import { BUSY_DAY, COUNTED_AFTER_READING_MS } from '#payment/day-figures.ts'
import { onBothDatabases, openSqliteInMemory } from '../../proof/harness/databases.ts'
import { fakeGateway } from '../../proof/harness/fake-gateway.ts'
import { openMerchantClient } from '../../proof/harness/merchant-client.ts'
import { virtualClock, type TestClock } from '../../proof/harness/test-clocks.ts'
import { API_KEYS, TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import type { Database } from '../store/engine/database.ts'
import { claimSumming, endSumming, storeDay, storeOpenDay } from '../store/reports/day-figure-progress.ts'
import { readFigureRows } from '../store/reports/day-figure-rows.ts'
import { sumDay } from '../store/reports/day-figures.ts'
import { countOpenDays, sumDayFigures } from './sum-day-figures.ts'

const SCOPE = { merchantId: TEA_MERCHANT.id, mode: 'test' } as const
const EVENING = Date.parse('2026-11-15T23:00:00+09:00')
const DAY = startOfJstDay(EVENING)

/** A reading is noted beside its answer. */
const untilNoted = async (database: Database, at: number): Promise<void> => {
  while ((await database.rows('SELECT 1 AS noted FROM day_figures_progress WHERE read_at = $1', at)).length === 0)
    await nextTurn()
}

describe('a busy day that is not over', () => {
  onBothDatabases(({ open }) => {
    let server: TestServer
    let clock: TestClock
    before(async () => {
      clock = virtualClock(EVENING)
      server = await openTestServer({ database: await open(), gateway: fakeGateway(clock.now), clock })
      await sumDayFigures(server.deps)
    })

    const begin = async (): Promise<void> => {
      await server.startAttempt(await server.createCheckout())
    }
    const stored = async (day = DAY) =>
      (await readFigureRows(server.deps.database, SCOPE, { from: day, to: day })).get(day)
    /** What a shop reads of today: how many were begun, and when they were counted. */
    const read = async (): Promise<readonly [begun: number | undefined, countedAt: string | undefined]> => {
      const headers = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
      const answer = await server.app.inject({ url: '/merchant/v1/figures?from=2026-11-15', headers })
      const day = answer.json<FiguresAnswer>().days[0]
      return [day?.checkouts.begun, day?.countedAt]
    }
    const iso = (): string => new Date(clock.now()).toISOString()

    test('is not counted by the worker for a shop whose figures nobody reads, nor while it is calm', async () => {
      for (let begun = 0; begun < BUSY_DAY; begun += 1) await begin()
      await sumDayFigures(server.deps)
      assert.equal(await stored(), undefined)
      const { database } = server.deps
      await database.rows(`UPDATE attempts SET started_at = started_at - ${DAY_MS} WHERE order_code =
        (SELECT MAX(order_code) FROM attempts)`)
      assert.deepEqual(await read(), [BUSY_DAY - 1, undefined])
      await untilNoted(database, clock.now())
      await sumDayFigures(server.deps)
      assert.equal(await stored(), undefined)
    })

    test('is counted by the worker from then on, and a shop reads that row with its time', async () => {
      await begin()
      assert.deepEqual(await read(), [BUSY_DAY, undefined])
      await sumDayFigures(server.deps)
      const countedAt = iso()
      assert.deepEqual(await read(), [BUSY_DAY, countedAt])
      clock.advance(MINUTE_MS)
      await begin()
      assert.deepEqual(await read(), [BUSY_DAY, countedAt])
      await sumDayFigures(server.deps)
      assert.deepEqual(await read(), [BUSY_DAY + 1, iso()])
    })

    test('that the worker has not counted again in time is counted while the shop waits', async () => {
      const [begun, countedAt] = await read()
      await begin()
      clock.advance(5.5 * MINUTE_MS)
      assert.deepEqual(await read(), [begun, countedAt])
      clock.advance(1)
      assert.deepEqual(await read(), [BUSY_DAY + 2, undefined])
    })

    test('is counted for the file that a shop exports, whatever the worker has counted', async () => {
      await sumDayFigures(server.deps)
      await begin()
      assert.deepEqual(await read(), [BUSY_DAY + 2, iso()])
      const headers = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
      const file = await server.app.inject({ url: '/merchant/v1/exports/figures.csv?from=2026-11-15', headers })
      const [heading = '', line = ''] = file.body.split('\r\n').map((each) => each.split(','))
      assert.equal(line[heading.indexOf('begun')], String(BUSY_DAY + 3))
    })

    test('whose count fails is counted in the next round: the lease of the shop is given back', async () => {
      const { database } = server.deps
      clock.advance(MINUTE_MS)
      const failing = {
        ...database,
        transact: () => Promise.reject(new Error('the disk is full')),
      }
      await assert.rejects(countOpenDays({ ...server.deps, database: failing }, SCOPE), /the disk is full/)
      await countOpenDays(server.deps, SCOPE)
      assert.equal((await stored())?.openCount?.countedAt, clock.now())
    })

    test('is not counted while another worker has the lease of its shop', async () => {
      const { database } = server.deps
      const before = await stored()
      clock.advance(MINUTE_MS)
      const other = (await claimSumming(database, SCOPE, 'other', clock.now())) ?? assert.fail()
      await countOpenDays(server.deps, SCOPE)
      assert.deepEqual(await stored(), before)
      await endSumming(database, other, 0)
      await countOpenDays(server.deps, SCOPE)
      assert.equal((await stored())?.openCount?.countedAt, clock.now())
    })

    test('is counted after midnight too, until it is closed; then its row is that of a closed day', async () => {
      clock.advance(HOUR_MS)
      await begin()
      await sumDayFigures(server.deps)
      assert.equal((await stored())?.openCount?.countedAt, clock.now())
      const [counted] = await read()
      await server.deps.database.rows('UPDATE day_figures SET begun = 7')
      clock.advance(30 * MINUTE_MS)
      // Over, and not closed by a worker yet: what was counted before midnight may lack its last payments.
      assert.deepEqual(await read(), [counted, undefined])
      await sumDayFigures(server.deps)
      assert.equal((await stored())?.openCount, null)
      assert.deepEqual(await read(), [counted, undefined])
    })

    test('that another worker has closed keeps its row: a late count of it is dropped', async () => {
      const { database } = server.deps
      const late = (await claimSumming(database, SCOPE, 'late', clock.now())) ?? assert.fail()
      clock.advance(11 * MINUTE_MS)
      const next = (await claimSumming(database, SCOPE, 'next', clock.now())) ?? assert.fail()
      const figures = await sumDay(database, SCOPE, DAY)
      await endSumming(database, (await storeDay(database, next, DAY, figures, clock.now())) ?? assert.fail(), 0)
      assert.equal(
        await storeOpenDay(database, late, DAY, { ...figures, openCount: { countedAt: 1, rowsRead: 1 } }, clock.now()),
        null,
      )
      assert.equal((await stored())?.openCount, null)
    })

    test('is counted for seven days after somebody has read the figures, and no longer', async () => {
      const busyDay = async (): Promise<boolean> => {
        for (let begun = 0; begun < BUSY_DAY; begun += 1) await begin()
        await sumDayFigures(server.deps)
        return (await stored(startOfJstDay(clock.now()))) !== undefined
      }
      const lastRead = Date.parse('2026-11-16T03:00:00+09:00') + DAY_MS
      clock.advance(lastRead - clock.now())
      await read()
      await untilNoted(server.deps.database, lastRead)
      clock.advance(COUNTED_AFTER_READING_MS - 1)
      assert.equal(await busyDay(), true)
      clock.advance(DAY_MS)
      assert.equal(await busyDay(), false)
    })
  })
})

describe('the figures of an open day', () => {
  test('are counted by the worker for its movements too, and its row has the money of the ledger', async () => {
    const { server, clock, createPaid, refund, get } = await openMerchantClient(await openSqliteInMemory())
    const read = async (): Promise<FiguresAnswer['days'][number]> =>
      (await get<FiguresAnswer>('/figures')).days.at(-1) ?? assert.fail()
    for (let paid = 0; paid < BUSY_DAY / 2; paid += 1) {
      const { id } = await createPaid({ amount: 1000 })
      assert.equal((await refund(id, { refundId: 'r', amount: 100 + paid })).statusCode, 201)
    }
    await sumDayFigures(server.deps)
    const counted = await read()
    assert.equal(counted.countedAt, undefined)
    await untilNoted(server.deps.database, clock.now())
    await sumDayFigures(server.deps)
    assert.deepEqual(await read(), { ...counted, countedAt: new Date(clock.now()).toISOString() })
    const { charges, chargedAmount, refunds, refundedAmount, cardBrands, checkouts } = counted
    assert.deepEqual([charges, chargedAmount, refunds, refundedAmount], [10, 10_000, 10, 1045])
    assert.deepEqual(cardBrands, [{ cardBrand: 'visa', charges: 10, chargedAmount: 10_000 }])
    assert.equal(checkouts.paid, 10)
  })
})

describe('the work of counting a day', () => {
  onBothDatabases(({ open }) => {
    /** So many attempts of each checkout, by turns, that those of each are on two pages. */
    const [CHECKOUTS, OF_EACH] = [11, 19]

    test('reads the attempts of each checkout once, and tells how many rows it has read', async () => {
      const { server, clock } = await openMerchantClient(await open())
      const day = startOfJstDay(clock.now())
      const checkouts: string[] = []
      for (let made = 0; made < CHECKOUTS; made += 1) checkouts.push(await server.createCheckout())
      for (let turn = 0; turn < OF_EACH; turn += 1)
        for (const id of checkouts) {
          await server.startAttempt(id)
          clock.advance(1)
        }
      const { counts, rowsRead } = await sumDay(server.deps.database, SCOPE, day)
      assert.deepEqual([counts.begun, rowsRead], [CHECKOUTS, 2 * CHECKOUTS * OF_EACH])

      // On the next day one more attempt: no checkout is begun on it, and yet its attempts are read.
      await server.deps.database.rows(`UPDATE attempts SET started_at = started_at - ${DAY_MS}`)
      await server.startAttempt(checkouts[0] ?? assert.fail())
      const next = await sumDay(server.deps.database, SCOPE, day)
      assert.deepEqual([next.counts.begun, next.rowsRead], [0, 1 + OF_EACH + 1])
    })
  })
})
