/**
 * Proof, two-step acquirers: storms and power cuts with acquirers that find an order by their own reference alone, one that opens
 * and confirms an intent as Stripe does, and one that authorises and captures as Adyen does.
 */
import type { Figures } from '../../tools/measurement/figures.ts'
import { SEED_RANGE, wholeNumber } from '../../tools/measurement/whole-number.ts'
import { runSimulations, task, type RunSimulation, type Task } from '../simulation/prove.ts'

const DEFAULT_CHECKOUTS = '100000'
const CHECKOUTS_RANGE = { from: 1, to: 1_000_000_000 }
const CHECKOUTS_PER_STORM = 40
const STORMS_PER_TASK = 125
const CRASH_STEPS = 200
const CRASH_SCHEDULES = 5
const KINDS = ['intent', 'capture'] as const

const tasksFor = (checkouts: number, seed: number): Task[] =>
  KINDS.flatMap((acquirer) => [
    ...(['two-tabs', 'refund-against-refund'] as const).map((workload) =>
      task(`${acquirer} power cuts`, workload, {
        acquirer,
        seed,
        runs: CRASH_SCHEDULES,
        checkouts: 1,
        'crash-steps': CRASH_STEPS,
      }),
    ),
    ...Array.from({ length: Math.ceil(checkouts / CHECKOUTS_PER_STORM / STORMS_PER_TASK) }, (_, part) =>
      task(`${acquirer} storms`, 'storm', {
        acquirer,
        seed: seed + part * STORMS_PER_TASK,
        runs: STORMS_PER_TASK,
        checkouts: CHECKOUTS_PER_STORM,
      }),
    ),
  ])

export const parameters = '[checkouts of each] [seed]'

/** Storms come in parts of five thousand checkouts, so there may be more checkouts than asked for. */
export const measure = async (
  [given = DEFAULT_CHECKOUTS, givenSeed = '1']: readonly string[],
  givenSimulation?: RunSimulation,
): Promise<Figures> => {
  const wanted = wholeNumber('the number of checkouts', given, CHECKOUTS_RANGE)
  const seed = wholeNumber('the seed', givenSeed, SEED_RANGE)
  const { figureOf, sumOfAll, countCrashPoints } = await runSimulations(tasksFor(wanted, seed), givenSimulation)
  return {
    firstSeed: seed,
    ...Object.fromEntries(KINDS.map((kind) => [`${kind}: checkouts`, figureOf(`${kind} storms`, 'checkouts')])),
    ...Object.fromEntries(KINDS.map((kind) => [`${kind}: charges`, figureOf(`${kind} storms`, 'charges')])),
    ...Object.fromEntries(KINDS.map((kind) => [`${kind}: refunds`, figureOf(`${kind} storms`, 'refunds')])),
    ...Object.fromEntries(KINDS.map((kind) => [`${kind}: powerCuts`, figureOf(`${kind} power cuts`, 'crashes')])),
    crashes: sumOfAll('crashes'),
    momentsBeforeOrAfterACall: countCrashPoints('crashPointsPassed'),
    momentsOfDeath: countCrashPoints('crashPointsHit'),
    brokenPromises: sumOfAll('broken'),
  }
}
