import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, endOfJstDay } from '#contract/jst.ts'
import { NOW } from '#payment/testing/records.ts'
import { openSqliteInMemory } from '../../../proof/harness/databases.ts'
import { turnsOf } from '../../../proof/harness/event-loop-turns.ts'
import type { Database } from '../engine/database.ts'
import { movementPages, sumsByDay } from './movements.ts'

const DAYS = 30

const SCOPE = { merchantId: 'tea', mode: 'test' } as const

/** Charges of one yen, each a millisecond after the one before. */
const book = async (database: Database, count: number, from: number): Promise<void> => {
  await database.rows(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
    INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at, mode)
    SELECT 'tea', 'charge ' || n, 'acquirer', 'c1', 1, $2 + n, 'test' FROM numbers`,
    count,
    from,
  )
}

test('days are added up five thousand movements at a time, and payments have their turn before each', async () => {
  const database = await openSqliteInMemory()
  const [to, midnight] = [endOfJstDay(NOW), endOfJstDay(NOW - DAY_MS)]
  // The second statement begins within a day, and the third within the next.
  await book(database, 10_001, midnight - 6000)
  let charges: number[] = []
  const turns = await turnsOf(async () => {
    const days = await sumsByDay(database, SCOPE, { from: to - DAYS * DAY_MS + 1, to })
    charges = days.map((day) => day.charges)
  })
  assert.equal(charges.length, DAYS)
  assert.deepEqual(charges.slice(-3), [0, 6000, 4001])
  assert.ok(turns >= 3, `${turns} turns`)
  await database.close()
})

test('an export reads a hundred movements at a time, and payments have their turn before each', async () => {
  const database = await openSqliteInMemory()
  await book(database, 201, NOW)
  const sizes: number[] = []
  const turns = await turnsOf(async () => {
    for await (const page of movementPages(database, SCOPE, { from: NOW, to: NOW + 201 })) sizes.push(page.length)
  })
  assert.deepEqual(sizes, [100, 100, 1])
  assert.ok(turns >= 3, `${turns} turns`)
  await database.close()
})
