import type { Database } from '../../server/store/database.ts'
import { judgeWorld } from './checks.ts'
import { PLAYS, type Play, type PlayName } from './plays.ts'
import type { CrashPoint } from './process.ts'
import { seededDice } from '../harness/seeded.ts'
import { openStore } from './store.ts'
import { openWorld } from './world.ts'

/** Everything that makes a run what it is: the same schedule is the same run. */
export interface Schedule {
  readonly play: PlayName
  readonly seed: number
  readonly checkouts: number
  /** Dies at exactly this step; null: at random steps. */
  readonly crashAt: number | null
}

export interface Report {
  readonly schedule: Schedule
  readonly broken: readonly string[]
  readonly steps: number
  readonly crashes: number
  readonly charges: number
  readonly refunds: number
  readonly alarms: number
  /** How many checkouts ended how. */
  readonly endings: Readonly<Record<string, number>>
  /** How often the shoppers were told what. */
  readonly words: Readonly<Record<string, number>>
  readonly passed: ReadonlySet<CrashPoint>
  readonly diedAt: ReadonlySet<CrashPoint>
}

const USUAL_CHECKOUTS = 10

const countsOf = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** Plays one schedule on a database of its own, or on the empty one that is handed in. */
export const simulate = async (schedule: Schedule, given?: Database): Promise<Report> => {
  const { seed, checkouts, crashAt } = schedule
  const play: Play = PLAYS[schedule.play]
  const dice = seededDice(seed)
  const trouble = dice.oneOf(play.troubles)
  // In a fuller world there are more steps in the life of each checkout.
  const crashRate = (dice.oneOf(play.crashRates) * USUAL_CHECKOUTS) / checkouts
  const crashDice = dice.split()
  const dies = crashAt === null ? () => crashDice.chance(crashRate) : (step: number) => step === crashAt
  const store = given ?? (await openStore())
  const world = await openWorld(store, dice.split(), { trouble, dies, isSlowStore: given !== undefined })
  play.befall?.(world, dice.split())
  const evidence = await world.run(
    Array.from({ length: checkouts }, () => {
      const hand = dice.split()
      return () => play.live(world, hand)
    }),
  )
  const verdict = await judgeWorld(evidence)
  // A checkout whose answer the merchant never got is nobody's: its link was given to no one.
  const endings = verdict.endings.filter(({ lastWords }) => lastWords.length > 0)
  const misjudged = endings.flatMap((ending) => {
    const wrong = play.judge?.(ending)
    return wrong === undefined ? [] : [`checkout ${ending.checkoutId} ${wrong}`]
  })
  if (given === undefined) await store.close()
  const charged = [...evidence.books.values()].filter(({ status }) => status === 'charged')
  const { steps, passed, diedAt } = world.process
  return {
    schedule,
    broken: [...verdict.broken, ...misjudged],
    steps,
    crashes: world.crashes,
    charges: charged.length,
    refunds: charged.reduce((count, { refunds }) => count + refunds.size, 0),
    alarms: evidence.alarms.length,
    endings: countsOf(endings.map(({ status }) => status)),
    words: countsOf(evidence.told.map(({ word }) => word)),
    passed,
    diedAt,
  }
}
