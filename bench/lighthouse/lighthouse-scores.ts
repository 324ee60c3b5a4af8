/** Lighthouse scores: their medians, and the least that each must be. */
import type { Figures } from '../../tools/measurement/figures.ts'
import { median } from '../../tools/measurement/percentile.ts'

/** From 0 to 100, by category. */
export type Scores = Readonly<Record<string, number>>

export const SCORE_LIMITS: Readonly<Record<string, number>> = {
  performance: 98,
  accessibility: 100,
  'best-practices': 100,
}

export const medianScores = (runs: readonly Scores[]): Scores =>
  Object.fromEntries(
    Object.keys(SCORE_LIMITS).map((category) => {
      const scores = runs.flatMap((run) => run[category] ?? [])
      if (scores.length === 0) throw new Error(`no run has a score for ${category}`)
      return [category, median(scores)]
    }),
  )

/** Each limit beside the lowest score of all screens. */
export const judgeScores = (screens: Readonly<Record<string, Scores>>): Figures =>
  Object.fromEntries(
    Object.entries(SCORE_LIMITS).map(([category, least]) => {
      const scores = Object.entries(screens).map(([at, measured]) => ({ at, score: measured[category] ?? 0 }))
      const [worst] = scores.toSorted((a, b) => a.score - b.score)
      if (worst === undefined) throw new Error(`nothing was measured for ${category}`)
      const verdict = worst.score >= least ? 'holds' : 'does not hold'
      return [category, { says: `Lighthouse, ${category}`, least, worst: worst.score, at: worst.at, verdict }]
    }),
  )
