import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openPostgresDatabase } from '../harness/databases.ts'
import type { WorkloadName } from './workloads.ts'
import { commandFor } from './regressions.ts'
import { simulate, type RunReport } from './simulate.ts'
import { resetStore } from './store.ts'
import { totalsOf } from './totals.ts'

const WORKLOADS: readonly WorkloadName[] = [
  'storm',
  'two-tabs',
  'pay-against-cancel',
  'pay-against-deadline',
  'refund-against-refund',
]
/** Of each workload. `npm run prove -- simulation` has time for forty. */
const SCHEDULES = 5
const CHECKOUTS = 2

/** PostgreSQL answers in real time and in an order of its own, so a run here need not repeat itself. */
describe('on PostgreSQL', { concurrency: 1 }, () => {
  let postgres: Awaited<ReturnType<typeof openPostgresDatabase>>
  before(async () => {
    postgres = await openPostgresDatabase()
  })
  after(() => postgres.close())

  test(`${SCHEDULES * WORKLOADS.length} simulated schedules with crashes break no promise`, async (t) => {
    const reports: RunReport[] = []
    for (const workload of WORKLOADS) {
      for (let seed = 1; seed <= SCHEDULES; seed += 1) {
        const store = await resetStore(postgres.database)
        const report = await simulate({ workload, seed, checkouts: CHECKOUTS, crashAt: null }, store)
        assert.deepEqual(report.brokenPromises, [], `on PostgreSQL: ${commandFor(report.schedule)} --postgres`)
        reports.push(report)
      }
    }
    const { runs, checkouts, charges, crashes } = totalsOf(reports)
    t.diagnostic(`${runs} schedules, ${checkouts} checkouts, ${charges} charges, ${crashes} crashes`)
    assert.ok(charges > 0 && crashes > 0, 'a run in which nothing happens shows nothing')
  })
})
