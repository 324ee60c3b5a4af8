import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, beforeEach, describe, test } from 'node:test'
import { turnsOf } from '../../../proof/harness/event-loop-turns.ts'
import { inBackground } from './urgency.ts'
import { Conflict, DatabaseUnavailable, type Database, type Migration } from './database.ts'
import { createTurns } from './sqlite-turns.ts'
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
    const { read } = createTurns({ elapsed: () => now, sleep: async () => undefined })
    const began: [unit: number, turn: number][] = []
    let turn = 0
    let isOver = false
    const count = (): void => {
      turn += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const units = [7, 1, 1, 20, 1].map((ms, unit) =>
      read(async () => {
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

describe('the order of calls', () => {
  /** Time passes by work and by rests alone. */
  const open = () => {
    let now = 0
    const ran: [name: string, at: number][] = []
    const turns = createTurns({
      elapsed: () => now,
      sleep: async (ms) => {
        await new Promise(setImmediate)
        now += ms
      },
    })
    const add = (name: string, ms: number) =>
      turns.write(async () => {
        ran.push([name, now])
        now += ms
      })
    return { ran, add, addBehind: (name: string, ms: number) => inBackground(() => add(name, ms)) }
  }

  test('is kept, and the background goes on however many payments there are, one unit at a time among them', async () => {
    const { ran, add, addBehind } = open()
    let payments = 0
    /** Each is followed by another at once. */
    const pay = async (): Promise<void> => {
      for (payments += 1; payments < 50; payments += 1) await add(`p${payments}`, 1)
    }
    await Promise.all([pay(), pay(), addBehind('b0', 1), addBehind('b1', 1), addBehind('b2', 1)])
    const names = ran.map(([name]) => name)
    const ofPayments = names.filter((name) => name.startsWith('p'))
    assert.deepEqual(
      ofPayments,
      ofPayments.toSorted((one, other) => Number(one.slice(1)) - Number(other.slice(1))),
    )
    const places = ['b0', 'b1', 'b2'].map((name) => names.indexOf(name))
    assert.ok(places[0] !== -1 && (places[2] ?? 99) < names.length - 1, String(names))
    // Between two of the background there are payments: it rests.
    for (const place of places) assert.ok(names[place + 1]?.startsWith('p'), String(names))
  })

  test('gives the background a quarter of the time for 250 ms after any other call, and all of it later', async () => {
    const { ran, add, addBehind } = open()
    await add('p', 10)
    await Promise.all([
      addBehind('b0', 50),
      addBehind('b1', 20),
      addBehind('b2', 30),
      addBehind('b3', 5),
      addBehind('b4', 5),
    ])
    assert.deepEqual(ran, [
      ['p', 0],
      // Nothing of the background was before it.
      ['b0', 10],
      // 50 ms, and 150 ms of rest.
      ['b1', 210],
      // 20 ms, and no more rest than until 250 ms after the call of the payment.
      ['b2', 250],
      ['b3', 280],
      ['b4', 285],
    ])
  })

  test('goes on after work that fails, and tells its caller alone', async () => {
    for (const mark of [inBackground, <T>(work: () => T): T => work()])
      await mark(async () => {
        const { write } = createTurns()
        const failing = write(() => Promise.reject(new Error('no')))
        const working = write(async () => 'yes')
        await assert.rejects(failing, /no/)
        assert.equal(await working, 'yes')
      })
  })
})
