/** Token buckets: how often something may be done, counted in memory. Each server counts what is sent to it. */

/** A token bucket: how much it holds, and how much it gains a second. */
export interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** More names than are busy in the same two seconds; a bucket that was forgotten is full again. */
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

export interface TakenTokens {
  /** Whose bucket. */
  readonly name: string
  readonly rate: Rate
  /** Below 0: given back. */
  readonly cost: number
}

/** Takes from all these buckets. 0: it was taken; else nothing was, and the number is the seconds to wait. */
export type TakeTokens = (...taken: readonly TakenTokens[]) => number

export const createTokenBuckets = (elapsed: () => number): TakeTokens => {
  const buckets = new Map<string, Bucket>()
  const put = (name: string, bucket: Bucket): void => {
    // Last in the order of the map: the first was not used for longest.
    buckets.delete(name)
    const [oldest] = buckets.keys()
    if (oldest !== undefined && buckets.size >= BUCKETS_MAX) buckets.delete(oldest)
    buckets.set(name, bucket)
  }
  return (...taken) => {
    const now = elapsed()
    const found = taken.map(({ name, rate, cost }) => ({
      name,
      rate,
      // At most the whole bucket: otherwise a small bucket could never pay for it.
      cost: cost < 0 ? cost : Math.max(1, Math.min(cost, rate.burst)),
      tokens: refilled(buckets.get(name) ?? { tokens: rate.burst, at: now }, rate, now),
    }))
    const waits = found.flatMap(({ cost, tokens, rate }) => (tokens < cost ? [secondsUntil(cost, tokens, rate)] : []))
    if (waits.length > 0) return Math.max(...waits)
    for (const { name, cost, tokens, rate } of found)
      put(name, { tokens: Math.min(rate.burst, tokens - cost), at: now })
    return 0
  }
}
