/** Simulation proof: storms of this many checkouts on one, two and three servers, races, silent hours and power cuts; storms and races on PostgreSQL too. */
import { availableParallelism } from 'node:os'
import { runAndCapture } from '../../tools/exit-with-parent.ts'
import type { Figures } from '../../tools/measurement/figures.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { isRecord } from '../../tools/is-record.mjs'
import { printProgress } from '../../tools/progress.mjs'
import { ROOT } from '../../tools/root.ts'
import type { AcquirerKind } from './adapters.ts'
import { lastReport, numberIn } from '../journeys/last-report.ts'
import { startPostgres } from '../../tools/test/postgres.ts'
import { SEED_RANGE, wholeNumber } from '../../tools/measurement/whole-number.ts'

const DEFAULT_CHECKOUTS = '1000000'
export const CHECKOUTS_RANGE = { from: 1, to: 1_000_000_000 }
const CHECKOUTS_PER_STORM = 40
/** Of five thousand checkouts: a task takes about a minute. */
const STORMS_PER_TASK = 125
/** Of one part of the storms after another. */
const SERVERS = [3, 1, 2]
export const onSeveral = (name: string): string => `${name} on several servers`
/** Power cuts: one at each of so many steps, in so many schedules. */
const CRASH_STEPS = 200
const CRASH_SCHEDULES = 40
/** Together they take every step of a payment and of a refund. */
const CRASH_WORKLOADS = ['two-tabs', 'refund-against-refund'] as const
const RACE_WORKLOADS = ['two-tabs', 'pay-against-cancel', 'pay-against-deadline', 'refund-against-refund'] as const
/** Every checkout of such a workload is one race; a schedule runs several at once. */
const RACES_OF_EACH = 1000
const RACES_AT_ONCE = 10
const SILENT_HOURS = 50
/** Of storms and of each kind of race. Few: PostgreSQL answers in real time. */
const POSTGRES_SCHEDULES = 40

/** One run of the simulation program. The results of all tasks of the same name are added up. */
export interface Task {
  readonly name: string
  readonly args: readonly string[]
}

const task = (name: string, workload: string, rest: Readonly<Record<string, number | string>>): Task => ({
  name,
  args: ['--workload', workload, ...Object.entries(rest).flatMap(([option, value]) => [`--${option}`, String(value)])],
})

interface StormOptions {
  readonly name: string
  readonly checkouts: number
  readonly seed: number
  readonly acquirer: AcquirerKind
}

/** Storms come in parts of five thousand checkouts, so there may be more checkouts than asked for. */
export const stormTasks = ({ name, checkouts, seed, acquirer }: StormOptions): Task[] =>
  Array.from({ length: Math.ceil(checkouts / CHECKOUTS_PER_STORM / STORMS_PER_TASK) }, (_, part) =>
    task(part % 3 === 1 ? name : onSeveral(name), 'storm', {
      acquirer,
      servers: SERVERS[part % 3] ?? 1,
      seed: seed + part * STORMS_PER_TASK,
      runs: STORMS_PER_TASK,
      checkouts: CHECKOUTS_PER_STORM,
    }),
  )

interface PowerCutOptions {
  readonly name: string
  readonly schedules: number
  readonly seed: number
  readonly acquirer: AcquirerKind
}

/** A power cut at each step of so many schedules. */
export const powerCutTasks = ({ name, schedules, seed, acquirer }: PowerCutOptions): Task[] =>
  CRASH_WORKLOADS.map((workload) =>
    task(name, workload, {
      acquirer,
      seed,
      runs: schedules / CRASH_WORKLOADS.length,
      checkouts: 1,
      'crash-steps': CRASH_STEPS,
    }),
  )

const onPostgres = ({ name, args }: Task): Task => ({ name, args: [...args, '--postgres'] })

