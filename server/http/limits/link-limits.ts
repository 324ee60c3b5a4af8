/** Link limits: how many checkouts the visitors of reusable links may have stored, by sending a first card for each. */
import { HOUSEHOLD_TIMES, householdOf, SITE_TIMES, siteOf } from '#payment/client-network-limits.ts'
import { createTokenBuckets, type Rate, type TakenTokens, type TakeTokens } from './token-buckets.ts'

/** At all links together. Behind one address stand the guests of a whole room who scan the same code. */
export const STORED_PER_NETWORK: Rate = { burst: 30, perSecond: 0.5 }

/** By visitors of all networks: together with the part that is kept, more than pay at a crowded counter. */
export const STORED_PER_LINK: Rate = { burst: 100, perSecond: 2.5 }

/** Kept of a link's budget for networks that have stored nothing by it lately: a visitor is served while bots keep it busy. */
export const KEPT_PER_LINK: Rate = { burst: 100, perSecond: 2.5 }

/** How much of what is kept one network may take: one in ten minutes. */
const KEPT_PER_NETWORK: Rate = { burst: 1, perSecond: 1 / 600 }

/** What the first card of a checkout has taken of these budgets. */
export interface CountedCard {
  /** 0: one more checkout may be stored; else nothing was taken, and these are the seconds after which it may be tried again. */
  readonly waitSeconds: number
  /** To be called where nothing was stored after all. */
  giveBack(): void
}

export type CountStored = (stored: { readonly network: string; readonly linkId: string }) => CountedCard

const times = ({ burst, perSecond }: Rate, factor: number): Rate => ({
  burst: burst * factor,
  perSecond: perSecond * factor,
})

/** What this network may take, and the networks around it: of IPv6 its /56 and its /48. */
const ratesOf = (network: string, rate: Rate) =>
  [
    { name: network, rate },
    { name: householdOf(network), rate: times(rate, HOUSEHOLD_TIMES) },
    { name: siteOf(network), rate: times(rate, SITE_TIMES) },
  ].flatMap(({ name, rate: most }) => (name === null ? [] : [{ name, rate: most, cost: 1 }]))

export const createLinkLimiter = (elapsed: () => number): CountStored => {
  // Apart from each other: strangers on many networks must not push the buckets of a link out of the memory.
  const [ofNetwork, ofNewNetwork, ofLink, keptOfLink] = [
    createTokenBuckets(elapsed),
    createTokenBuckets(elapsed),
    createTokenBuckets(elapsed),
    createTokenBuckets(elapsed),
  ]
  return ({ network, linkId }) => {
    const taken: (() => void)[] = []
    const take = (buckets: TakeTokens, rates: readonly TakenTokens[]): number => {
      const wait = buckets(...rates)
      if (wait === 0) taken.push(() => void buckets(...rates.map((each) => ({ ...each, cost: -each.cost }))))
      return wait
    }
    const giveBack = (): void => {
      for (const each of taken.splice(0)) each()
    }
    const ofNew = ratesOf(network, KEPT_PER_NETWORK).map((each) => ({ ...each, name: `${linkId} ${each.name}` }))
    const wait = take(ofNetwork, ratesOf(network, STORED_PER_NETWORK))
    if (wait > 0) return { waitSeconds: wait, giveBack }
    const busy = take(ofLink, [{ name: linkId, rate: STORED_PER_LINK, cost: 1 }])
    // Taken also where the link is not busy: what is kept is for networks that have stored nothing.
    const isNew = take(ofNewNetwork, ofNew) === 0
    const isFree = busy === 0 || (isNew && take(keptOfLink, [{ name: linkId, rate: KEPT_PER_LINK, cost: 1 }]) === 0)
    if (!isFree) giveBack()
    return { waitSeconds: isFree ? 0 : busy, giveBack }
  }
}
