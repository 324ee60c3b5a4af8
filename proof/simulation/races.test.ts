import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { assertPromisesKept } from './assert-promises-kept.ts'
import type { WorkloadName } from './workloads.ts'
import type { RunReport } from './simulate.ts'
import { totalsOf, type SimulationTotals } from './totals.ts'

/** `npm run prove -- simulation` has time for a thousand. */
const RACES = 100
const RACES_AT_ONCE = 20

const runRaces = async (t: TestContext, workload: WorkloadName): Promise<SimulationTotals> => {
  const reports: RunReport[] = []
  for (let seed = 1; seed <= RACES / RACES_AT_ONCE; seed += 1)
    reports.push(await assertPromisesKept({ workload, seed, checkouts: RACES_AT_ONCE, crashAt: null }))
  const totals = totalsOf(reports)
  t.diagnostic(`${totals.checkouts} races, ${totals.crashes} crashes, ended ${JSON.stringify(totals.statuses)}`)
  return totals
}

/** A race that one side always wins tests nothing. */
const assertBothWin = ({ statuses }: SimulationTotals, ...expected: readonly string[]): void => {
  for (const status of expected) assert.ok((statuses[status] ?? 0) > RACES / 20, `too few ended ${status}`)
}

describe('a hundred races of each kind, in five simulated schedules', () => {
  test('two tabs that both pay are charged once, and both show that it is paid', async (t) => {
    const { charges, statuses } = await runRaces(t, 'two-tabs')
    assert.equal(charges, RACES)
    assert.deepEqual(statuses, { paid: RACES })
  })

  test('a payment against a cancel ends paid or cancelled, never both', async (t) => {
    const totals = await runRaces(t, 'pay-against-cancel')
    assert.equal(totals.charges, totals.statuses['paid'])
    assertBothWin(totals, 'paid', 'cancelled')
  })

  test('a payment against the deadline ends paid or expired, and one that was claimed in time is honoured', async (t) => {
    const totals = await runRaces(t, 'pay-against-deadline')
    assert.equal(totals.charges, totals.statuses['paid'])
    assertBothWin(totals, 'paid', 'expired')
  })

  test('refunds against each other never give back more than was paid', async (t) => {
    const totals = await runRaces(t, 'refund-against-refund')
    assert.ok(totals.refunds > RACES / 2)
    assertBothWin(totals, 'paid', 'refunded')
  })
})
