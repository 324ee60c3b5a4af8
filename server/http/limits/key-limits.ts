/** Key limits: what the calls of each API key, and of each person in all sessions, may cost. */
import type { MerchantMode } from '#contract/access.ts'
import { createTokenBuckets, type Rate } from './token-buckets.ts'

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

interface LimitedCall {
  /** The hash of the API key, or the id of the person. */
  readonly callerHash: string
  readonly mode: MerchantMode
  /** What the call takes from the budget of its caller. */
  readonly cost: number
  readonly isRefund: boolean
}

/** Counts a call. 0: it may go on; else it may not and is not counted, and the number is the seconds to wait. */
export type CountCall = (call: LimitedCall) => number

export const createKeyLimiter = (limits: KeyLimits, elapsed: () => number): CountCall => {
  const take = createTokenBuckets(elapsed)
  return ({ callerHash, mode, cost, isRefund }) => {
    const bucketOf = (limited: Limited) => ({ name: `${limited} ${callerHash}`, rate: limits[mode][limited] })
    const calls = { ...bucketOf('calls'), cost }
    return isRefund ? take(calls, { ...bucketOf('refunds'), cost: 1 }) : take(calls)
  }
}
