import { availableParallelism } from 'node:os'
import { runKept } from '../leashed.mjs'
import type { Figures } from '../prove.ts'
import { isRecord, Refusal, say } from '../say.mjs'
import { root } from '../setup.mjs'

const USUAL_CHECKOUTS = 1_000_000
const CHECKOUTS_EACH = 40
const RUNS_EACH = 250
/** The crash proof: a power cut at each of so many steps, in so many schedules. */
const CRASH_STEPS = 200
const CRASH_SCHEDULES = 40
/** Together they take every step of a payment and of a refund. */
const CRASH_PLAYS = ['two-tabs', 'refund-against-refund'] as const
const RACES = ['two-tabs', 'pay-against-cancel', 'pay-against-deadline', 'refund-against-refund'] as const
const RACE_SCHEDULES = 1000
const RACERS_EACH = 10
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
  ...RACES.map((play) => task(play, play, { seed, runs: RACE_SCHEDULES / RACERS_EACH, checkouts: RACERS_EACH })),
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

const play = async ({ name, args }: Task, sums: Map<string, Sum>): Promise<void> => {
  const { code, output } = await runKept(process.execPath, ['server/simulation/main.ts', ...args], { cwd: root })
  const report: unknown = JSON.parse(output.trim().split('\n').at(-1) ?? 'null')
  if (!isRecord(report) || code !== 0) throw new Refusal(`a promise was broken: ${output.trim().slice(-2000)}`)
  const sum = sums.get(name) ?? { figures: new Map<string, number>(), passed: new Set(), diedAt: new Set() }
  sums.set(name, sum)
  for (const figure of ['runs', 'checkouts', 'steps', 'crashes', 'charges', 'refunds'])
    sum.figures.set(figure, (sum.figures.get(figure) ?? 0) + Number(report[figure]))
  for (const moments of ['passed', 'diedAt'] as const) {
    const named = report[moments]
    if (Array.isArray(named)) for (const moment of named) sum[moments].add(String(moment))
  }
}

/** Simulates payments in worlds where everything goes wrong; a broken promise fails it and names the run to play again. */
export const prove = async ([given = String(USUAL_CHECKOUTS), seed = '1']: string[]): Promise<Figures> => {
  const wanted = Number(given)
  if (!Number.isInteger(wanted) || wanted < CHECKOUTS_EACH) {
    throw new Refusal(`simulation takes a number of checkouts, not ${given}: npm run prove -- simulation 20000`)
  }
  const sums = new Map<string, Sum>()
  const of = (name: string, figure: string): number => sums.get(name)?.figures.get(figure) ?? 0
  const tasks = tasksFor(wanted, Number(seed))
  const total = tasks.length
  const hand = async (): Promise<void> => {
    for (let next = tasks.shift(); next !== undefined; next = tasks.shift()) {
      await play(next, sums)
      if (tasks.length % 10 === 0)
        say(`${total - tasks.length} of ${total} parts, ${of('storm', 'checkouts')} checkouts`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, hand))
  const all = (figure: string): number => [...sums.keys()].reduce((sum, name) => sum + of(name, figure), 0)
  const moments = (which: 'passed' | 'diedAt'): Set<string> =>
    new Set([...sums.values()].flatMap((sum) => [...sum[which]]))
  return {
    firstSeed: Number(seed),
    checkouts: of('storm', 'checkouts'),
    portCalls: all('steps'),
    crashes: all('crashes'),
    charges: all('charges'),
    refunds: all('refunds'),
    momentsBeforeOrAfterACall: moments('passed').size,
    momentsOfDeath: moments('diedAt').size,
    crashSteps: CRASH_STEPS,
    crashSchedules: CRASH_SCHEDULES,
    crashStepRuns: of('crash-steps', 'runs'),
    crashStepCrashes: of('crash-steps', 'crashes'),
    ...Object.fromEntries(RACES.map((race) => [race, of(race, 'checkouts')])),
    silentHours: of('silent-hour', 'runs'),
    brokenPromises: 0,
  }
}
