import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { workOnce } from '../../server/background/worker.ts'
import { text, type Database } from '../../server/store/database.ts'
import { onBothDatabases, type TestEngine } from '../harness/databases.ts'
import { decidedOutcome } from '../harness/fake-three-ds-servers.ts'
import { openCountedServer, type CountedServer } from './counted-server.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const UNKNOWN = { outcome: 'unknown', why: 'no answer in time' } as const

/** Every call on every way that a payment can go, and every work of the worker: the statements that a server sends. */
const runEverything = async ({ server, gateway, threeDS, openCheckout, callsOf }: CountedServer): Promise<void> => {
  const run = async (mode: 'test' | 'live', ...names: string[]): Promise<void> => {
    const calls = callsOf(await openCheckout(mode), mode)
    for (const name of names) await (calls[name] ?? assert.fail(name))()
  }
  const workLater = async (ms: number): Promise<void> => {
    server.clock.advance(ms)
    await workOnce(server.parts)
  }
  const collecting = ['start', 'browser', 'collected', 'authenticate']
  for (const mode of ['test', 'live'] as const) {
    await run(mode, 'create', 'document', 'merchantRead', ...collecting, 'pay', 'pay', 'read', 'refund', 'merchantRead')
    await run(mode, 'start', 'start', 'authenticate', 'cancel')
    threeDS.answers.authenticate = 'challenge'
    await run(mode, ...collecting, 'challenge', 'monitor', 'reportChallengeError')
    threeDS.answers.result = decidedOutcome('Y')
    await run(mode, ...collecting, 'monitor', 'pay')
    threeDS.answers.authenticate = { outcome: 'unavailable', why: 'silent' }
    await run(mode, ...collecting)
    threeDS.answers.authenticate = decidedOutcome('N')
    await run(mode, ...collecting, 'pay')
    threeDS.answers.authenticate = decidedOutcome('Y')
    gateway.chargeOutcome = { outcome: 'declined', reason: 'no' }
    await run(mode, ...collecting, 'pay')
    gateway.chargeOutcome = UNKNOWN
    await run(mode, ...collecting, 'pay', 'read', 'cancel')
    await workLater(MINUTE)
    gateway.chargeOutcome = null
    const { refund } = gateway
    gateway.refund = async () => UNKNOWN
    await run(mode, ...collecting, 'pay', 'refund')
    gateway.refund = refund
    await workLater(MINUTE)
  }
  for (let decline = 0; decline < 25; decline += 1) {
    gateway.chargeOutcome = { outcome: 'declined', reason: 'no' }
    server.clock.advance(20_000)
    await run('live', ...collecting, 'pay')
  }
  await run('test', 'replaceLogo', 'picture', 'removeLogo')
  const left = await openCheckout('test')
  await workLater(40 * DAY)
  await server.readCheckout(left)
}

/** Which tables a statement reads from end to end; the names by which it calls them. */
const scannedBy: Readonly<Record<TestEngine['name'], (database: Database, statement: string) => Promise<string[]>>> = {
  SQLite: async (database, statement) => {
    const plan = await database.rows(`EXPLAIN QUERY PLAN ${statement}`)
    return plan
      .map((row) => text(row, 'detail'))
      .filter((step) => /^SCAN (?!CONSTANT ROW|\d+-ROW VALUES CLAUSE|\(|of_network|newest|due|each_due)/.test(step))
  },
  // With a plan for any values, on tables of any size: it reads a whole table only where no index fits.
  PostgreSQL: (database, statement) =>
    database.transact(async (sql) => {
      const marks = [...statement.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place))
      const values = Array.from({ length: Math.max(0, ...marks) }, () => 'NULL').join()
      await sql.rows('SET LOCAL enable_seqscan = off')
      await sql.rows('SET LOCAL plan_cache_mode = force_generic_plan')
      await sql.rows(`PREPARE explained AS ${statement}`)
      const plan = await sql.rows(`EXPLAIN EXECUTE explained${values === '' ? '' : `(${values})`}`)
      await sql.rows('DEALLOCATE explained')
      return plan.map((row) => text(row, 'QUERY PLAN')).filter((step) => step.includes('Seq Scan'))
    }),
}

describe('every statement of the operations and of the worker finds its rows by an index', () => {
  onBothDatabases(({ name, open }) => {
    test('none reads a whole table', async () => {
      const real = await open()
      const counted = await openCountedServer(real)
      counted.database.takeTexts()
      await runEverything(counted)
      const statements = counted.database.takeTexts()
      const scans: Record<string, string[]> = {}
      for (const statement of statements) {
        const scanned = await scannedBy[name](real, statement)
        if (scanned.length > 0) scans[statement] = scanned
      }
      assert.deepEqual(scans, {})
      assert.ok(statements.length > 25, String(statements.length))
    })

    test('one that does is found', async () => {
      const real = await open()
      assert.notDeepEqual(await scannedBy[name](real, 'SELECT id FROM checkouts WHERE subject = $1'), [])
    })
  })
})
