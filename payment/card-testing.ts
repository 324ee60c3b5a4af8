/** Card testing: limits on questions about cards that end in no payment, for each address, card and merchant. */
import type { Instant } from '#contract/jst.ts'
import type { MerchantMode } from '#contract/merchant.ts'
import type { AttemptState } from './attempt.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * Every attempt is a question to the 3-D Secure server or the acquirer about one card, and tells a thief something unless
 * it is paid. `unanswered`: nobody outside said anything, so nothing was learned and nothing is counted.
 */
export const QUESTION_OUTCOMES = ['open', 'paid', 'unpaid', 'unanswered'] as const
export type QuestionOutcome = (typeof QUESTION_OUTCOMES)[number]

export const questionOutcome = (state: AttemptState): QuestionOutcome => {
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
    case 'void':
      return 'unanswered'
  }
}

export interface Question {
  readonly askedAt: Instant
  readonly outcome: QuestionOutcome
}

interface AddressLimits {
  /** Ended without a payment, or left alone, in an hour. */
  readonly unpaidPerHour: number
  /** The same and those under way, in three hours: thirty shoppers may stand at the beginning of a payment at once. */
  readonly unpaidAndOpenPerThreeHours: number
}

interface MerchantLimits {
  readonly unpaid: number
  /** Of all that ended. */
  readonly ratio: number
}

export interface CardTestingLimits {
  readonly address: AddressLimits
  /** Null: cards are not counted. */
  readonly card: { readonly perHour: number; readonly perDay: number } | null
  readonly merchant: MerchantLimits
}

const LIVE: CardTestingLimits = {
  address: { unpaidPerHour: 10, unpaidAndOpenPerThreeHours: 30 },
  card: { perHour: 4, perDay: 8 },
  merchant: { unpaid: 20, ratio: 0.5 },
}

/** Developers decline cards all day, from one address, with the same few published numbers. */
const TEST: CardTestingLimits = {
  address: { unpaidPerHour: 100, unpaidAndOpenPerThreeHours: 300 },
  card: null,
  merchant: { unpaid: 200, ratio: 0.5 },
}

export const CARD_TESTING_LIMITS: Readonly<Record<MerchantMode, CardTestingLimits>> = { live: LIVE, test: TEST }

/** A payment gives back more than its own shopper's mistakes: behind one address of a carrier are many who give up. */
const CREDIT_PER_PAYMENT = 3
/** Longer than a challenge lasts: whoever has not paid by then has left. */
const LEFT_ALONE_AFTER_MS = 10 * MINUTE_MS
/** How far back questions of one address are read, and how many: a busy address must not make its own starts slow. */
export const ADDRESS_WINDOW_MS = 3 * HOUR_MS
export const ADDRESS_QUESTIONS_READ = 500

export type LimitDecision = { readonly allowed: true } | { readonly allowed: false; readonly retryAfterMs: number }

const ALLOWED: LimitDecision = { allowed: true }

/** Whether one more question is allowed beside these; if not, when the oldest have left the window. */
const decideWindow = (asked: readonly Instant[], max: number, windowMs: number, now: Instant): LimitDecision => {
  if (asked.length < max) return ALLOWED
  const oldestThatMustLeave = asked.toSorted((a, b) => a - b)[asked.length - max] ?? now
  return { allowed: false, retryAfterMs: Math.max(1000, oldestThatMustLeave + windowMs - now) }
}

const isLeftAlone = ({ askedAt, outcome }: Question, now: Instant): boolean =>
  outcome === 'open' && now - askedAt >= LEFT_ALONE_AFTER_MS

const longer = (a: LimitDecision, b: LimitDecision): LimitDecision =>
  a.allowed || (!b.allowed && b.retryAfterMs > a.retryAfterMs) ? b : a

/** After a clock was set back there are questions of the future: until it comes, they count for nothing. */
export const ASKED_AHEAD_MAX_MS = 10 * MINUTE_MS
const isWithin = (askedAt: Instant, windowMs: number, now: Instant): boolean =>
  askedAt > now - windowMs && askedAt <= now + ASKED_AHEAD_MAX_MS

/** Whether an address may ask about one more card, by its questions of the last three hours. */
export const decideAddress = (
  questions: readonly Question[],
  { unpaidPerHour, unpaidAndOpenPerThreeHours }: AddressLimits,
  now: Instant,
): LimitDecision => {
  const within = (windowMs: number) => questions.filter(({ askedAt }) => isWithin(askedAt, windowMs, now))
  const decide = (max: number, windowMs: number, isCounted: (question: Question) => boolean): LimitDecision => {
    const recent = within(windowMs)
    const credit = CREDIT_PER_PAYMENT * recent.filter(({ outcome }) => outcome === 'paid').length
    const counted = recent.filter(isCounted).map(({ askedAt }) => askedAt)
    return decideWindow(counted, max + credit, windowMs, now)
  }
  return longer(
    decide(unpaidPerHour, HOUR_MS, (each) => each.outcome === 'unpaid' || isLeftAlone(each, now)),
    decide(unpaidAndOpenPerThreeHours, ADDRESS_WINDOW_MS, ({ outcome }) => outcome === 'unpaid' || outcome === 'open'),
  )
}

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

/** How far back a merchant's questions are read, and how many: the newest say whether it is under attack. */
export const MERCHANT_WINDOW_MS = 10 * MINUTE_MS
export const MERCHANT_QUESTIONS_READ = 400

/** So many that end without a payment that cards are being tried out at this merchant, from wherever it may be. */
export const isUnderAttack = (
  { paid, unpaid }: { readonly paid: number; readonly unpaid: number },
  limits: MerchantLimits,
): boolean => unpaid >= limits.unpaid && unpaid >= limits.ratio * (paid + unpaid)

const BRAKE_MS = 30 * MINUTE_MS
/** A brake that is on is prolonged while the attack goes on, but not at every decline. */
const BRAKE_PROLONGED_BELOW_MS = 20 * MINUTE_MS

/** Merchant brake: while it is on, only a card whose holder has passed a challenge is charged. Null: it stays as it is. */
export const brakeFrom = (brakedUntil: Instant, now: Instant): Instant | null =>
  brakedUntil - now < BRAKE_PROLONGED_BELOW_MS ? now + BRAKE_MS : null

export const isBraked = (brakedUntil: Instant, now: Instant): boolean => now < brakedUntil
