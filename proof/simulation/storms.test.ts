import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isWorkloadName, WORKLOADS } from './workloads.ts'
import { assertPromisesKept } from './assert-promises-kept.ts'
import { regressionSchedules } from './regressions.ts'
import { simulate, type RunReport } from './simulate.ts'
import { totalsOf } from './totals.ts'

/** Those acquirers find an order by their own reference alone. */
const TWO_STEP_ACQUIRERS = ['intent', 'capture'] as const
/** The first few have no crashes. `npm run prove -- simulation` and `two-step-acquirers` have time for more. */
const STORMS = 6
/** Doubts that end both ways. */
const SILENT_HOUR = { workload: 'silent-hour', seed: 1, checkouts: 2, crashAt: null } as const

describe('the real server in a simulated world', () => {
  test('schedules that broke a promise once break none any more', async () => {
    for (const schedule of regressionSchedules()) await assertPromisesKept(schedule)
  })

  test('crashes, lost, late and doubled calls, two tabs, cancels, deadlines and refunds break no promise, on one, two and three servers', async (t) => {
    const reports: RunReport[] = []
    for (let seed = 1; seed <= STORMS; seed += 1) {
      // Several share a card hold that loses cards, falls silent and fails over.
      const servers = 1 + (seed % 3)
      reports.push(await assertPromisesKept({ workload: 'storm', seed, checkouts: 40, crashAt: null, servers }))
    }
    const totals = totalsOf(reports)
    const { checkouts, charges, refunds, crashes, crashPointsPassed, crashPointsHit, holdUnavailable, doubtsOnHome } =
      totals
    t.diagnostic(`${checkouts} checkouts, ${charges} charges, ${refunds} refunds, ${crashes} crashes`)
    assert.ok(holdUnavailable > 0, 'a shared hold that always answers shows nothing')
    assert.ok(totals.daysSummed > 0, 'days that no worker counts meanwhile show nothing')
    assert.ok(doubtsOnHome > 0, 'a home that never had a doubt to name shows nothing')
    t.diagnostic(`died at ${crashPointsHit.length} of ${crashPointsPassed.length} crash points before or after a call`)
    assert.ok(charges > 0 && refunds > 0 && crashes > 0, 'a run in which nothing happens shows nothing')
  })

  for (const acquirer of TWO_STEP_ACQUIRERS)
    test(`crashes and lost calls break no promise with an acquirer that charges in two steps: ${acquirer}`, async () => {
      const reports: RunReport[] = []
      for (let seed = 1; seed <= 2; seed += 1)
        reports.push(await assertPromisesKept({ workload: 'storm', seed, checkouts: 30, crashAt: null, acquirer }))
      for (let crashAt = 40; crashAt <= 120; crashAt += 8)
        reports.push(await assertPromisesKept({ workload: 'two-tabs', seed: 1, checkouts: 1, crashAt, acquirer }))
      const { charges, refunds, crashes } = totalsOf(reports)
      assert.ok(charges > 0 && refunds > 0 && crashes > 0, 'a run in which nothing happens shows nothing')
    })

  test('while the acquirer is silent for an hour the page shows the truth, and a mail follows', async (t) => {
    const { alarms, charges, messagesShown } = await assertPromisesKept(SILENT_HOUR)
    t.diagnostic(`${charges} charges, ${alarms} alarms, messages ${JSON.stringify(messagesShown)}`)
    assert.ok(alarms > 0, 'a doubt of more than ten minutes calls a person')
    assert.ok((messagesShown['confirming'] ?? 0) > 500, 'the page polled for the whole hour')
    assert.ok(
      (messagesShown['nothing charged'] ?? 0) > 0 && (messagesShown['paid'] ?? 0) > 0,
      'the doubts ended both ways',
    )
  })

  test('the same schedule is the same run, in every workload but the long one of a silent hour', async () => {
    for (const workload of Object.keys(WORKLOADS).filter(isWorkloadName)) {
      if (workload === 'silent-hour') continue
      const schedule = { workload, seed: 42, checkouts: 3, crashAt: null, servers: workload === 'storm' ? 3 : 1 }
      assert.deepEqual(await simulate(schedule), await simulate(schedule))
    }
  })
})
