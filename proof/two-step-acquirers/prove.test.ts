import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measure } from './prove.ts'

test('each kind of acquirer has its own storms and power cuts, and their figures are told apart', async () => {
  const calls: string[] = []
  const hold = { holdUnavailable: 0, cardsLost: 0, cardsBack: 0, daysSummed: 0, openDaysCounted: 0, doubtsOnHome: 0 }
  const report = {
    runs: 1,
    checkouts: 40,
    steps: 9,
    crashes: 2,
    charges: 30,
    refunds: 3,
    ...hold,
    crashPointsPassed: [],
  }
  const figures = await measure(['10000', '7'], (args) => {
    calls.push(args.join(' '))
    return Promise.resolve({ code: 0, output: JSON.stringify({ ...report, crashPointsHit: [], failures: [] }) })
  })
  assert.equal(calls.length, 8)
  assert.ok(calls.includes('--workload storm --acquirer capture --servers 1 --seed 132 --runs 125 --checkouts 40'))
  assert.ok(calls.includes('--workload two-tabs --acquirer intent --seed 7 --runs 5 --checkouts 1 --crash-steps 200'))
  assert.partialDeepStrictEqual(figures, { 'intent: checkouts': 80, 'capture: powerCuts': 4, brokenPromises: 0 })
})
