import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, beforeEach, describe, test } from 'node:test'
import { turnsOf } from '../../../proof/harness/event-loop-turns.ts'
import { inBackground } from './background-work.ts'
import { Conflict, DatabaseUnavailable, type Database, type Migration } from './database.ts'
import { createTurns } from './event-loop-turns.ts'
import { createWriteQueue } from './sqlite-queue.ts'
import { openSqlite } from './sqlite.ts'

const MANY_STEPS = `SELECT COUNT(*) AS steps FROM (
  WITH RECURSIVE step (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM step WHERE n < 2000) SELECT n FROM step) AS steps`

const NUMBERS: Migration = {
  name: 'numbers',
  text: 'CREATE TABLE numbers (n BIGINT NOT NULL PRIMARY KEY)',
  oldestBeside: '1.51.0',
}

/** A call that has not ended after many turns of the event loop waits for something. */
const isWaiting = async (call: Promise<unknown>): Promise<boolean> => {
  let hasEnded = false
  const note = (): void => {
    hasEnded = true
  }
  call.then(note, note)
  for (let turns = 0; turns < 50; turns += 1) await new Promise(setImmediate)
  return !hasEnded
}

describe('SQLite beside another process that writes', () => {
  let folder: string
  let path: string
  let files = 0
  let database: Database
  let other: DatabaseSync
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kaikei-locks-'))
  })
  beforeEach(async () => {
    files += 1
    path = join(folder, `${files}.sqlite`)
    database = openSqlite(path, null)
    await database.migrate([NUMBERS], 0)
    other = new DatabaseSync(path)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const insert = (n: number) => database.rows('INSERT INTO numbers (n) VALUES ($1) RETURNING n', n)
  const numbers = async (): Promise<unknown[]> =>
    (await database.rows('SELECT n FROM numbers ORDER BY n')).map((row) => row['n'])

  test('readings are answered while its lock is held, and every kind of write goes through when it is released', async () => {
    other.exec('BEGIN IMMEDIATE')
    const writes = [
      insert(1),
      database.writeAll([{ text: 'INSERT INTO numbers (n) VALUES ($1)', values: [2] }]),
      database.transact((sql) => sql.rows('INSERT INTO numbers (n) VALUES ($1)', 3)),
    ]
    assert.equal(await isWaiting(Promise.race(writes)), true)
    assert.deepEqual(await numbers(), [])
    other.exec('INSERT INTO numbers (n) VALUES (4)')
    other.exec('COMMIT')
    await Promise.all(writes)
    assert.deepEqual(await numbers(), [1, 2, 3, 4])
    await database.close()
  })

  test('a write that has waited for long enough is told that the database is unavailable, and those behind it at once', async () => {
    const impatient = openSqlite(path, null, 20)
    other.exec('BEGIN IMMEDIATE')
    const calls = await Promise.allSettled(
      [5, 6, 7].map((n) => impatient.rows('INSERT INTO numbers (n) VALUES ($1)', n)),
    )
    for (const call of calls) assert.ok(call.status === 'rejected' && call.reason instanceof DatabaseUnavailable)
    other.exec('COMMIT')
    assert.deepEqual(await impatient.rows('SELECT n FROM numbers'), [])
    await impatient.close()
  })

  test('a reading sees what was committed before it, never what a transaction under way has written', async () => {
    await insert(1)
    assert.deepEqual(await numbers(), [1])
    const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const writing = database.transact(async (sql) => {
      await sql.rows('INSERT INTO numbers (n) VALUES (2)')
      reached.resolve()
      await release.promise
    })
    await reached.promise
    assert.deepEqual(await numbers(), [1])
    release.resolve()
    await writing
    assert.deepEqual(await numbers(), [1, 2])
  })

  test('a statement that was kept is read anew after a migration, and a conflict is named as before', async () => {
    await insert(1)
    assert.deepEqual({ ...(await database.rows('SELECT * FROM numbers'))[0] }, { n: 1 })
    await database.migrate(
      [{ name: 'more', text: 'ALTER TABLE numbers ADD COLUMN more TEXT', oldestBeside: '1.51.0' }],
      0,
    )
    assert.deepEqual({ ...(await database.rows('SELECT * FROM numbers'))[0] }, { n: 1, more: null })
    await assert.rejects(insert(1), /UNIQUE/)
    await assert.rejects(
      database.transact((sql) => sql.rows('INSERT INTO numbers (n) VALUES (1)')),
      Conflict,
    )
  })

  test('a database is closed when every reading and writing has ended, and leaves no log behind', async () => {
    const calls = [insert(1), numbers(), insert(2), numbers()]
    other.close()
    await database.close()
    await Promise.all(calls)
    const again = new DatabaseSync(path, { readOnly: true })
    assert.equal(again.prepare('SELECT COUNT(*) AS total FROM numbers').get()?.['total'], 2)
    again.close()
  })

  test('however many transactions and readings are due, the event loop turns between them', async () => {
    const spinUntil = (end: number): void => {
      while (performance.now() < end);
    }
    // Each takes longer than a turn may last: without giving way all of them would be one turn.
    const writing = await turnsOf(() =>
      Promise.all(
        Array.from({ length: 10 }, (_none, n) =>
          database.transact(async (sql) => {
            spinUntil(performance.now() + 9)
            await sql.rows('INSERT INTO numbers (n) VALUES ($1)', 100 + n)
          }),
        ),
      ),
    )
    assert.ok(writing >= 5, String(writing))
    // All asked for at the same moment.
    const reading = await turnsOf(() => Promise.all(Array.from({ length: 300 }, () => database.rows(MANY_STEPS))))
    assert.ok(reading >= 3, String(reading))
  })
})

describe('a turn of the event loop', () => {
  test('takes work for less than 8 ms, and what comes later waits for the next one, in its order', async () => {
    let now = 0
    const inTurn = createTurns(() => now)
    const began: [unit: number, turn: number][] = []
    let turn = 0
    let isOver = false
    const count = (): void => {
      turn += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const units = [7, 1, 1, 20, 1].map((ms, unit) =>
      inTurn(async () => {
        began.push([unit, turn])
        now += ms
      }),
    )
    await Promise.all(units)
    isOver = true
    // After 7 ms it takes one more, after 8 ms none.
    assert.deepEqual(began, [
      [0, 0],
      [1, 0],
      [2, 1],
      [3, 1],
      [4, 2],
    ])
  })
})

describe('the queue of writes', () => {
  const run = async (marks: readonly ('payment' | 'background')[]): Promise<string[]> => {
    const queue = createWriteQueue((work) => work())
    const order: string[] = []
    const add = (name: string) => queue.add(async () => void order.push(name))
    await Promise.all(
      marks.map((mark, place) => (mark === 'background' ? inBackground(() => add(`b${place}`)) : add(`p${place}`))),
    )
    return order
  }

  test('takes payments before what has time and waits with them, and keeps the order of each', async () => {
    assert.deepEqual(await run(['background', 'background', 'payment', 'payment']), ['b0', 'p2', 'p3', 'b1'])
  })

  test('lets one of the background in after eight payments', async () => {
    const order = await run(['background', 'background', ...Array.from({ length: 9 }, () => 'payment' as const)])
    assert.deepEqual([order.indexOf('b0'), order.indexOf('b1')], [0, 9])
  })

  test('goes on after work that fails, and tells its caller alone', async () => {
    const queue = createWriteQueue((work) => work())
    const failing = queue.add(() => Promise.reject(new Error('no')))
    const working = queue.add(async () => 'yes')
    await assert.rejects(failing, /no/)
    assert.equal(await working, 'yes')
  })
})
