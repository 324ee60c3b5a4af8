/** Percentile and median: of measured times or rates, by the nearest rank; NaN where nothing was measured. */
export const percentile = (values: readonly number[], percent: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil((values.length * percent) / 100) - 1)] ?? Number.NaN

export const median = (values: readonly number[]): number => percentile(values, 50)
