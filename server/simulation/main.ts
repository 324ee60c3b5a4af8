import { parseArgs } from 'node:util'
import { simulate, type Report } from './world.ts'

/**
 * Runs schedules one after another and prints what they came to as one line of JSON; ends with 1 when a promise was broken.
 * `--seed 7 --runs 1` replays the one that failed.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '100' },
    checkouts: { type: 'string', default: '10' },
    'crash-at': { type: 'string' },
    /** Stops after this long, however many runs are left. */
    seconds: { type: 'string' },
    /** Stops at the first broken promise. */
    first: { type: 'boolean', default: false },
  },
})

const first = Number(values.seed)
const runs = Number(values.runs)
const limitMs = values.seconds === undefined ? Number.POSITIVE_INFINITY : Number(values.seconds) * 1000
const started = performance.now()
const total = { runs: 0, checkouts: 0, steps: 0, crashes: 0, charges: 0, refunds: 0 }
const failures: Report[] = []

for (let seed = first; seed < first + runs && performance.now() - started < limitMs; seed += 1) {
  const crashAt = values['crash-at'] === undefined ? null : Number(values['crash-at'])
  const report = await simulate({ seed, checkouts: Number(values.checkouts), crashAt })
  total.runs += 1
  total.checkouts += Number(values.checkouts)
  total.steps += report.steps
  total.crashes += report.crashes
  total.charges += report.charges
  total.refunds += report.refunds
  if (report.broken.length === 0) continue
  failures.push(report)
  if (values.first) break
}

const seconds = Math.round((performance.now() - started) / 100) / 10
process.stdout.write(
  `${JSON.stringify({ ...total, seconds, failures: failures.map(({ seed, broken }) => ({ seed, broken })) })}\n`,
)
process.exitCode = failures.length === 0 ? 0 : 1
