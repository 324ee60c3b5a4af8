/** Out of a hundred: shares as whole numbers that add up to a hundred, whatever was rounded. */

/** By the largest remainder: those who lost most by rounding down get the rest. All 0 where nothing was counted. */
export const outOfHundred = (counts: readonly number[]): number[] => {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return counts.map(() => 0)
  const shares = counts.map((count) => Math.floor((count * 100) / total))
  const left = 100 - shares.reduce((sum, share) => sum + share, 0)
  const remainders = counts.map((count, place) => ({ place, remainder: (count * 100) % total }))
  const raised = new Set(
    remainders
      .toSorted((one, other) => other.remainder - one.remainder || one.place - other.place)
      .slice(0, left)
      .map(({ place }) => place),
  )
  return shares.map((share, place) => (raised.has(place) ? share + 1 : share))
}