const tasksFor = (checkouts: number, seed: number): Task[] => [
  ...(['storm', ...RACE_WORKLOADS] as const).map((workload) =>
    onPostgres(task('on-postgres', workload, { seed, runs: POSTGRES_SCHEDULES, checkouts: 2 })),
  ),
  ...RACE_WORKLOADS.map((workload) =>
    task(workload, workload, { seed, runs: RACES_OF_EACH / RACES_AT_ONCE, checkouts: RACES_AT_ONCE }),
  ),
  task('silent-hour', 'silent-hour', { seed, runs: SILENT_HOURS, checkouts: 2 }),
  ...powerCutTasks({ name: 'crash-steps', schedules: CRASH_SCHEDULES, seed, acquirer: 'order-id' }),
  ...stormTasks({ name: 'storm', checkouts, seed, acquirer: 'order-id' }),
]

/** Totals of all tasks of one name. */
interface TaskTotals {
  readonly figures: Map<string, number>
  readonly crashPointsPassed: Set<string>
  readonly crashPointsHit: Set<string>
}

const COUNTED_FIGURES = [
  'runs',
  'checkouts',
  'steps',
  'crashes',
  'charges',
  'refunds',
  'holdUnavailable',
  'cardsLost',
  'cardsBack',
  'daysSummed',
  'doubtsOnHome',
] as const

export type RunSimulation = (args: readonly string[]) => Promise<{ readonly code: number; readonly output: string }>

/** The real program, with a PostgreSQL server beside it. */
const withProgram = async (work: (runSimulation: RunSimulation) => Promise<void>): Promise<void> => {
  const postgres = await startPostgres(process.env)
  const env = { ...process.env, TEST_DATABASE_URL: postgres.url }
  try {
    await work((args) => runAndCapture(process.execPath, ['proof/simulation/main.ts', ...args], { cwd: ROOT, env }))
  } finally {
    await postgres.stop()
  }
}

/** Each promise that a schedule broke, with the command that runs it again. */
const brokenPromisesIn = (report: Readonly<Record<string, unknown>>): string[] => {
  const { failures } = report
  if (!Array.isArray(failures)) throw new CommandError('the report does not say which promises were broken')
  return failures.flatMap((failure: unknown) => {
    const { command, brokenPromises } = isRecord(failure) ? failure : {}
    const promises: unknown[] = Array.isArray(brokenPromises) && brokenPromises.length > 0 ? brokenPromises : [failure]
    return promises.map((promise) => `${String(promise)}: ${String(command)}`)
  })
}

const runTask = async (
  { name, args }: Task,
  totals: Map<string, TaskTotals>,
  runSimulation: RunSimulation,
): Promise<void> => {
  const { code, output } = await runSimulation(args)
  const report = lastReport('proof/simulation/main.ts', output)
  const broken = brokenPromisesIn(report)
  for (const each of broken) printProgress(each)
  if (code !== 0 && broken.length === 0)
    throw new CommandError(`proof/simulation/main.ts ended with ${code}: ${output}`)
  const ofName = totals.get(name) ?? {
    figures: new Map<string, number>(),
    crashPointsPassed: new Set(),
    crashPointsHit: new Set(),
  }
  totals.set(name, ofName)
  const add = (figure: string, value: number) => ofName.figures.set(figure, (ofName.figures.get(figure) ?? 0) + value)
  for (const figure of COUNTED_FIGURES) add(figure, numberIn(report, figure))
  add('broken', broken.length)
  for (const kind of ['crashPointsPassed', 'crashPointsHit'] as const) {
    const points = report[kind]
    if (Array.isArray(points)) for (const point of points) ofName[kind].add(String(point))
  }
}

/** What all tasks together did. A broken promise fails, and names the run to repeat. */
export interface SimulationTotals {
  /** A figure of the tasks of one name. */
  figureOf(name: string, figure: string): number
  sumOfAll(figure: string): number
  countCrashPoints(kind: 'crashPointsPassed' | 'crashPointsHit'): number
}

