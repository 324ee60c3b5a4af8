/** Token buckets in memory: what may be done at once, and how often after that. Each server counts what is sent to it. */

/** How much a bucket holds, and how much it gains a second. */
export interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** More than are busy at the same time; a bucket that was forgotten is full again. */
export const BUCKETS_MAX = 10_000

interface Bucket {
  readonly tokens: number
  readonly at: number
}

/** Never below where it was: `elapsed` may begin anew where one process simulates many. */
const refilled = ({ tokens, at }: Bucket, { burst, perSecond }: Rate, now: number): number =>
  Math.min(burst, tokens + (Math.max(0, now - at) / 1000) * perSecond)

const secondsUntil = (cost: number, tokens: number, { perSecond }: Rate): number =>
  Math.max(1, Math.ceil((cost - tokens) / perSecond))

interface Wanted {
  readonly name: string
  readonly rate: Rate
  readonly cost: number
}

export interface TokenBuckets {
  /** Takes from all buckets, or from none. 0: it may go on; else after so many seconds it may be tried again. */
  take(wanted: readonly Wanted[]): number
}

export const createTokenBuckets = (elapsed: () => number): TokenBuckets => {
  const buckets = new Map<string, Bucket>()
  const put = (name: string, bucket: Bucket): void => {
    // Last in the order of the map: the first was not used for longest.
    buckets.delete(name)
    const [oldest] = buckets.keys()
    if (oldest !== undefined && buckets.size >= BUCKETS_MAX) buckets.delete(oldest)
    buckets.set(name, bucket)
  }
  return {
    take: (wanted) => {
      const now = elapsed()
      const found = wanted.map(({ name, rate, cost }) => ({
        name,
        rate,
        // At most the whole bucket: otherwise a small bucket could never pay for it.
        cost: Math.max(1, Math.min(cost, rate.burst)),
        tokens: refilled(buckets.get(name) ?? { tokens: rate.burst, at: now }, rate, now),
      }))
      const waits = found.flatMap(({ cost, tokens, rate }) => (tokens < cost ? [secondsUntil(cost, tokens, rate)] : []))
      if (waits.length > 0) return Math.max(...waits)
      for (const { name, cost, tokens } of found) put(name, { tokens: tokens - cost, at: now })
      return 0
    },
  }
}
