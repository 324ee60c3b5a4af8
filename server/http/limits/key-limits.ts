/** Key limits: what the calls of each API key, and of each session of a person, may cost, by token buckets in memory. Each server counts what is sent to it. */
import type { MerchantMode } from '#contract/access.ts'

/** A token bucket: how much it holds, and how much it gains a second. */
interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** `calls` counts what each call costs (CALL_COSTS), `refunds` beside it the calls that give money back. */
type Limited = 'calls' | 'refunds'
export type KeyLimits = Readonly<Record<MerchantMode, Readonly<Record<Limited, Rate>>>>

const CALLS: Rate = { burst: 200, perSecond: 100 }
const REFUNDS: Rate = { burst: 5, perSecond: 5 }

/** A test key costs the server what a live one does, and is given away more easily: it may not do more. */
export const KEY_LIMITS: KeyLimits = {
  live: { calls: CALLS, refunds: REFUNDS },
  test: { calls: CALLS, refunds: REFUNDS },
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

const secondsUntil = (cost: number, tokens: number, { perSecond }: Rate): number =>
  Math.max(1, Math.ceil((cost - tokens) / perSecond))

interface LimitedCall {
  /** The hash of the API key or of the session. */
  readonly callerHash: string
  readonly mode: MerchantMode
  /** What the call takes from the budget of its caller. */
  readonly cost: number
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
  return ({ callerHash, mode, cost: callCost, isRefund }) => {
    const now = elapsed()
    const counted: readonly Limited[] = isRefund ? ['calls', 'refunds'] : ['calls']
    const found = counted.map((limited) => {
      const rate = limits[mode][limited]
      const name = `${limited} ${callerHash}`
      // A call costs at most the whole bucket: otherwise a small bucket could never pay for it.
      const cost = Math.max(1, Math.min(limited === 'calls' ? callCost : 1, rate.burst))
      return { name, rate, cost, tokens: refilled(buckets.get(name) ?? { tokens: rate.burst, at: now }, rate, now) }
    })
    const waits = found.flatMap(({ cost, tokens, rate }) => (tokens < cost ? [secondsUntil(cost, tokens, rate)] : []))
    if (waits.length > 0) return Math.max(...waits)
    for (const { name, cost, tokens } of found) put(name, { tokens: tokens - cost, at: now })
    return 0
  }
}
