/** Link limits: how many checkouts the visitors of reusable links may have stored, by sending a first card for each. */
import { HOUSEHOLD_TIMES, householdOf, SITE_TIMES, siteOf } from '#payment/client-network-limits.ts'
import { createTokenBuckets, type Rate } from './token-buckets.ts'

/** At all links together. Behind one address stand the guests of a whole room who scan the same code. */
export const STORED_PER_NETWORK: Rate = { burst: 30, perSecond: 0.5 }

/** By visitors of all networks: together with the part that is kept, more than pay at a crowded counter. */
export const STORED_PER_LINK: Rate = { burst: 100, perSecond: 2.5 }

/** Kept of a link's budget for networks that have stored nothing by it lately: a visitor is served while bots keep it busy. */
export const KEPT_PER_LINK: Rate = { burst: 100, perSecond: 2.5 }

/** How much of what is kept one network may take: one in ten minutes. */
const KEPT_PER_NETWORK: Rate = { burst: 1, perSecond: 1 / 600 }

/** 0: one more checkout may be stored; else the seconds after which it may be tried again. */
export type CountStored = (stored: { readonly network: string; readonly linkId: string }) => number

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
  // Apart from each other: strangers on many networks must not push the bucket of a link out of the memory.
  const [ofNetwork, ofLink, kept] = [
    createTokenBuckets(elapsed),
    createTokenBuckets(elapsed),
    createTokenBuckets(elapsed),
  ]
  return ({ network, linkId }) => {
    const wait = ofNetwork(...ratesOf(network, STORED_PER_NETWORK))
    if (wait > 0) return wait
    const ofNew = ratesOf(network, KEPT_PER_NETWORK).map((each) => ({ ...each, name: `${linkId} ${each.name}` }))
    const busy = ofLink({ name: linkId, rate: STORED_PER_LINK, cost: 1 })
    if (busy > 0) return kept({ name: linkId, rate: KEPT_PER_LINK, cost: 1 }, ...ofNew) === 0 ? 0 : busy
    // It has stored something: what is kept is for others.
    kept(...ofNew)
    return 0
  }
}
