/** Limits on tries: how often a network may ask for links, a passkey or a link be tried in vain, and a person change something. Each kind has buckets of its own; each server counts what is sent to it. */
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import { createTokenBuckets, type Rate } from '../limits/token-buckets.ts'

const RATES = {
  /**
   * By network: a link that is asked for is a row, and may be a mail. Many people may have one network: twenty at once, then one in
   * 100 seconds. For one address there are limits of its own.
   */
  links: { burst: 20, perSecond: 0.01 },
  /** By link and network: of one that works, but not for whoever tries it. It is looked at under the lock of all changes of people. */
  uses: { burst: 60, perSecond: 0.1 },
  /**
   * By passkey, and by the network or the session that tries: a strange signature costs CPU time. Of a passkey that is not known
   * nothing is verified and nothing written, so that none is counted: strangers cannot use up what the owner beside them needs.
   */
  assertions: { burst: 60, perSecond: 0.1 },
  /** By passkey and network: sign-ins, right ones too. They take the same lock; whoever signs in by hand is never so quick. */
  signIns: { burst: 100, perSecond: 1 },
  /** By person: each is a row of the audit list. */
  changes: { burst: 100, perSecond: 1 },
} satisfies Readonly<Record<string, Rate>>

type Counted = keyof typeof RATES

interface Tried {
  readonly what: Counted
  readonly caller: string
  /** A refusal that is not counted either: it costs a reading. */
  readonly free?: Refusal['refused']
}

export interface TryLimits {
  /** Why this caller may not try now; null: the try is counted. */
  readonly count: (what: Counted, caller: string) => Refusal | null
  /** Counts the work only if it is refused. While it lasts it is counted, so that many at once do not pass. */
  readonly countFailed: <T extends object>(tried: Tried, work: () => Promise<T | Refusal>) => Promise<T | Refusal>
}

export const createTryLimits = (elapsed: () => number): TryLimits => {
  const bucketsOf = new Map<Counted, ReturnType<typeof createTokenBuckets>>()
  const take = (what: Counted, name: string, cost: number): number => {
    const buckets = bucketsOf.get(what) ?? createTokenBuckets(elapsed)
    bucketsOf.set(what, buckets)
    return buckets({ name, rate: RATES[what], cost })
  }
  const count: TryLimits['count'] = (what, caller) => {
    const retryAfterSeconds = take(what, caller, 1)
    return retryAfterSeconds === 0 ? null : refuse('too_many_tries', { retryAfterSeconds })
  }
  return {
    count,
    countFailed: async ({ what, caller, free }, work) => {
      const tooMany = count(what, caller)
      if (tooMany !== null) return tooMany
      let hasFailed = false
      try {
        const done = await work()
        hasFailed = isRefusal(done) && done.refused !== free
        return done
      } finally {
        if (!hasFailed) take(what, caller, -1)
      }
    },
  }
}
