/** Sampler: lets one event of a kind through in a while, where strangers can cause as many as they like. */

const SAMPLE_INTERVAL_MS = 10_000

/** True for the first event of its kind in ten seconds. The kinds must be few: each is remembered. */
export type Sampler = (kind: string) => boolean

export const createSampler = (elapsed: () => number): Sampler => {
  const letThroughAt = new Map<string, number>()
  return (kind) => {
    const now = elapsed()
    if (now - (letThroughAt.get(kind) ?? Number.NEGATIVE_INFINITY) < SAMPLE_INTERVAL_MS) return false
    letThroughAt.set(kind, now)
    return true
  }
}
