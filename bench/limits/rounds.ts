/** Rounds: the same measurement several times, so that another program on the machine does not decide the figure. */
import { median } from '../../tools/measurement/percentile.ts'

/** The rounds with the highest rates. Other programs can only make a round slower. */
export const calmest = (rates: readonly number[], kept: number): number[] =>
  rates.toSorted((a, b) => b - a).slice(0, kept)

/** The median of the faster majority of the rounds: neither the luckiest round nor a disturbed one. */
export const calmRate = (rates: readonly number[]): number => median(calmest(rates, Math.ceil((rates.length + 1) / 2)))
