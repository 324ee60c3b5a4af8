import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCrashRounds } from './prove.ts'

/** `npm run prove -- crashes` has time for two hundred, on PostgreSQL too. */
const KILLS = 2
const SEED = 1
const SETTLE_TIMEOUT_MS = 100_000

test(`${KILLS} kills of real processes in the middle of payments lose nothing that was acknowledged, charge nothing twice and leave no doubt`, async (t) => {
  const options = { engine: 'SQLite', kills: KILLS, seed: SEED, settleTimeoutMs: SETTLE_TIMEOUT_MS } as const
  const { findings, cutOff, ...figures } = await runCrashRounds(options)
  assert.deepEqual(findings, [], `run it again, though no two runs are quite the same: seed ${SEED}`)
  assert.equal(figures.kills.server + figures.kills.worker + figures.kills.both, KILLS)
  const callsCutOff = Object.values(cutOff).reduce((total, calls) => total + calls, 0)
  assert.ok(callsCutOff > 0, 'a kill that cuts no call off shows nothing')
  assert.ok(figures.acknowledgedPayments > 0, 'kills among shoppers who never pay show nothing')
  assert.ok(figures.mails >= figures.acknowledgedPayments, 'every payment has a mail')
  t.diagnostic(JSON.stringify({ ...figures, cutOff }))
})
