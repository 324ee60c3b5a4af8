/** Card testing: what a question about a card comes to, the limits on such questions, and how often one card is asked about. */
import type { Instant } from '#contract/jst.ts'
import type { MerchantMode } from '#contract/merchant.ts'
import type { Attempt, AttemptState } from './attempt.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * Every attempt is a question to the 3-D Secure server or the acquirer about one card, and tells a thief something unless
 * it is paid. `unanswered`: nobody outside said anything, so nothing was learned and nothing is counted.
 */
export const QUESTION_OUTCOMES = ['open', 'paid', 'unpaid', 'unanswered'] as const
export type QuestionOutcome = (typeof QUESTION_OUTCOMES)[number]

export const velocityOutcome = (state: AttemptState): QuestionOutcome => {
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
      // Whatever else ended it, the card had been asked about.
      return state.why === 'authentication unavailable' ? 'unanswered' : 'unpaid'
    case 'unknown':
    case 'not_charged':
      return 'unanswered'
  }
}

/**
 * What the question about its card came to for the shop where it was asked. `asked`: an issuer or the acquirer was asked without
 * a challenge. `challenged`: a challenge was demanded or given, so that only the card holder learns anything. `refused` by the
 * issuer, `declined` by the acquirer. `uncounted`: nobody answered, or the refusal is our own.
 */
export type ShopOutcome = 'asked' | 'challenged' | 'refused' | 'declined' | 'paid' | 'uncounted'

/** Null: it stays what it was. An attempt that is given up has asked what it has asked. */
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
      // Of a card outside 3-D Secure nobody was asked before.
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

/** Of a network, over all shops: from these on a challenge is demanded of its starts. */
export interface NetworkLimits {
  /** Ended without a payment, or left alone, in an hour. */
  readonly unpaidPerHour: number
  /** The same and those under way, in three hours: thirty shoppers may stand at the beginning of a payment at once. */
  readonly unpaidAndOpenPerThreeHours: number
  /** The same at one shop: from here on a start there must wait some minutes for the one before it. */
  readonly waitFromPerThreeHours: number
  /** How much payments with different cards add to the two first limits. */
  readonly creditMax: { readonly perHour: number; readonly perThreeHours: number }
}

export interface ShopLimits {
  /** How many links that end unpaid in ten minutes begin a forced challenge, where they are half of all. */
  readonly unpaidLinks: number
  /** How many cards beyond the usual may be asked about in an hour without a challenge. */
  readonly cardsPerHour: number
}

export interface CardTestingLimits {
  readonly network: NetworkLimits
  /** Null: cards are not counted. */
  readonly card: { readonly perHour: number; readonly perDay: number } | null
  readonly shop: ShopLimits
  /** How many cards beyond a generous usual may be asked about in an hour on the whole server. */
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

/** Developers decline cards all day, from one address, with the same few published numbers. */
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

/** After a clock was set back there are questions of the future: until it comes, they count for nothing. */
export const ASKED_AHEAD_MAX_MS = 10 * MINUTE_MS
export const isWithin = (askedAt: Instant, windowMs: number, now: Instant): boolean =>
  askedAt > now - windowMs && askedAt <= now + ASKED_AHEAD_MAX_MS

export const CARD_WINDOW_MS = DAY_MS

/**
 * Stored beside a card's fingerprint instead of the time itself: the exact time of an attempt, which is stored with the
 * last four digits, would lead from one to the other. Rounded up, so that a count never ends too early.
 */
const CARD_TIME_STEP_MS = 10 * MINUTE_MS
export const cardQuestionTime = (now: Instant): Instant => Math.ceil(now / CARD_TIME_STEP_MS) * CARD_TIME_STEP_MS

/** Whether a card may be asked about once more, by when it was asked about and not paid in the last 24 hours. */
export const isCardAllowed = (asked: readonly Instant[], limits: CardTestingLimits['card'], now: Instant): boolean => {
  if (limits === null) return true
  const { perHour, perDay } = limits
  const countWithin = (windowMs: number): number => asked.filter((at) => isWithin(at, windowMs, now)).length
  return countWithin(HOUR_MS) < perHour && countWithin(CARD_WINDOW_MS) < perDay
}
