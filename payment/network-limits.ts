/** Network limits on card testing: when starts of a network are asked for a challenge, and when they must wait. */
import type { Instant } from '#contract/jst.ts'
import { isWithin, type NetworkLimits, type QuestionOutcome } from './card-testing.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** One question about a card, as it is read for the start of another. */
export interface NetworkQuestion {
  readonly askedAt: Instant
  readonly outcome: QuestionOutcome
  readonly merchantId: string
  /** Equal for equal cards of one shop; of test cards, which are not told apart, it is the link. */
  readonly card: string
  readonly network: string
}

/** How far back questions of one network are read, and how many: a busy address must not make its own starts slow. */
export const NETWORK_WINDOW_MS = 3 * HOUR_MS
export const NETWORK_QUESTIONS_READ = 500

/** A payment gives back more than its own shopper's mistakes: behind one address of a carrier are many who give up. */
const CREDIT_PER_PAID_CARD = 3
/** Longer than a challenge lasts: whoever has not paid by then has left. */
const LEFT_ALONE_AFTER_MS = 10 * MINUTE_MS
/** Past the limit at one shop, one start in this time. Short: whoever shares the address waits too. */
const WAIT_MS = 2 * MINUTE_MS

const isLeftAlone = ({ askedAt, outcome }: NetworkQuestion, now: Instant): boolean =>
  outcome === 'open' && now - askedAt >= LEFT_ALONE_AFTER_MS

const isUnpaidOrOpen = ({ outcome }: NetworkQuestion): boolean => outcome === 'unpaid' || outcome === 'open'

/** By different cards: one card of one's own, paid with over and over, gives once. */
const creditOf = (questions: readonly NetworkQuestion[], max: number): number => {
  const paid = questions.filter(({ outcome }) => outcome === 'paid')
  return Math.min(max, CREDIT_PER_PAID_CARD * new Set(paid.map(({ merchantId, card }) => `${merchantId} ${card}`)).size)
}

const unpaidOfHour = (questions: readonly NetworkQuestion[], now: Instant): readonly NetworkQuestion[] =>
  questions.filter(
    (each) => isWithin(each.askedAt, HOUR_MS, now) && (each.outcome === 'unpaid' || isLeftAlone(each, now)),
  )

/** Whether these questions are so many that a challenge is demanded of the next. `times`: of a network that holds many. */
const isPastLimit = (
  questions: readonly NetworkQuestion[],
  { unpaidPerHour, unpaidAndOpenPerThreeHours, creditMax }: NetworkLimits,
  now: Instant,
  times = 1,
): boolean => {
  const recent = questions.filter(({ askedAt }) => isWithin(askedAt, NETWORK_WINDOW_MS, now))
  const ofHour = recent.filter(({ askedAt }) => isWithin(askedAt, HOUR_MS, now))
  return (
    unpaidOfHour(ofHour, now).length >= times * unpaidPerHour + creditOf(ofHour, times * creditMax.perHour) ||
    recent.filter(isUnpaidOrOpen).length >=
      times * unpaidAndOpenPerThreeHours + creditOf(recent, times * creditMax.perThreeHours)
  )
}

const IPV6_NETWORK = /^([0-9a-f]+):([0-9a-f]+):([0-9a-f]+):([0-9a-f]+)::\/64$/

/** The /48 of an IPv6 network: what a provider gives one customer at the most. Null for IPv4. */
export const siteOf = (network: string): string | null => {
  const [, ...groups] = IPV6_NETWORK.exec(network) ?? []
  return groups.length === 0 ? null : `${groups.slice(0, 3).join(':')}::/48`
}

const HALF_GROUP_BITS = 8

/** The /56 of an IPv6 network: what a provider gives a household. */
const householdOf = (network: string): string | null => {
  const [, first = '', second = '', third = '', fourth = ''] = IPV6_NETWORK.exec(network) ?? []
  return first === '' ? null : [first, second, third, Number.parseInt(fourth, 16) >> HALF_GROUP_BITS].join(':')
}

const HOUSEHOLD_TIMES = 3
const SITE_TIMES = 10
/** One network that has so many times its limit unpaid, at more than one shop, is told to a person. */
const ALARM_TIMES = 3
/** While cards are tried out all over the server, no network has more than this many questions without a challenge. */
const UNPAID_UNDER_SERVER_LIMIT = 2

export type NetworkDecision =
  | { readonly decision: 'wait'; readonly retryAfterMs: number }
  | {
      readonly decision: 'start'
      readonly challengeDemanded: boolean
      /** For a person: cards are tried out from this network at more shops than one. */
      readonly alarm: string | null
    }

/** Some minutes, and at this shop alone: whoever shares the address is not kept from paying for an hour, nor elsewhere. */
const waitAtShop = (
  ofShop: readonly NetworkQuestion[],
  { waitFromPerThreeHours, creditMax }: NetworkLimits,
  now: Instant,
): number => {
  const counted = ofShop.filter(isUnpaidOrOpen)
  if (counted.length < waitFromPerThreeHours + creditOf(ofShop, creditMax.perThreeHours)) return 0
  const newest = counted.reduce((latest, { askedAt }) => Math.max(latest, askedAt), Number.NEGATIVE_INFINITY)
  return Math.min(WAIT_MS, newest + WAIT_MS - now)
}

export interface NetworkQuestions {
  /** Of the network itself, at all shops. */
  readonly ofNetwork: readonly NetworkQuestion[]
  /** Of its /48, at all shops; none for IPv4. */
  readonly ofSite: readonly NetworkQuestion[]
}

export interface NetworkStart {
  readonly network: string
  readonly merchantId: string
  /** More cards are tried out on the whole server than can be usual. */
  readonly isServerPastLimit: boolean
}

/** Whether a network may start one more payment at a shop, and whether the issuer is then asked for a challenge. */
export const decideNetwork = (
  { ofNetwork, ofSite }: NetworkQuestions,
  { network, merchantId, isServerPastLimit }: NetworkStart,
  limits: NetworkLimits,
  now: Instant,
): NetworkDecision => {
  const recent = ofNetwork.filter(({ askedAt }) => isWithin(askedAt, NETWORK_WINDOW_MS, now))
  const waitMs = waitAtShop(
    recent.filter((question) => question.merchantId === merchantId),
    limits,
    now,
  )
  if (waitMs > 0) return { decision: 'wait', retryAfterMs: Math.max(1000, waitMs) }
  const household = householdOf(network)
  const ofHousehold = ofSite.filter((question) => householdOf(question.network) === household)
  const isWidePastLimit =
    isPastLimit(ofHousehold, limits, now, HOUSEHOLD_TIMES) || isPastLimit(ofSite, limits, now, SITE_TIMES)
  const isManyShops = new Set(unpaidOfHour(recent, now).map((question) => question.merchantId)).size > 1
  const isAlarming = isWidePastLimit || (isManyShops && isPastLimit(recent, limits, now, ALARM_TIMES))
  return {
    decision: 'start',
    challengeDemanded:
      isWidePastLimit ||
      isPastLimit(recent, limits, now) ||
      (isServerPastLimit && unpaidOfHour(recent, now).length >= UNPAID_UNDER_SERVER_LIMIT),
    alarm: isAlarming ? 'one network asks about many cards at all shops together' : null,
  }
}
