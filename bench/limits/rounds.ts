/** Rounds: the same measurement several times, so that what else the machine did for a moment decides nothing. */
import { median } from '../../tools/measurement/percentile.ts'

/** The calmest rounds, those with the highest rates: whatever else ran at the time can only have made one slower. */
export const calmest = (rates: readonly number[], kept: number): number[] =>
  rates.toSorted((a, b) => b - a).slice(0, kept)

/** A majority of the rounds, and of these the middle one: neither the luckiest nor a disturbed one. */
export const calmRate = (rates: readonly number[]): number => median(calmest(rates, Math.ceil((rates.length + 1) / 2)))
