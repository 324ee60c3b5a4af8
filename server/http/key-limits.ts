/** Key limits: how many calls each API key may make, by token buckets in memory. There is one server, so they are exact. */
import type { MerchantMode } from '#contract/merchant.ts'

/** So many calls at once, and so many a second in the long run. */
interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** `refunds` counts beside `calls`, for what gives money back. */
type Limited = 'calls' | 'refunds'
export type KeyLimits = Readonly<Record<MerchantMode, Readonly<Record<Limited, Rate>>>>

/** Of test keys nothing is charged, and load tests run with them. */
const TEST_FACTOR = 10
const tenfold = ({ burst, perSecond }: Rate): Rate => ({
  burst: burst * TEST_FACTOR,
  perSecond: perSecond * TEST_FACTOR,
})

const CALLS: Rate = { burst: 200, perSecond: 100 }
const REFUNDS: Rate = { burst: 5, perSecond: 5 }

export const KEY_LIMITS: KeyLimits = {
  live: { calls: CALLS, refunds: REFUNDS },
  test: { calls: tenfold(CALLS), refunds: tenfold(REFUNDS) },
}

/** More keys than are busy in the same two seconds; a bucket that was forgotten is full again. */
export const BUCKETS_MAX = 10_000

interface Bucket {
  readonly tokens: number
  readonly at: number
}

/** Never below where it was: `elapsed` may begin anew where one process simulates many. */
const refilled = ({ tokens, at }: Bucket, { burst, perSecond }: Rate, now: number): number =>
  Math.min(burst, tokens + (Math.max(0, now - at) / 1000) * perSecond)

const secondsUntilOne = (tokens: number, { perSecond }: Rate): number =>
  Math.max(1, Math.ceil((1 - tokens) / perSecond))

interface LimitedCall {
  readonly keyHash: string
  readonly mode: MerchantMode
  readonly isRefund: boolean
}

/** Counts a call. 0: it may go on; else it may not, and counts for nothing: after so many seconds it may be tried again. */
export type CountCall = (call: LimitedCall) => number

export const createKeyLimiter = (limits: KeyLimits, elapsed: () => number): CountCall => {
  const buckets = new Map<string, Bucket>()
  const put = (name: string, bucket: Bucket): void => {
    // Last in the order of the map: the first was not used for longest.
    buckets.delete(name)
    const [oldest] = buckets.keys()
    if (oldest !== undefined && buckets.size >= BUCKETS_MAX) buckets.delete(oldest)
    buckets.set(name, bucket)
  }
  return ({ keyHash, mode, isRefund }) => {
    const now = elapsed()
    const counted: readonly Limited[] = isRefund ? ['calls', 'refunds'] : ['calls']
    const found = counted.map((limited) => {
      const rate = limits[mode][limited]
      const name = `${limited} ${keyHash}`
      return { name, rate, tokens: refilled(buckets.get(name) ?? { tokens: rate.burst, at: now }, rate, now) }
    })
    const waits = found.flatMap(({ tokens, rate }) => (tokens < 1 ? [secondsUntilOne(tokens, rate)] : []))
    if (waits.length > 0) return Math.max(...waits)
    for (const { name, tokens } of found) put(name, { tokens: tokens - 1, at: now })
    return 0
  }
}