/** Runs tasks beside each other, as many as there are cores. */
export const runSimulations = async (
  tasks: Task[],
  givenSimulation: RunSimulation | undefined,
): Promise<SimulationTotals> => {
  const totals = new Map<string, TaskTotals>()
  const figureOf = (name: string, figure: string): number => totals.get(name)?.figures.get(figure) ?? 0
  const sumOfAll = (figure: string): number => [...totals.keys()].reduce((sum, name) => sum + figureOf(name, figure), 0)
  const taskCount = tasks.length
  const runTasks = async (runSimulation: RunSimulation): Promise<void> => {
    for (let next = tasks.shift(); next !== undefined; next = tasks.shift()) {
      await runTask(next, totals, runSimulation)
      if (tasks.length % 10 === 0)
        printProgress(`${taskCount - tasks.length} of ${taskCount} parts, ${sumOfAll('checkouts')} checkouts`)
    }
  }
  const runAll = async (runSimulation: RunSimulation): Promise<void> => {
    await Promise.all(Array.from({ length: availableParallelism() }, () => runTasks(runSimulation)))
  }
  await (givenSimulation === undefined ? withProgram(runAll) : runAll(givenSimulation))
  const brokenPromises = sumOfAll('broken')
  if (brokenPromises > 0) throw new CommandError(`${brokenPromises} promises were broken, see above`)
  return {
    figureOf,
    sumOfAll,
    countCrashPoints: (kind) => new Set([...totals.values()].flatMap((each) => [...each[kind]])).size,
  }
}

export const parameters = '[checkouts] [seed]'

/**
 * Simulation proof: runs every workload with faults and crashes; a broken promise fails it and names the run to repeat.
 */
export const measure = async (
  [given = DEFAULT_CHECKOUTS, givenSeed = '1']: readonly string[],
  givenSimulation?: RunSimulation,
): Promise<Figures> => {
  const wanted = wholeNumber('the number of checkouts', given, CHECKOUTS_RANGE)
  const seed = wholeNumber('the seed', givenSeed, SEED_RANGE)
  const { figureOf, sumOfAll, countCrashPoints } = await runSimulations(tasksFor(wanted, seed), givenSimulation)
  if (sumOfAll('daysSummed') === 0)
    throw new CommandError('no day was summed meanwhile: the simulation shows nothing of it')
  return {
    firstSeed: seed,
    checkouts: figureOf('storm', 'checkouts') + figureOf(onSeveral('storm'), 'checkouts'),
    checkoutsOnSeveralServers: figureOf(onSeveral('storm'), 'checkouts'),
    cardHoldUnavailable: sumOfAll('holdUnavailable'),
    cardsLostByTheHold: sumOfAll('cardsLost'),
    wipedCardsThatCameBack: sumOfAll('cardsBack'),
    daysSummedMeanwhile: sumOfAll('daysSummed'),
    doubtsNamedOnHome: sumOfAll('doubtsOnHome'),
    portCalls: sumOfAll('steps'),
    crashes: sumOfAll('crashes'),
    charges: sumOfAll('charges'),
    refunds: sumOfAll('refunds'),
    momentsBeforeOrAfterACall: countCrashPoints('crashPointsPassed'),
    momentsOfDeath: countCrashPoints('crashPointsHit'),
    crashSteps: CRASH_STEPS,
    crashSchedules: figureOf('crash-steps', 'runs') / CRASH_STEPS,
    crashStepRuns: figureOf('crash-steps', 'runs'),
    crashStepCrashes: figureOf('crash-steps', 'crashes'),
    ...Object.fromEntries(RACE_WORKLOADS.map((race) => [race, figureOf(race, 'checkouts')])),
    silentHours: figureOf('silent-hour', 'runs'),
    schedulesOnPostgreSQL: figureOf('on-postgres', 'runs'),
    brokenPromises: sumOfAll('broken'),
  }
}
