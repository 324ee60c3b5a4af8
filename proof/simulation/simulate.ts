/** Simulation of one schedule: runs its checkouts in a simulated world, then checks every promise. */
import type { Database } from '../../server/store/engine/database.ts'
import type { AcquirerKind } from './adapters.ts'
import { checkRun } from './checks.ts'
import { WORKLOADS, type Workload, type WorkloadName } from './workloads.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { openSimulationStore } from './store.ts'
import { openWorld } from './world.ts'

/** Schedule: everything that decides a run. The same schedule is the same run. */
export interface Schedule {
  readonly workload: WorkloadName
  readonly seed: number
  readonly checkouts: number
  /** The process dies at exactly this step; null: at random steps. */
  readonly crashAt: number | null
  /** Left out: one that finds an order by our order code. */
  readonly acquirer?: AcquirerKind
  /** Left out: one server, which holds cards in its memory. Several share them. */
  readonly servers?: number
}

const DEFAULT_CHECKOUTS = 10

const countByName = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** Runs one schedule on an emptied database, or on the empty one that is given. */
export const simulate = async (schedule: Schedule, given?: Database) => {
  const { seed, checkouts, crashAt, acquirer: acquirerKind = 'order-id', servers = 1 } = schedule
  const workload: Workload = WORKLOADS[schedule.workload]
  const random = seededRandom(seed)
  const messageFaultRate = random.oneOf(workload.faultRates)
  // With more checkouts in one run, each of them lives through more steps.
  const crashRate = (random.oneOf(workload.crashRates) * DEFAULT_CHECKOUTS) / checkouts
  const crashRandom = random.split()
  const crashesAtStep = crashAt === null ? () => crashRandom.chance(crashRate) : (step: number) => step === crashAt
  const store = given ?? (await openSimulationStore())
  const world = await openWorld(store, random.split(), {
    messageFaultRate,
    crashesAtStep,
    isRealTimeStore: given !== undefined,
    acquirerKind,
    servers,
  })
  workload.injectFaults?.(world, random.split())
  const run = await world.run(
    Array.from({ length: checkouts }, () => {
      const own = random.split()
      return () => workload.runCheckout(world, own)
    }),
  )
  const checked = await checkRun(run)
  // Where the response to its creation was lost, no shopper ever had the link.
  const outcomes = checked.outcomes.filter(({ lastMessages }) => lastMessages.length > 0)
  const outcomeFaults = outcomes.flatMap((outcome) => {
    const fault = workload.outcomeFault?.(outcome)
    return fault === undefined ? [] : [`checkout ${outcome.checkoutId} ${fault}`]
  })
  const charged = [...run.ordersAtAcquirer.values()].filter(({ status }) => status === 'charged')
  const { steps, crashPointsPassed, crashPointsHit } = world.processes
  return {
    schedule,
    brokenPromises: [...checked.brokenPromises, ...outcomeFaults],
    steps,
    crashes: world.crashes,
    charges: charged.length,
    refunds: charged.reduce((count, { refunds }) => count + refunds.size, 0),
    alarms: run.alarms.length,
    holdUnavailable: run.holdWatch.unavailable,
    cardsLost: run.cardsLost,
    cardsBack: run.cardsBack,
    /** Days whose figures the worker has stored meanwhile. */
    daysSummed: checked.daysSummed,
    /** Busy open days that it has counted. */
    doubtsOnHome: run.home.doubtsOnHome,
    /** How many checkouts ended in which status. */
    statuses: countByName(outcomes.map(({ status }) => status)),
    /** How often shoppers saw which message. */
    messagesShown: countByName(run.messagesShown.map(({ message }) => message)),
    crashPointsPassed,
    crashPointsHit,
  }
}

export type RunReport = Awaited<ReturnType<typeof simulate>>
