/** Client network limits on card testing: when a start from a client network needs a challenge, and when it must wait. */
import { HOUR_MS, MINUTE_MS, type Instant } from '#contract/jst.ts'
import { isWithin, type NetworkLimits, type VelocityOutcome } from './card-testing.ts'

/** One earlier attempt, as it is read for a new start. */
export interface NetworkAttempt {
  readonly startedAt: Instant
  readonly outcome: VelocityOutcome
  readonly merchantId: string
  /** The same for the same card at one shop. Of a test card, which has no mark, the checkout. */
  readonly card: string
  readonly network: string
}

/** How far back attempts of one network are read, and how many: otherwise a busy address makes its own starts slow. */
export const NETWORK_WINDOW_MS = 3 * HOUR_MS
export const NETWORK_ATTEMPTS_READ = 500

/** Each paid card raises the limit by three: behind one address of a carrier many shoppers give up. */
const CREDIT_PER_PAID_CARD = 3
/** Longer than a challenge lasts: a shopper who has not paid by then has left. */
const LEFT_ALONE_AFTER_MS = 10 * MINUTE_MS
/** A network past its limit at one shop may start one payment there in this time. Short: others who share the address wait too. */
const WAIT_MS = 2 * MINUTE_MS

const isLeftAlone = ({ startedAt, outcome }: NetworkAttempt, now: Instant): boolean =>
  outcome === 'open' && now - startedAt >= LEFT_ALONE_AFTER_MS

const isUnpaidOrOpen = ({ outcome }: NetworkAttempt): boolean => outcome === 'unpaid' || outcome === 'open'

/** Counts different cards: a thief who pays again and again with one card of his own raises the limit once. */
const creditOf = (attempts: readonly NetworkAttempt[], max: number): number => {
  const paid = attempts.filter(({ outcome }) => outcome === 'paid')
  return Math.min(max, CREDIT_PER_PAID_CARD * new Set(paid.map(({ merchantId, card }) => `${merchantId} ${card}`)).size)
}

const unpaidOfHour = (attempts: readonly NetworkAttempt[], now: Instant): readonly NetworkAttempt[] =>
  attempts.filter(
    (each) => isWithin(each.startedAt, HOUR_MS, now) && (each.outcome === 'unpaid' || isLeftAlone(each, now)),
  )

/** Whether the attempts exceed a limit, so that the next needs a challenge. `times`: what the limits are multiplied by. */
const isPastLimit = (
  attempts: readonly NetworkAttempt[],
  { unpaidPerHour, unpaidAndOpenPerThreeHours, creditMax }: NetworkLimits,
  now: Instant,
  times = 1,
): boolean => {
  const recent = attempts.filter(({ startedAt }) => isWithin(startedAt, NETWORK_WINDOW_MS, now))
  const ofHour = recent.filter(({ startedAt }) => isWithin(startedAt, HOUR_MS, now))
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
export const householdOf = (network: string): string | null => {
  const [, first = '', second = '', third = '', fourth = ''] = IPV6_NETWORK.exec(network) ?? []
  return first === '' ? null : [first, second, third, Number.parseInt(fourth, 16) >> HALF_GROUP_BITS].join(':')
}

/** How many times the limit of a network holds for its /56, and for its /48. */
export const HOUSEHOLD_TIMES = 3
export const SITE_TIMES = 10
/** A person is called when one network exceeds its limits by this factor, at more than one shop. */
const ALARM_TIMES = 3
/** While cards are tried all over the server, a network has no more attempts than this without a challenge. */
const UNPAID_UNDER_SERVER_LIMIT = 2

export type NetworkDecision =
  | { readonly decision: 'wait'; readonly retryAfterMs: number }
  | {
      readonly decision: 'start'
      readonly challengeDemanded: boolean
      /** For a person: cards are tried from this network at more than one shop. */
      readonly alarm: string | null
    }

/** How long a start must wait: some minutes, and at this shop alone, because others may share the address. */
const waitAtShop = (
  ofShop: readonly NetworkAttempt[],
  { waitFromPerThreeHours, creditMax }: NetworkLimits,
  now: Instant,
): number => {
  const counted = ofShop.filter(isUnpaidOrOpen)
  if (counted.length < waitFromPerThreeHours + creditOf(ofShop, creditMax.perThreeHours)) return 0
  const newest = counted.reduce((latest, { startedAt }) => Math.max(latest, startedAt), Number.NEGATIVE_INFINITY)
  return Math.min(WAIT_MS, newest + WAIT_MS - now)
}

export interface NetworkAttempts {
  /** Of the network itself, at all shops. */
  readonly ofNetwork: readonly NetworkAttempt[]
  /** Of its /48, at all shops; none for IPv4. */
  readonly ofSite: readonly NetworkAttempt[]
}

export interface NetworkStart {
  readonly network: string
  readonly merchantId: string
  /** More cards are tried on the whole server than can be usual. */
  readonly isServerPastLimit: boolean
}

/** Whether a network may start one more payment at a shop, and whether that payment needs a challenge. */
export const decideNetwork = (
  { ofNetwork, ofSite }: NetworkAttempts,
  { network, merchantId, isServerPastLimit }: NetworkStart,
  limits: NetworkLimits,
  now: Instant,
): NetworkDecision => {
  const recent = ofNetwork.filter(({ startedAt }) => isWithin(startedAt, NETWORK_WINDOW_MS, now))
  const waitMs = waitAtShop(
    recent.filter((attempt) => attempt.merchantId === merchantId),
    limits,
    now,
  )
  if (waitMs > 0) return { decision: 'wait', retryAfterMs: Math.max(1000, waitMs) }
  const household = householdOf(network)
  const ofHousehold = ofSite.filter((attempt) => householdOf(attempt.network) === household)
  const isWidePastLimit =
    isPastLimit(ofHousehold, limits, now, HOUSEHOLD_TIMES) || isPastLimit(ofSite, limits, now, SITE_TIMES)
  const isManyShops = new Set(unpaidOfHour(recent, now).map((attempt) => attempt.merchantId)).size > 1
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
