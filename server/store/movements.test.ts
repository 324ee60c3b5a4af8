import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, endOfJstDay } from '#contract/jst.ts'
import { NOW } from '#payment/testing/records.ts'
import { openSqliteInMemory } from '../../proof/harness/databases.ts'
import { sumsByDay } from './movements.ts'

const DAYS = 30

test('while a month is added up on an embedded database, payments have their turn each week', async () => {
  const database = await openSqliteInMemory()
  let turns = 0
  let isOver = false
  const countTurns = (): void => {
    turns += 1
    if (!isOver) setImmediate(countTurns)
  }
  setImmediate(countTurns)
  const to = endOfJstDay(NOW)
  const days = await sumsByDay(database, { merchantId: 'tea', mode: 'test' }, { from: to - (DAYS - 1) * DAY_MS, to })
  isOver = true
  assert.equal(days.length, DAYS)
  assert.ok(turns >= Math.floor(DAYS / 7), `${turns} turns`)
  await database.close()
})
