import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOW } from '#payment/testing/records.ts'
import { openSqliteInMemory } from '../../../proof/harness/databases.ts'
import { countedMovementPages, movementPages } from './movements.ts'

const SCOPE = { merchantId: 'tea', mode: 'test' } as const

test('an export reads a hundred movements at a time, a count three hundred, and payments have their turn before each', async () => {
  const database = await openSqliteInMemory()
  await database.rows(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 601)
    INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at, mode)
    SELECT 'tea', 'charge ' || n, 'acquirer', 'c1', 1, $1 + n, 'test' FROM numbers`,
    NOW,
  )
  for (const [pagesOf, sizes] of [
    [movementPages, [100, 100, 100, 100, 100, 100, 1]],
    [countedMovementPages, [300, 300, 1]],
  ] as const) {
    const read: number[] = []
    let turns = 0
    const nextPiece = async (): Promise<void> => {
      // Nothing is read before its turn has come.
      assert.equal(read.length, turns)
      turns += 1
    }
    for await (const page of pagesOf(database, SCOPE, { from: NOW, to: NOW + 601 }, nextPiece)) read.push(page.length)
    assert.deepEqual([read, turns], [sizes, sizes.length])
  }
  await database.close()
})
