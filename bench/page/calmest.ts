/** Calmest rounds: of all rounds, the half in which the machine was the least busy, and the medians of those. */
import { createHash } from 'node:crypto'
import { median } from '../../tools/measurement/percentile.ts'

/** One visit as numbers by name. What a page does not have, such as a field, has no number. */
export type Measures = Readonly<Record<string, number>>

export interface Round {
  /** How long the calibration task took around the visits of this round: longer on a busy machine. */
  readonly calibrationMs: number
  /** Of each page that was visited in this round. */
  readonly pages: Readonly<Record<string, Measures>>
}

const LEAST_ROUNDS = 3

/** At least three rounds, or all when there are fewer: the median of one would be that one. */
export const calmestRounds = (rounds: readonly Round[]): Round[] =>
  rounds
    .toSorted((a, b) => a.calibrationMs - b.calibrationMs)
    .slice(0, Math.max(LEAST_ROUNDS, Math.ceil(rounds.length / 2)))

/** The medians of one page over these rounds. A measure that some visit lacks has no median: that visit failed in it. */
export const medians = (rounds: readonly Round[], page: string): Measures => {
  const visits = rounds.map(({ pages }) => pages[page] ?? {})
  const names = Object.keys(visits[0] ?? {}).filter((name) => visits.every((visit) => visit[name] !== undefined))
  return Object.fromEntries(names.map((name) => [name, median(visits.flatMap((visit) => visit[name] ?? []))]))
}

/** The highest of all rounds, calm or not, for what must never happen. */
export const highest = (rounds: readonly Round[], page: string, measure: string): number =>
  Math.max(...rounds.map(({ pages }) => pages[page]?.[measure] ?? Number.NEGATIVE_INFINITY))

const CALIBRATION_BYTES = Buffer.alloc(4_000_000, 'kaikei')
const CALIBRATION_REPEATS = 5

/** A task of always the same work, in milliseconds. */
export const calibrate = (): number => {
  const started = performance.now()
  for (let each = 0; each < CALIBRATION_REPEATS; each += 1)
    createHash('sha256').update(CALIBRATION_BYTES).update(String(each)).digest()
  return performance.now() - started
}
