import { parseArgs } from 'node:util'
import { isPlayName } from './plays.ts'
import { commandFor, keep } from './regressions.ts'
import { simulate, type Report } from './simulate.ts'
import { sumOf } from './sum.ts'

/**
 * Plays schedules one after another and prints what they came to as one line of JSON; ends with 1 when a promise was
 * broken, and keeps the schedule that broke it. `--seed 7 --runs 1` plays that one again.
 */
const { values } = parseArgs({
  options: {
    play: { type: 'string', default: 'storm' },
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '100' },
    checkouts: { type: 'string', default: '10' },
    'crash-at': { type: 'string' },
    /** Dies once at each step up to this one, in as many runs of each seed. */
    'crash-steps': { type: 'string' },
    /** Stops after this long, however many runs are left. */
    seconds: { type: 'string' },
    /** Stops at the first broken promise. */
    first: { type: 'boolean', default: false },
  },
})

const whole = (name: string, text: string): number => {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1) return value
  process.stderr.write(`--${name} takes a whole number from 1 on, not ${text}\n`)
  return process.exit(2)
}

const { play } = values
if (!isPlayName(play)) {
  process.stderr.write(`there is no play ${play}: see proof/simulation/plays.ts\n`)
  process.exit(2)
}
const first = whole('seed', values.seed)
const checkouts = whole('checkouts', values.checkouts)
const until =
  values.seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + 1000 * whole('seconds', values.seconds)
const { 'crash-at': crashAt, 'crash-steps': crashSteps } = values
const crashes: (number | null)[] =
  crashSteps === undefined
    ? [crashAt === undefined ? null : whole('crash-at', crashAt)]
    : Array.from({ length: whole('crash-steps', crashSteps) }, (_, step) => step + 1)
const schedules = Array.from({ length: whole('runs', values.runs) }, (_, run) => first + run).flatMap((seed) =>
  crashes.map((step) => ({ play, seed, checkouts, crashAt: step })),
)

const started = performance.now()
const reports: Report[] = []
const failures: { readonly command: string; readonly broken: readonly string[] }[] = []
for (const schedule of schedules) {
  if (performance.now() > until) break
  const report = await simulate(schedule)
  reports.push(report)
  if (report.broken.length === 0) continue
  keep(report)
  failures.push({ command: commandFor(schedule), broken: report.broken })
  if (values.first) break
}
const seconds = Math.round((performance.now() - started) / 100) / 10
process.stdout.write(`${JSON.stringify({ ...sumOf(reports), seconds, failures })}\n`)
process.exitCode = failures.length === 0 ? 0 : 1
