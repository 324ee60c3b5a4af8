import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readMigrations, text, type Database } from '../../server/store/database.ts'
import { openPostgres } from '../../server/store/postgres.ts'
import { createPostgresDatabase } from '../harness/databases.ts'
import type { WorkloadName } from './workloads.ts'
import { commandFor } from './regressions.ts'
import { simulate, type RunReport } from './simulate.ts'
import { addMerchant } from './store.ts'
import { totalsOf } from './totals.ts'

const WORKLOADS: readonly WorkloadName[] = [
  'storm',
  'two-tabs',
  'pay-against-cancel',
  'pay-against-deadline',
  'refund-against-refund',
]
/** Of each workload. As a proof: POSTGRES_SCHEDULES=40. */
const SCHEDULES = Number(process.env['POSTGRES_SCHEDULES'] ?? 15)
const CHECKOUTS = 2

/** PostgreSQL answers in real time and in an order of its own, so a run here need not repeat itself. */
describe('on PostgreSQL', { concurrency: 1 }, () => {
  let database: Database
  let drop: () => Promise<void>
  let tables: string

  before(async () => {
    const created = await createPostgresDatabase()
    drop = created.drop
    database = await openPostgres(created.url)
    await database.migrate(await readMigrations(), 0)
    const rows = await database.rows(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'",
    )
    tables = rows.map((row) => text(row, 'tablename')).join(', ')
  })
  after(async () => {
    await database.close()
    await drop()
  })

  test(`${SCHEDULES * WORKLOADS.length} simulated schedules with crashes break no promise`, async (t) => {
    const reports: RunReport[] = []
    for (const workload of WORKLOADS) {
      for (let seed = 1; seed <= SCHEDULES; seed += 1) {
        await database.rows(`TRUNCATE ${tables}`)
        await addMerchant(database)
        const report = await simulate({ workload, seed, checkouts: CHECKOUTS, crashAt: null }, database)
        assert.deepEqual(report.brokenPromises, [], `on PostgreSQL: ${commandFor(report.schedule)}`)
        reports.push(report)
      }
    }
    const { runs, checkouts, charges, crashes } = totalsOf(reports)
    t.diagnostic(`${runs} schedules, ${checkouts} checkouts, ${charges} charges, ${crashes} crashes`)
    assert.ok(charges > 0 && crashes > 0, 'a run in which nothing happens shows nothing')
  })
})
