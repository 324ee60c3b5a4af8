/** Limits on tries: how often a network may ask for links, a passkey be tried in vain, and a person change something. Each has a bucket of its own; each server counts what is sent to it. */
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import { createTokenBuckets, type Rate } from '../limits/token-buckets.ts'

const RATES = {
  /**
   * By network: a link that is asked for is a row, and may be a mail. Many people may have one network: twenty at once, then one in
   * 100 seconds. For one address there are limits of its own.
   */
  links: { burst: 20, perSecond: 0.01 },
  /**
   * By passkey, and by the network or the session that tries: a strange signature costs CPU time. Of a passkey that is not known
   * nothing is verified and nothing written, so that none is counted: strangers cannot use up what the owner beside them needs.
   */
  assertions: { burst: 60, perSecond: 0.1 },
  /** By person: each is a row of the audit list. */
  changes: { burst: 100, perSecond: 1 },
} satisfies Readonly<Record<string, Rate>>

type Counted = keyof typeof RATES

export interface TryLimits {
  /** Why this caller may not try now; null: the try is counted. */
  readonly count: (what: Counted, caller: string) => Refusal | null
  /** Counts the work only if it is refused with this code. While it lasts it is counted, so that many at once do not pass. */
  readonly countFailed: <T extends object>(
    tried: { readonly what: Counted; readonly caller: string; readonly code: Refusal['refused'] },
    work: () => Promise<T | Refusal>,
  ) => Promise<T | Refusal>
}

export const createTryLimits = (elapsed: () => number): TryLimits => {
  const takeTokens = createTokenBuckets(elapsed)
  const take = (what: Counted, caller: string, cost: number): number =>
    takeTokens({ name: `${what} ${caller}`, rate: RATES[what], cost })
  const count: TryLimits['count'] = (what, caller) => {
    const retryAfterSeconds = take(what, caller, 1)
    return retryAfterSeconds === 0 ? null : refuse('too_many_tries', { retryAfterSeconds })
  }
  return {
    count,
    countFailed: async ({ what, caller, code }, work) => {
      const tooMany = count(what, caller)
      if (tooMany !== null) return tooMany
      let hasFailed = false
      try {
        const done = await work()
        hasFailed = isRefusal(done) && done.refused === code
        return done
      } finally {
        if (!hasFailed) take(what, caller, -1)
      }
    },
  }
}
