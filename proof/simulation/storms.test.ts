import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isPlayName, PLAYS } from './plays.ts'
import { played } from './played.ts'
import { keptSchedules } from './regressions.ts'
import { simulate, type Report } from './simulate.ts'
import { sumOf } from './sum.ts'

/** `npm run prove -- simulation` has more time. */
const SECONDS = 10
/** However slow the machine: the first few worlds are free of crashes. */
const LEAST_RUNS = 10

describe('the real server in a simulated world', () => {
  test('schedules that broke a promise once break none any more', async () => {
    for (const schedule of keptSchedules()) await played(schedule)
  })

  test('crashes, lost, late and doubled calls, two tabs, cancels, deadlines and refunds break no promise', async (t) => {
    const until = performance.now() + SECONDS * 1000
    const reports: Report[] = []
    for (let seed = 1; seed <= LEAST_RUNS || performance.now() < until; seed += 1)
      reports.push(await played({ play: 'storm', seed, checkouts: 40, crashAt: null }))
    const { checkouts, charges, refunds, crashes, passed, diedAt } = sumOf(reports)
    t.diagnostic(`${checkouts} checkouts, ${charges} charges, ${refunds} refunds, ${crashes} crashes`)
    t.diagnostic(`died at ${diedAt.length} of ${passed.length} kinds of moments before or after a call`)
    assert.ok(charges > 0 && refunds > 0 && crashes > 0, 'a world in which nothing happens shows nothing')
  })

  test('while the acquirer is silent for an hour the shopper is told the truth, and afterwards is written to', async (t) => {
    const reports: Report[] = []
    for (let seed = 1; seed <= 3; seed += 1)
      reports.push(await played({ play: 'silent-hour', seed, checkouts: 2, crashAt: null }))
    const { alarms, charges, words } = sumOf(reports)
    t.diagnostic(`${charges} charges, ${alarms} alarms, told ${JSON.stringify(words)}`)
    assert.ok(alarms > 0, 'a doubt of more than ten minutes calls a person')
    assert.ok((words['confirming'] ?? 0) > 1000, 'the hour was read through')
    assert.ok((words['nothing charged'] ?? 0) > 0 && (words['paid'] ?? 0) > 0, 'the doubts ended both ways')
  })

  test('the same schedule is the same run, in every play', async () => {
    for (const play of Object.keys(PLAYS).filter(isPlayName)) {
      const schedule = { play, seed: 42, checkouts: play === 'silent-hour' ? 1 : 3, crashAt: null }
      assert.deepEqual(await simulate(schedule), await simulate(schedule))
    }
  })
})
