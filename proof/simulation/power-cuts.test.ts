import assert from 'node:assert/strict'
import { test } from 'node:test'
import { played } from './played.ts'
import type { PlayName } from './plays.ts'
import type { Report } from './simulate.ts'
import { sumOf } from './sum.ts'

/** Together they take every step of a payment and of a refund. `npm run prove -- simulation` cuts at every step of more. */
const PLAYS: readonly PlayName[] = ['two-tabs', 'refund-against-refund']
const SCHEDULES = 10
const STEPS = 200
const EVERY = 10

test('a power cut at any step of a payment or a refund loses nothing and charges nothing twice', async (t) => {
  const reports: Report[] = []
  for (const play of PLAYS)
    for (let seed = 1; seed <= SCHEDULES; seed += 1)
      for (let crashAt = 1 + (seed % EVERY); crashAt <= STEPS; crashAt += EVERY)
        reports.push(await played({ play, seed, checkouts: 1, crashAt }))
  const { runs, crashes, passed, diedAt } = sumOf(reports)
  t.diagnostic(`${crashes} power cuts in ${runs} runs, at ${diedAt.length} of ${passed.length} kinds of moments`)
  assert.ok(crashes > runs / 2)
})
