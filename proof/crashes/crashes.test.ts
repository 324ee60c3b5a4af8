import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onBothDatabases } from '../harness/databases.ts'
import { runCrashRounds } from './prove.ts'

/** `npm run prove -- crashes` has time for two hundred. */
const KILLS = 2
const SEED = 1
const SETTLE_TIMEOUT_MS = 100_000

// Both at once: most of the time passes in waiting for the leases of charges that a kill cut off.
describe('real processes killed in the middle of payments', { concurrency: 2 }, () => {
  onBothDatabases(({ name: engine }) => {
    test(`${KILLS} kills lose nothing that was acknowledged, charge nothing twice and leave no doubt`, async (t) => {
      const report = await runCrashRounds({ engine, kills: KILLS, seed: SEED, settleTimeoutMs: SETTLE_TIMEOUT_MS })
      const { findings, cutOff, ...figures } = report
      assert.deepEqual(findings, [], `run it again, though no two runs are quite the same: seed ${SEED}`)
      assert.equal(figures.kills.server + figures.kills.worker + figures.kills.both, KILLS)
      const callsCutOff = Object.values(cutOff).reduce((total, calls) => total + calls, 0)
      assert.ok(callsCutOff > 0, 'a kill that cuts no call off shows nothing')
      assert.ok(figures.acknowledgedPayments > 0, 'kills among shoppers who never pay show nothing')
      assert.ok(figures.mails >= figures.acknowledgedPayments, 'every payment has a mail')
      t.diagnostic(JSON.stringify({ ...figures, cutOff }))
    })
  })
})
