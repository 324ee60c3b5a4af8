/**
 * Simulation from the command line: runs schedules one after another and prints their totals as one line of JSON. Ends
 * with 1 when a promise was broken, and saves the schedule that broke it. `--seed 7 --runs 1` runs that one again.
 */
import { parseArgs } from 'node:util'
import { openPostgresDatabase } from '../harness/databases.ts'
import { ACQUIRER_KINDS, isAcquirerKind } from './adapters.ts'
import { isWorkloadName } from './workloads.ts'
import { commandFor, saveRegression } from './regressions.ts'
import { simulate, type RunReport } from './simulate.ts'
import { resetStore } from './store.ts'
import { totalsOf } from './totals.ts'

const { values } = parseArgs({
  options: {
    workload: { type: 'string', default: 'storm' },
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '100' },
    checkouts: { type: 'string', default: '10' },
    'crash-at': { type: 'string' },
    acquirer: { type: 'string', default: 'order-id' },
    servers: { type: 'string', default: '1' },
    /** Dies once at each step up to this one, in as many runs of each seed. */
    'crash-steps': { type: 'string' },
    /** Stops after this long, however many runs are left. */
    seconds: { type: 'string' },
    /** Stops at the first broken promise. */
    first: { type: 'boolean', default: false },
    /** On the PostgreSQL server that TEST_DATABASE_URL names, in real time: a run there need not repeat itself. */
    postgres: { type: 'boolean', default: false },
  },
})

const wholeNumberOption = (name: string, text: string): number => {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1) return value
  process.stderr.write(`--${name} takes a whole number from 1 on, not ${text}\n`)
  return process.exit(2)
}

const { workload } = values
if (!isWorkloadName(workload)) {
  process.stderr.write(`there is no workload ${workload}: see proof/simulation/workloads.ts\n`)
  process.exit(2)
}
const { acquirer } = values
if (!isAcquirerKind(acquirer)) {
  process.stderr.write(`there is no acquirer ${acquirer}: ${ACQUIRER_KINDS.join(', ')}\n`)
  process.exit(2)
}
const firstSeed = wholeNumberOption('seed', values.seed)
const checkouts = wholeNumberOption('checkouts', values.checkouts)
const servers = wholeNumberOption('servers', values.servers)
const until =
  values.seconds === undefined
    ? Number.POSITIVE_INFINITY
    : performance.now() + 1000 * wholeNumberOption('seconds', values.seconds)
const { 'crash-at': crashAt, 'crash-steps': crashSteps } = values
const crashSchedule: (number | null)[] =
  crashSteps === undefined
    ? [crashAt === undefined ? null : wholeNumberOption('crash-at', crashAt)]
    : Array.from({ length: wholeNumberOption('crash-steps', crashSteps) }, (_, step) => step + 1)
const schedules = Array.from({ length: wholeNumberOption('runs', values.runs) }, (_, run) => firstSeed + run).flatMap(
  (seed) => crashSchedule.map((step) => ({ workload, seed, checkouts, crashAt: step, acquirer, servers })),
)

const postgres = values.postgres ? await openPostgresDatabase() : null
const started = performance.now()
const reports: RunReport[] = []
const failures: { readonly command: string; readonly brokenPromises: readonly string[] }[] = []
for (const schedule of schedules) {
  if (performance.now() > until) break
  const report = await (postgres === null
    ? simulate(schedule)
    : simulate(schedule, await resetStore(postgres.database)))
  reports.push(report)
  const { brokenPromises } = report
  if (brokenPromises.length === 0) continue
  if (postgres === null) saveRegression(report)
  failures.push({ command: `${commandFor(schedule)}${postgres === null ? '' : ' --postgres'}`, brokenPromises })
  if (values.first) break
}
const seconds = Math.round((performance.now() - started) / 100) / 10
await postgres?.close()
process.stdout.write(`${JSON.stringify({ ...totalsOf(reports), seconds, failures })}\n`)
process.exitCode = failures.length === 0 ? 0 : 1
