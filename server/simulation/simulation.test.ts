import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { simulate, type Report } from './world.ts'

/** As many schedules as fit: `npm run prove -- simulation` has more time. */
const SECONDS = 20
const CHECKOUTS = 10
const CRASH_STEPS = 60
const CRASH_EVERY = 7

const assertKept = ({ seed, broken }: Report, crashAt: number | null): void => {
  const again = `node server/simulation/main.ts --seed ${seed} --runs 1 --checkouts ${CHECKOUTS}`
  assert.deepEqual(broken, [], `run it again: ${again}${crashAt === null ? '' : ` --crash-at ${crashAt}`}`)
}

describe('the real server in a simulated world', () => {
  test('crashes, lost, late and doubled calls, two tabs, cancels, deadlines and refunds break no promise', async (t) => {
    const until = performance.now() + SECONDS * 1000
    let [runs, crashes, charges] = [0, 0, 0]
    for (let seed = 1; performance.now() < until; seed += 1) {
      const report = await simulate({ seed, checkouts: CHECKOUTS, crashAt: null })
      assertKept(report, null)
      runs += 1
      crashes += report.crashes
      charges += report.charges
    }
    t.diagnostic(`${runs * CHECKOUTS} checkouts, ${charges} charges, ${crashes} crashes`)
    assert.ok(charges > 0 && crashes > 0, 'a world in which nothing happens shows nothing')
  })

  test('a power cut at any step of a payment loses nothing and charges nothing twice', async (t) => {
    let crashes = 0
    for (let crashAt = 1; crashAt <= CRASH_STEPS * CRASH_EVERY; crashAt += CRASH_EVERY) {
      const report = await simulate({ seed: crashAt, checkouts: 2, crashAt })
      assertKept(report, crashAt)
      crashes += report.crashes
    }
    t.diagnostic(`${crashes} power cuts`)
    assert.ok(crashes > CRASH_STEPS / 2)
  })

  test('the same seed is the same world', async () => {
    const [once, again] = [
      await simulate({ seed: 42, checkouts: 3, crashAt: null }),
      await simulate({ seed: 42, checkouts: 3, crashAt: null }),
    ]
    assert.deepEqual(once, again)
  })
})
