import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openPostgresDatabase } from '../harness/databases.ts'
import type { WorkloadName } from './workloads.ts'
import { commandFor } from './regressions.ts'
import { simulate, type RunReport } from './simulate.ts'
import { resetStore } from './store.ts'
import { totalsOf } from './totals.ts'

/** Of each workload one with faults and one with crashes. `npm run prove -- simulation` has time for forty. */
const SCHEDULES: readonly (readonly [WorkloadName, readonly number[]])[] = [
  ['storm', [4, 8]],
  ['two-tabs', [4, 8]],
  ['pay-against-cancel', [4, 8]],
  ['pay-against-deadline', [4, 8]],
  ['refund-against-refund', [4, 8]],
]
const CHECKOUTS = 2

/** PostgreSQL answers in real time and in an order of its own, so a run here need not repeat itself. */
describe('on PostgreSQL', { concurrency: 1 }, () => {
  let postgres: Awaited<ReturnType<typeof openPostgresDatabase>>
  before(async () => {
    postgres = await openPostgresDatabase()
  })
  after(() => postgres.close())

  test('ten simulated schedules with faults and crashes break no promise', async (t) => {
    const reports: RunReport[] = []
    for (const [workload, seeds] of SCHEDULES) {
      for (const seed of seeds) {
        const store = await resetStore(postgres.database)
        const servers = seed === 8 ? 2 : 1
        const report = await simulate({ workload, seed, checkouts: CHECKOUTS, crashAt: null, servers }, store)
        assert.deepEqual(report.brokenPromises, [], `on PostgreSQL: ${commandFor(report.schedule)} --postgres`)
        reports.push(report)
      }
    }
    const { runs, checkouts, charges, crashes } = totalsOf(reports)
    t.diagnostic(`${runs} schedules, ${checkouts} checkouts, ${charges} charges, ${crashes} crashes`)
    assert.ok(charges > 0 && crashes > 0, 'a run in which nothing happens shows nothing')
  })
})
