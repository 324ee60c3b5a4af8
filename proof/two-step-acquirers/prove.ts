/**
 * Proof, two-step acquirers: storms and power cuts with acquirers that find an order by their own reference alone, one that opens
 * and confirms an intent as Stripe does, and one that authorises and captures as Adyen does.
 */
import type { Figures } from '../../tools/measurement/figures.ts'
import { SEED_RANGE, wholeNumber } from '../../tools/measurement/whole-number.ts'
import {
  CHECKOUTS_RANGE,
  onSeveral,
  powerCutTasks,
  runSimulations,
  stormTasks,
  type RunSimulation,
  type Task,
} from '../simulation/prove.ts'

const DEFAULT_CHECKOUTS = '100000'
const CRASH_SCHEDULES = 10
const KINDS = ['intent', 'capture'] as const

/** The power cuts first: a part that takes long is not left for the end, when the other cores have nothing to do. */
const tasksFor = (checkouts: number, seed: number): Task[] => [
  ...KINDS.flatMap((acquirer) =>
    powerCutTasks({ name: `${acquirer} power cuts`, schedules: CRASH_SCHEDULES, seed, acquirer }),
  ),
  ...KINDS.flatMap((acquirer) => stormTasks({ name: `${acquirer} storms`, checkouts, seed, acquirer })),
]

export const parameters = '[checkouts of each] [seed]'

export const measure = async (
  [given = DEFAULT_CHECKOUTS, givenSeed = '1']: readonly string[],
  givenSimulation?: RunSimulation,
): Promise<Figures> => {
  const wanted = wholeNumber('the number of checkouts', given, CHECKOUTS_RANGE)
  const seed = wholeNumber('the seed', givenSeed, SEED_RANGE)
  const { figureOf, sumOfAll, countCrashPoints } = await runSimulations(tasksFor(wanted, seed), givenSimulation)
  const stormsOf = (kind: string, figure: string): number =>
    figureOf(`${kind} storms`, figure) + figureOf(onSeveral(`${kind} storms`), figure)
  return {
    firstSeed: seed,
    ...Object.fromEntries(KINDS.map((kind) => [`${kind}: checkouts`, stormsOf(kind, 'checkouts')])),
    ...Object.fromEntries(KINDS.map((kind) => [`${kind}: charges`, stormsOf(kind, 'charges')])),
    ...Object.fromEntries(KINDS.map((kind) => [`${kind}: refunds`, stormsOf(kind, 'refunds')])),
    ...Object.fromEntries(KINDS.map((kind) => [`${kind}: powerCuts`, figureOf(`${kind} power cuts`, 'crashes')])),
    crashes: sumOfAll('crashes'),
    momentsBeforeOrAfterACall: countCrashPoints('crashPointsPassed'),
    momentsOfDeath: countCrashPoints('crashPointsHit'),
    brokenPromises: sumOfAll('broken'),
  }
}
