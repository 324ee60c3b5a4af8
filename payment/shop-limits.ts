/** Shop limits on card testing: what is usual at a shop, how many more cards may be tried, and the forced challenge. */
import { MINUTE_MS, type Instant } from '#contract/jst.ts'
import type { ShopLimits } from './card-testing.ts'

export const SHOP_HOUR_MS = 60 * MINUTE_MS
export const SHOP_TEN_MINUTES_MS = 10 * MINUTE_MS
export const SHOP_HISTORY_MS = 7 * 24 * SHOP_HOUR_MS

/** Counts of different cards. A card that paid once is paid, however often it was declined before. */
export interface CardCounts {
  readonly paid: number
  readonly unpaid: number
}

/** Assumed for a new shop: one card in ten stays unpaid. The longer its history, the less this weighs. */
const ASSUMED: CardCounts = { paid: 180, unpaid: 20 }
/** A thief who tests cards for days raises the shop's share, but not above this. */
const SHARE_MAX = 0.25

/** The usual share of unpaid cards at a shop, by its last seven days. */
export const usualShare = ({ paid, unpaid }: CardCounts): number =>
  Math.min(SHARE_MAX, (unpaid + ASSUMED.unpaid) / (paid + unpaid + ASSUMED.paid + ASSUMED.unpaid))

/** How many unpaid cards are usual beside this number of paid ones. Unpaid cards do not raise it: a thief could test more. */
const usualUnpaid = (paid: number, share: number): number => (paid * share) / (1 - share)

/** No honest hour is five standard deviations above the usual. At 144 unpaid cards an hour that is 60 cards. */
const DEVIATIONS = 5

/** How many more cards may be tried at a shop without a challenge, by its cards of the last hour. */
export const cardsLeft = ({ paid, unpaid }: CardCounts, share: number, { cardsPerHour }: ShopLimits): number => {
  const usual = usualUnpaid(paid, share)
  return Math.max(0, Math.floor(Math.max(cardsPerHour, DEVIATIONS * Math.sqrt(usual)) + usual - unpaid))
}

/** Whether more cards stay unpaid on the whole server than is usual at any shop. */
export const isServerPastLimit = ({ paid, unpaid }: CardCounts, cardsPerHour: number): boolean =>
  unpaid - usualUnpaid(paid, SHARE_MAX) >= cardsPerHour

/** How many different links, cards and networks were refused at a shop in some time, and how many links were paid. */
export interface UnpaidEnds {
  readonly links: number
  /** Null: cards are not told apart in this mode. */
  readonly cards: number | null
  readonly networks: number
  readonly paidLinks: number
  /** Links on which an issuer refused, or a challenge failed. */
  readonly refusedLinks: number
}

/** The smallest of the three: whoever has few links, few cards or few networks cannot begin a forced challenge at a shop. */
export const countUnpaidEnds = ({ links, cards, networks }: UnpaidEnds): number =>
  Math.min(links, cards ?? links, networks)

const HALF = 0.5

/** Whether the unpaid ones of ten minutes reach the limit and are at least half of all. */
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

/** An hour that reaches its limit has ten minutes with a sixth of it. Without such ten minutes the hour need not be read. */
export const mayBeFarAboveUsual = (ends: UnpaidEnds, share: number, { cardsPerHour }: ShopLimits): boolean =>
  isUnpaidFrom(cardsPerHour / TEN_MINUTES_PER_HOUR, ends, share)

/** Whether the unpaid ones of an hour reach the limit of a busy shop and are three times its usual share. */
export const isFarAboveUsual = (ends: UnpaidEnds, share: number, { cardsPerHour }: ShopLimits): boolean =>
  isUnpaidFrom(cardsPerHour, ends, share)

/** Whether issuers refuse more than is usual at this shop: refusals of honest shoppers must not prolong it for ever. */
export const prolongsForcedChallenge = ({ refusedLinks, paidLinks }: UnpaidEnds, share: number): boolean =>
  refusedLinks > usualUnpaid(paidLinks, share)

/** A forced challenge ends ten minutes after the last refusal of an issuer. */
const FORCED_CHALLENGE_MS = 10 * MINUTE_MS
/** Not stored at every refusal: otherwise all refusals would wait for the merchant's row. */
const PROLONGED_BELOW_MS = FORCED_CHALLENGE_MS - 30_000

/** An end too far in the future was stored before the clock was set back: such a forced challenge is over. */
export const isForcedChallenge = (until: Instant, now: Instant): boolean =>
  now < until && until - now <= FORCED_CHALLENGE_MS

/** The end of a forced challenge that begins or is prolonged now; null: the end stays as it is. */
export const forcedChallengeEnd = (until: Instant, now: Instant): Instant | null =>
  isForcedChallenge(until, now) && until - now >= PROLONGED_BELOW_MS ? null : now + FORCED_CHALLENGE_MS

export const FORCED_CHALLENGE_AHEAD_MAX_MS = FORCED_CHALLENGE_MS
