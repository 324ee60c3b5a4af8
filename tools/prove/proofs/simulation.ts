import { availableParallelism } from 'node:os'
import { runKept } from '../../exit-with-parent/spawn.mjs'
import type { Figures } from './figures.ts'
import { CommandError } from '../../command-error.mjs'
import { isRecord } from '../../is-record.mjs'
import { printProgress } from '../../progress.mjs'
import { root } from '../../setup/setup.mjs'
import { lastReport, numberIn } from './last-report.ts'
import { SEEDS, wholeNumber } from './whole-number.ts'

const USUAL_CHECKOUTS = '1000000'
const CHECKOUTS = { from: 1, to: 1_000_000_000 }
const CHECKOUTS_EACH = 40
const RUNS_EACH = 250
/** The crash proof: a power cut at each of so many steps, in so many schedules. */
const CRASH_STEPS = 200
const CRASH_SCHEDULES = 40
/** Together they take every step of a payment and of a refund. */
const CRASH_PLAYS = ['two-tabs', 'refund-against-refund'] as const
const RACE_PLAYS = ['two-tabs', 'pay-against-cancel', 'pay-against-deadline', 'refund-against-refund'] as const
/** Every checkout of such a play is one race; a schedule runs several at once. */
const RACES_OF_EACH = 1000
const RACES_AT_ONCE = 10
const SILENT_HOURS = 50

interface Task {
  readonly name: string
  readonly args: readonly string[]
}

const task = (name: string, play: string, rest: Readonly<Record<string, number>>): Task => ({
  name,
  args: ['--play', play, ...Object.entries(rest).flatMap(([option, value]) => [`--${option}`, String(value)])],
})

const tasksFor = (checkouts: number, seed: number): Task[] => [
  ...RACE_PLAYS.map((play) =>
    task(play, play, { seed, runs: RACES_OF_EACH / RACES_AT_ONCE, checkouts: RACES_AT_ONCE }),
  ),
  task('silent-hour', 'silent-hour', { seed, runs: SILENT_HOURS, checkouts: 2 }),
  ...CRASH_PLAYS.map((play) =>
    task('crash-steps', play, {
      seed,
      runs: CRASH_SCHEDULES / CRASH_PLAYS.length,
      checkouts: 1,
      'crash-steps': CRASH_STEPS,
    }),
  ),
  ...Array.from({ length: Math.ceil(checkouts / CHECKOUTS_EACH / RUNS_EACH) }, (_, part) =>
    task('storm', 'storm', { seed: seed + part * RUNS_EACH, runs: RUNS_EACH, checkouts: CHECKOUTS_EACH }),
  ),
]

/** What all parts of one kind came to. */
interface Sum {
  readonly figures: Map<string, number>
  readonly passed: Set<string>
  readonly diedAt: Set<string>
}

const COUNTED = ['runs', 'checkouts', 'steps', 'crashes', 'charges', 'refunds'] as const

type Play = (args: readonly string[]) => Promise<{ readonly code: number; readonly output: string }>

const playHere: Play = (args) => runKept(process.execPath, ['proof/simulation/main.ts', ...args], { cwd: root })

/** Each promise that a schedule broke, with the command that plays it again. */
const brokenIn = (report: Readonly<Record<string, unknown>>): string[] => {
  const { failures } = report
  if (!Array.isArray(failures)) throw new CommandError('the report does not say which promises were broken')
  return failures.flatMap((failure: unknown) => {
    const { command, broken } = isRecord(failure) ? failure : {}
    const promises: unknown[] = Array.isArray(broken) && broken.length > 0 ? broken : [failure]
    return promises.map((promise) => `${String(promise)}: ${String(command)}`)
  })
}

const take = async ({ name, args }: Task, sums: Map<string, Sum>, play: Play): Promise<void> => {
  const { code, output } = await play(args)
  const report = lastReport('proof/simulation/main.ts', output)
  const broken = brokenIn(report)
  for (const line of broken) printProgress(line)
  if (code !== 0 && broken.length === 0)
    throw new CommandError(`proof/simulation/main.ts ended with ${code}: ${output}`)
  const sum = sums.get(name) ?? { figures: new Map<string, number>(), passed: new Set(), diedAt: new Set() }
  sums.set(name, sum)
  const add = (figure: string, value: number) => sum.figures.set(figure, (sum.figures.get(figure) ?? 0) + value)
  for (const figure of COUNTED) add(figure, numberIn(report, figure))
  add('broken', broken.length)
  for (const moments of ['passed', 'diedAt'] as const) {
    const named = report[moments]
    if (Array.isArray(named)) for (const moment of named) sum[moments].add(String(moment))
  }
}

/**
 * Simulates payments in worlds where everything goes wrong; a broken promise fails it and names the run to play again.
 * Storms come in parts of ten thousand checkouts, so there are rather more of them than fewer.
 */
export const prove = async (
  [given = USUAL_CHECKOUTS, givenSeed = '1']: readonly string[],
  play: Play = playHere,
): Promise<Figures> => {
  const wanted = wholeNumber('the number of checkouts', given, CHECKOUTS)
  const seed = wholeNumber('the seed', givenSeed, SEEDS)
  const sums = new Map<string, Sum>()
  const of = (name: string, figure: string): number => sums.get(name)?.figures.get(figure) ?? 0
  const tasks = tasksFor(wanted, seed)
  const total = tasks.length
  const hand = async (): Promise<void> => {
    for (let next = tasks.shift(); next !== undefined; next = tasks.shift()) {
      await take(next, sums, play)
      if (tasks.length % 10 === 0)
        printProgress(`${total - tasks.length} of ${total} parts, ${of('storm', 'checkouts')} checkouts`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, hand))
  const all = (figure: string): number => [...sums.keys()].reduce((sum, name) => sum + of(name, figure), 0)
  const brokenPromises = all('broken')
  if (brokenPromises > 0) throw new CommandError(`${brokenPromises} promises were broken, see above`)
  const moments = (which: 'passed' | 'diedAt'): Set<string> =>
    new Set([...sums.values()].flatMap((sum) => [...sum[which]]))
  return {
    firstSeed: seed,
    checkouts: of('storm', 'checkouts'),
    portCalls: all('steps'),
    crashes: all('crashes'),
    charges: all('charges'),
    refunds: all('refunds'),
    momentsBeforeOrAfterACall: moments('passed').size,
    momentsOfDeath: moments('diedAt').size,
    crashSteps: CRASH_STEPS,
    crashSchedules: of('crash-steps', 'runs') / CRASH_STEPS,
    crashStepRuns: of('crash-steps', 'runs'),
    crashStepCrashes: of('crash-steps', 'crashes'),
    ...Object.fromEntries(RACE_PLAYS.map((race) => [race, of(race, 'checkouts')])),
    silentHours: of('silent-hour', 'runs'),
    brokenPromises,
  }
}
