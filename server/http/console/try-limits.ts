/** Limits on tries: how often a network may ask for links, open them and sign in. Each server counts what is sent to it. */
import { refuse, type Refusal } from '#contract/errors.ts'
import { createTokenBuckets, type Rate } from '../limits/token-buckets.ts'

/** An office with twenty people behind one address signs in without a wait; a program that guesses does so six times a minute. */
const TRIES: Rate = { burst: 60, perSecond: 0.1 }

/** A link that is asked for costs a mail. */
const COSTS = { tries: 1, links: 10 } as const

export type CountTry = (what: keyof typeof COSTS, network: string) => Refusal | null

export const createTryLimits = (elapsed: () => number): CountTry => {
  const take = createTokenBuckets(elapsed)
  return (what, network) => {
    const retryAfterSeconds = take({ name: network, rate: TRIES, cost: COSTS[what] })
    return retryAfterSeconds === 0 ? null : refuse('too_many_tries', { retryAfterSeconds })
  }
}
