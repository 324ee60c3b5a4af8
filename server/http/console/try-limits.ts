/** Limits on tries: how often a network may ask for links, open them and sign in, and a person change something. Each server counts what is sent to it. */
import { refuse, type Refusal } from '#contract/errors.ts'
import { createTokenBuckets, type Rate } from '../limits/token-buckets.ts'

/** First 60 tries at once, then six a minute: an office with twenty people behind one address signs in without a wait. */
const TRIES: Rate = { burst: 60, perSecond: 0.1 }

/** A signed-in person makes at most this many changes: each is a row of the audit list, or a challenge that waits five minutes. */
const CHANGES: Rate = { burst: 100, perSecond: 1 }

/** A link that is asked for costs a mail, from the same budget as a try. */
const LIMITS = {
  tries: { bucket: 'tries', rate: TRIES, cost: 1 },
  links: { bucket: 'tries', rate: TRIES, cost: 10 },
  changes: { bucket: 'changes', rate: CHANGES, cost: 1 },
} as const

/** `caller`: a network, or the id of a person. */
export type CountTry = (what: keyof typeof LIMITS, caller: string) => Refusal | null

export const createTryLimits = (elapsed: () => number): CountTry => {
  const take = createTokenBuckets(elapsed)
  return (what, caller) => {
    const { bucket, rate, cost } = LIMITS[what]
    const retryAfterSeconds = take({ name: `${bucket} ${caller}`, rate, cost })
    return retryAfterSeconds === 0 ? null : refuse('too_many_tries', { retryAfterSeconds })
  }
}
