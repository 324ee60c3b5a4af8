import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLOCK_SKEW_MAX_MS } from '#payment/clock.ts'
import { beat } from '../../store/engine/heartbeat.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import {
  CLOCK_WARN_MS,
  FREE_FAIL_BYTES,
  FREE_WARN_BYTES,
  judgeClock,
  judgeDatabase,
  readClockFacts,
  readDatabaseFacts,
  type PostgresFacts,
  type SqliteFacts,
} from './database-check.ts'

const SQLITE: SqliteFacts = {
  engine: 'SQLite',
  version: 'SQLite 3.51.0',
  journalMode: 'wal',
  synchronous: 2,
  isFolderWritable: true,
  freeBytes: FREE_WARN_BYTES,
  takesWrites: true,
}
const POSTGRES: PostgresFacts = {
  engine: 'PostgreSQL',
  version: 'PostgreSQL 17.2',
  synchronousCommit: 'on',
  fsync: 'on',
  fullPageWrites: 'on',
  takesWrites: true,
}

test('an embedded database must keep what it has acknowledged, and have room', () => {
  const stateOf = (more: Partial<SqliteFacts>): string => judgeDatabase({ ...SQLITE, ...more }).state
  assert.equal(stateOf({}), 'ok')
  assert.equal(stateOf({ synchronous: 3 }), 'ok')
  assert.equal(stateOf({ synchronous: 1 }), 'fail')
  assert.equal(stateOf({ journalMode: 'delete' }), 'fail')
  assert.equal(stateOf({ isFolderWritable: false }), 'fail')
  assert.equal(stateOf({ takesWrites: false }), 'fail')
  assert.equal(stateOf({ freeBytes: FREE_WARN_BYTES - 1 }), 'warn')
  assert.equal(stateOf({ freeBytes: FREE_FAIL_BYTES }), 'warn')
  assert.equal(stateOf({ freeBytes: FREE_FAIL_BYTES - 1 }), 'fail')
})

test('PostgreSQL must keep what it has acknowledged', () => {
  const stateOf = (more: Partial<PostgresFacts>): string => judgeDatabase({ ...POSTGRES, ...more }).state
  assert.equal(stateOf({}), 'ok')
  for (const synchronousCommit of ['remote_write', 'remote_apply']) assert.equal(stateOf({ synchronousCommit }), 'ok')
  for (const synchronousCommit of ['off', 'local']) assert.equal(stateOf({ synchronousCommit }), 'fail')
  assert.equal(stateOf({ fsync: 'off' }), 'fail')
  assert.equal(stateOf({ fullPageWrites: 'off' }), 'fail')
  assert.equal(stateOf({ takesWrites: false }), 'fail')
})

test('clocks may differ by as much as is harmless, and by as long as the answer took', () => {
  const now = 1_000_000
  const stateOf = (apartMs: number, more = {}): string =>
    judgeClock({ now, databaseNow: now + apartMs, tripMs: 0, newestStored: null, isFollowed: true, ...more }).state
  for (const sign of [1, -1]) {
    assert.equal(stateOf(sign * CLOCK_WARN_MS), 'ok')
    assert.equal(stateOf(sign * (CLOCK_WARN_MS + 1)), 'warn')
    assert.equal(stateOf(sign * CLOCK_SKEW_MAX_MS), 'warn')
    assert.equal(stateOf(sign * (CLOCK_SKEW_MAX_MS + 1)), 'fail')
    assert.equal(stateOf(sign * (CLOCK_WARN_MS + 5), { tripMs: 5 }), 'ok')
  }
  assert.equal(stateOf(0, { newestStored: now + CLOCK_SKEW_MAX_MS }), 'ok')
  assert.equal(stateOf(0, { newestStored: now + CLOCK_SKEW_MAX_MS + 1 }), 'fail')
  assert.equal(stateOf(0, { databaseNow: null, newestStored: now - 1 }), 'ok')
  assert.equal(stateOf(0, { isFollowed: false }), 'fail')
})

onBothDatabases(({ name, open }) => {
  test('the facts are read as they are', async () => {
    const database = await open()
    const isPostgres = name === 'PostgreSQL'
    const place = { databaseUrl: isPostgres ? 'postgresql://db/x' : null, dataDir: '.' }
    const facts = await readDatabaseFacts(database, place)
    assert.deepEqual([facts.engine, facts.takesWrites], [name, true])
    // In memory there is no journal to keep: a file is looked at in doctor.test.ts.
    if (facts.engine === 'SQLite') assert.deepEqual([facts.journalMode, facts.synchronous], ['memory', 2])
    else assert.match(facts.synchronousCommit, /^(on|remote_\w+)$/)
  })

  test('the clock is compared with the database’s own, and with the newest time that was stored', async () => {
    const database = await open()
    const hasOwnClock = name === 'PostgreSQL'
    await database.rows('UPDATE migrations SET applied_at = $1', 5_000_000)
    const facts = await readClockFacts(database, hasOwnClock, { now: () => 4_000_000 })
    assert.deepEqual([facts.now, facts.tripMs, facts.newestStored], [4_000_000, 0, 5_000_000])
    assert.equal(facts.databaseNow === null, !hasOwnClock)
    assert.equal(judgeClock(facts).state, 'fail')
    await beat(database, { now: () => 6_000_000, wall: () => 6_060_001 }, '')
    const later = await readClockFacts(database, hasOwnClock, { now: () => 6_000_000 })
    assert.deepEqual([later.newestStored, facts.isFollowed, later.isFollowed], [6_000_000, true, false])
  })
})
