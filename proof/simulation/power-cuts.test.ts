import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertPromisesKept } from './assert-promises-kept.ts'
import type { WorkloadName } from './workloads.ts'
import type { RunReport } from './simulate.ts'
import { totalsOf } from './totals.ts'

/** Together they take every step of a payment and a refund. `npm run prove -- simulation` cuts at each step of more. */
const WORKLOADS: readonly WorkloadName[] = ['two-tabs', 'refund-against-refund']
const SCHEDULES = 5
const STEPS = 200
const STEP_INTERVAL = 40

test('a power cut at every eighth step of a payment or a refund loses nothing and charges nothing twice', async (t) => {
  const reports: RunReport[] = []
  for (const workload of WORKLOADS)
    for (let seed = 1; seed <= SCHEDULES; seed += 1)
      for (let crashAt = (8 * seed) % STEP_INTERVAL || STEP_INTERVAL; crashAt <= STEPS; crashAt += STEP_INTERVAL)
        reports.push(await assertPromisesKept({ workload, seed, checkouts: 1, crashAt }))
  const { runs, crashes, crashPointsPassed, crashPointsHit } = totalsOf(reports)
  t.diagnostic(
    `${crashes} power cuts in ${runs} runs, at ${crashPointsHit.length} of ${crashPointsPassed.length} crash points`,
  )
  assert.ok(crashes > runs / 2)
})
