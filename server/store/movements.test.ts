import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, endOfJstDay } from '#contract/jst.ts'
import { NOW } from '#payment/testing/records.ts'
import { openSqliteInMemory } from '../../proof/harness/databases.ts'
import { movementPages, sumsByDay } from './movements.ts'

const DAYS = 30

/** How many turns of the event loop there were while it was worked on. */
const turnsOf = async (work: () => Promise<void>): Promise<number> => {
  let [turns, isOver] = [0, false]
  const countTurns = (): void => {
    turns += 1
    if (!isOver) setImmediate(countTurns)
  }
  setImmediate(countTurns)
  await work()
  isOver = true
  return turns
}

const SCOPE = { merchantId: 'tea', mode: 'test' } as const

test('while a month is added up on an embedded database, payments have their turn each week', async () => {
  const database = await openSqliteInMemory()
  const to = endOfJstDay(NOW)
  const turns = await turnsOf(async () => {
    const days = await sumsByDay(database, SCOPE, { from: to - (DAYS - 1) * DAY_MS, to })
    assert.equal(days.length, DAYS)
  })
  assert.ok(turns >= Math.floor(DAYS / 7), `${turns} turns`)
  await database.close()
})

test('an export reads a hundred movements at a time, and payments have their turn before each', async () => {
  const database = await openSqliteInMemory()
  await database.rows(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 201)
    INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at, mode)
    SELECT 'tea', 'charge ' || n, 'acquirer', 'c1', 1, $1, 'test' FROM numbers`,
    NOW,
  )
  const sizes: number[] = []
  const turns = await turnsOf(async () => {
    for await (const page of movementPages(database, SCOPE, { from: NOW, to: NOW })) sizes.push(page.length)
  })
  assert.deepEqual(sizes, [100, 100, 1])
  assert.ok(turns >= 3, `${turns} turns`)
  await database.close()
})
