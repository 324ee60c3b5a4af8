/** Link limits: how many checkouts the visitors of reusable links may open. */
import { createTokenBuckets, type Rate } from './token-buckets.ts'

/** At all links together. Behind one address stand the guests of a whole room who scan the same code. */
export const OPENED_PER_NETWORK: Rate = { burst: 30, perSecond: 0.5 }

/** By visitors of all networks: more than pay at a crowded counter, and few enough rows for bots to leave behind. */
export const OPENED_PER_LINK: Rate = { burst: 200, perSecond: 5 }

/** 0: one more checkout may be opened; else the seconds after which it may be tried again. */
export type CountOpened = (opened: { readonly network: string; readonly linkId: string }) => number

export const createLinkLimiter = (elapsed: () => number): CountOpened => {
  // Apart from each other: strangers on many networks must not push the bucket of a link out of the memory.
  const [ofNetwork, ofLink] = [createTokenBuckets(elapsed), createTokenBuckets(elapsed)]
  return ({ network, linkId }) =>
    ofNetwork({ name: network, rate: OPENED_PER_NETWORK, cost: 1 }) ||
    ofLink({ name: linkId, rate: OPENED_PER_LINK, cost: 1 })
}
