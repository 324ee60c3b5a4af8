/** Card testing: how an attempt counts for the velocity limits, the limits, and how often one card may be tried. */
import { type Instant, DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/jst.ts'
import type { MerchantMode } from '#contract/access.ts'
import type { Attempt, AttemptState } from './attempt.ts'

/**
 * How an attempt counts. Every answer of an issuer or of the acquirer tells a thief something about a card, unless it is paid.
 * `unanswered`: nobody outside answered, so a thief has learned nothing and nothing is counted.
 */
export const VELOCITY_OUTCOMES = ['open', 'paid', 'unpaid', 'unanswered'] as const
export type VelocityOutcome = (typeof VELOCITY_OUTCOMES)[number]

export const velocityOutcome = (state: AttemptState): VelocityOutcome => {
  switch (state.name) {
    case 'started':
    case 'authenticating':
    case 'challenged':
    case 'authenticated':
    case 'charging':
      return 'open'
    case 'charged':
      return 'paid'
    case 'refused':
    case 'declined':
      return 'unpaid'
    case 'abandoned':
      // Whatever else ended the attempt, the issuer may have been asked about the card.
      return state.why === 'authentication unavailable' ? 'unanswered' : 'unpaid'
    case 'unknown':
    case 'not_charged':
      return 'unanswered'
  }
}

/**
 * How an attempt counts at its shop. `asked`: an issuer or the acquirer was asked without a challenge. `challenged`: a challenge
 * was demanded or made, so only the card holder learns anything. `refused` by the issuer, `declined` by the acquirer.
 * `uncounted`: nobody answered, or the refusal is our own.
 */
export type ShopOutcome = 'asked' | 'challenged' | 'refused' | 'declined' | 'paid' | 'uncounted'

/** Null: the count stays as it was. An abandoned attempt keeps its count. */
export const shopOutcome = ({
  state,
  challengeDemanded,
}: Pick<Attempt, 'state' | 'challengeDemanded'>): ShopOutcome | null => {
  switch (state.name) {
    case 'started':
    case 'authenticated':
      return null
    case 'authenticating':
      return challengeDemanded ? 'challenged' : 'asked'
    case 'challenged':
      return 'challenged'
    case 'charging':
      // For a card outside 3-D Secure no issuer was asked before.
      return state.clearance.by === 'exemption' ? 'asked' : null
    case 'charged':
      return 'paid'
    case 'declined':
      return 'declined'
    case 'refused':
      return state.counted ? 'refused' : 'uncounted'
    case 'abandoned':
      return state.why === 'authentication unavailable' ? 'uncounted' : null
    case 'unknown':
    case 'not_charged':
      return 'uncounted'
  }
}

/** Limits of a client network over all shops: a start that reaches one of the first two needs a challenge. */
export interface NetworkLimits {
  /** Attempts in an hour that ended without a payment or were left. */
  readonly unpaidPerHour: number
  /** The same and those under way, in three hours: thirty shoppers of one network may begin a payment at once. */
  readonly unpaidAndOpenPerThreeHours: number
  /** The same at one shop. A network that reaches it may start one payment there every two minutes. */
  readonly waitFromPerThreeHours: number
  /** How much payments with different cards can add to the first two limits. */
  readonly creditMax: { readonly perHour: number; readonly perThreeHours: number }
}

export interface ShopLimits {
  /** A forced challenge begins when this many links end unpaid in ten minutes and they are at least half of all. */
  readonly unpaidLinks: number
  /** How many cards above the usual number may be tried in an hour without a challenge. */
  readonly cardsPerHour: number
}

export interface CardTestingLimits {
  readonly network: NetworkLimits
  /** Null: cards are not counted. */
  readonly card: { readonly perHour: number; readonly perDay: number } | null
  readonly shop: ShopLimits
  /** The same for the whole server, where one card in four counts as usual. */
  readonly serverCardsPerHour: number
}

const LIVE: CardTestingLimits = {
  network: {
    unpaidPerHour: 10,
    unpaidAndOpenPerThreeHours: 30,
    waitFromPerThreeHours: 60,
    creditMax: { perHour: 200, perThreeHours: 400 },
  },
  card: { perHour: 4, perDay: 8 },
  shop: { unpaidLinks: 12, cardsPerHour: 60 },
  serverCardsPerHour: 300,
}

/** Developers try declined cards all day, from one address, with the few published numbers. */
const TEST: CardTestingLimits = {
  network: {
    unpaidPerHour: 100,
    unpaidAndOpenPerThreeHours: 300,
    waitFromPerThreeHours: 400,
    creditMax: { perHour: 200, perThreeHours: 400 },
  },
  card: null,
  shop: { unpaidLinks: 120, cardsPerHour: 600 },
  serverCardsPerHour: 3000,
}

export const CARD_TESTING_LIMITS: Readonly<Record<MerchantMode, CardTestingLimits>> = { live: LIVE, test: TEST }

/** A clock that was set back leaves attempts in the future. Until that time comes they do not count. */
export const AHEAD_MAX_MS = 10 * MINUTE_MS
export const isWithin = (at: Instant, windowMs: number, now: Instant): boolean =>
  at > now - windowMs && at <= now + AHEAD_MAX_MS

export const CARD_WINDOW_MS = DAY_MS

/**
 * Stored beside a card's fingerprint instead of the exact time. The exact time is stored with the attempt and its last four
 * digits, and would connect them with the fingerprint. Rounded up, so that a count never ends too early.
 */
const CARD_TIME_STEP_MS = 10 * MINUTE_MS
export const velocityTime = (now: Instant): Instant => Math.ceil(now / CARD_TIME_STEP_MS) * CARD_TIME_STEP_MS

/** Whether a card may be tried again. `tried`: the times of the last 24 hours at which it did not pay. */
export const isCardAllowed = (tried: readonly Instant[], limits: CardTestingLimits['card'], now: Instant): boolean => {
  if (limits === null) return true
  const { perHour, perDay } = limits
  const countWithin = (windowMs: number): number => tried.filter((at) => isWithin(at, windowMs, now)).length
  return countWithin(HOUR_MS) < perHour && countWithin(CARD_WINDOW_MS) < perDay
}
