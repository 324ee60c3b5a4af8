/** Shop limits on card testing: what is usual at a shop, how many cards more are asked about there, and the forced challenge. */
import type { Instant } from '#contract/jst.ts'
import type { ShopLimits } from './card-testing.ts'

const MINUTE_MS = 60_000
export const SHOP_HOUR_MS = 60 * MINUTE_MS
export const SHOP_TEN_MINUTES_MS = 10 * MINUTE_MS
export const SHOP_HISTORY_MS = 7 * 24 * SHOP_HOUR_MS

/** Different cards. One that was paid with is paid, however often it was declined before. */
export interface CardCounts {
  readonly paid: number
  readonly unpaid: number
}

/** Of a shop of which nothing is known one card in ten stays unpaid; the more is known, the less that weighs. */
const ASSUMED: CardCounts = { paid: 180, unpaid: 20 }
/** Whoever tries out cards for days raises the share of the shop: not above this. */
const SHARE_MAX = 0.25

/** Which part of the cards at a shop is usually not paid with, by its last seven days. */
export const usualShare = ({ paid, unpaid }: CardCounts): number =>
  Math.min(SHARE_MAX, (unpaid + ASSUMED.unpaid) / (paid + unpaid + ASSUMED.paid + ASSUMED.unpaid))

/**
 * How many unpaid cards usually stand beside so many paid ones. Not by all that ended: then the cards that are tried out would
 * raise the number that is called usual.
 */
const usualUnpaid = (paid: number, share: number): number => (paid * share) / (1 - share)

/** So many standard deviations above the usual no honest hour comes by chance; at 144 unpaid cards an hour that is 60. */
const DEVIATIONS = 5

/** How many cards may still be asked about at a shop without a challenge, by its cards of the last hour. */
export const cardsLeft = ({ paid, unpaid }: CardCounts, share: number, { cardsPerHour }: ShopLimits): number => {
  const usual = usualUnpaid(paid, share)
  return Math.max(0, Math.floor(Math.max(cardsPerHour, DEVIATIONS * Math.sqrt(usual)) + usual - unpaid))
}

/** Whether on the whole server more cards stay unpaid than at any usual shop. */
export const isServerPastLimit = ({ paid, unpaid }: CardCounts, cardsPerHour: number): boolean =>
  unpaid - usualUnpaid(paid, SHARE_MAX) >= cardsPerHour

/** What an issuer or the acquirer refused at a shop in some time, by what must differ; and the links that were paid. */
export interface UnpaidEnds {
  readonly links: number
  /** Null where cards are not told apart. */
  readonly cards: number | null
  readonly networks: number
  readonly paidLinks: number
  /** Links on which an issuer refused, or a challenge failed. */
  readonly refusedLinks: number
}

/** One link, one card and one network each count once: with few of any of them nobody puts a shop under a forced challenge. */
export const countUnpaidEnds = ({ links, cards, networks }: UnpaidEnds): number =>
  Math.min(links, cards ?? links, networks)

const HALF = 0.5

/** In ten minutes so many unpaid that they are half of all. */
export const isMostlyUnpaid = (ends: UnpaidEnds, { unpaidLinks }: ShopLimits): boolean => {
  const unpaid = countUnpaidEnds(ends)
  return unpaid >= unpaidLinks && unpaid >= HALF * (unpaid + ends.paidLinks)
}

const TEN_MINUTES_PER_HOUR = 6
const TIMES_USUAL = 3

const isUnpaidFrom = (count: number, ends: UnpaidEnds, share: number): boolean => {
  const unpaid = countUnpaidEnds(ends)
  return unpaid >= count && unpaid >= TIMES_USUAL * share * (unpaid + ends.paidLinks)
}

/** An hour that reaches its limit has ten minutes that do so for a sixth of it: without these it need not be read. */
export const mayBeFarAboveUsual = (ends: UnpaidEnds, share: number, { cardsPerHour }: ShopLimits): boolean =>
  isUnpaidFrom(cardsPerHour / TEN_MINUTES_PER_HOUR, ends, share)

/** In an hour of a busy shop so many unpaid that they are three times the usual share of all. */
export const isFarAboveUsual = (ends: UnpaidEnds, share: number, { cardsPerHour }: ShopLimits): boolean =>
  isUnpaidFrom(cardsPerHour, ends, share)

/** Whether issuers refuse more than is usual at this shop: the refusals of honest shoppers must not keep it on for ever. */
export const prolongsForcedChallenge = ({ refusedLinks, paidLinks }: UnpaidEnds, share: number): boolean =>
  refusedLinks > usualUnpaid(paidLinks, share)

/** So long after the last refusal of an issuer it ends. */
const FORCED_CHALLENGE_MS = 10 * MINUTE_MS
/** Not written at every refusal: the merchant's row would be what all of them wait for. */
const PROLONGED_BELOW_MS = FORCED_CHALLENGE_MS - 30_000

/** An end further ahead than it can be was written by a clock that has been set back since: it is over. */
export const isForcedChallenge = (until: Instant, now: Instant): boolean =>
  now < until && until - now <= FORCED_CHALLENGE_MS

/** The end of a forced challenge that begins or is prolonged now; null: it stays as it is. */
export const forcedChallengeEnd = (until: Instant, now: Instant): Instant | null =>
  isForcedChallenge(until, now) && until - now >= PROLONGED_BELOW_MS ? null : now + FORCED_CHALLENGE_MS

export const FORCED_CHALLENGE_AHEAD_MAX_MS = FORCED_CHALLENGE_MS
