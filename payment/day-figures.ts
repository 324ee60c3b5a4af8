/** Figures of a day: what a shop's ledger booked on a day in Japan, and how the checkouts that were begun on it have ended. */
import type { CardBrand } from '#contract/brands.ts'
import { MINUTE_MS, startOfJstDay, type Instant } from '#contract/jst.ts'
import { REPORTED_BRANDS, type ReportedBrand } from '#contract/merchant/figures.ts'
import type { AbandonReason, Attempt, AttemptState } from './attempt.ts'
import type { LedgerMovement } from './ledger-movement.ts'

/**
 * Of the ledger, by the day on which an entry was booked: how many charges, refunds, chargebacks (money that a dispute took) and
 * reversals of chargebacks (money that a dispute won back), and their yen.
 */
const MONEY_FIGURES = [
  'charges',
  'chargedYen',
  'refunds',
  'refundedYen',
  'chargebacks',
  'chargebackYen',
  'chargebackReversals',
  'reversedYen',
] as const

/**
 * Of the checkouts whose first attempt began on the day, whatever came later:
 * - `paid`: an attempt was charged; a refund changes nothing of that.
 * - `inDoubt`: none was charged, and of one nobody knows yet whether it was.
 * - otherwise the last attempt decides. `declined`: the acquirer was asked to charge, and nothing was charged.
 *   `authenticationFailed`: the bank refused the card holder, or 3-D Secure could not be carried out. `givenUp`: the shopper left,
 *   cancelled, let the time run out, or is still at it.
 */
const CHECKOUT_ENDS = ['paid', 'declined', 'authenticationFailed', 'givenUp', 'inDoubt'] as const
export type CheckoutEnd = (typeof CHECKOUT_ENDS)[number]

/** `begun` is the sum of all ends. */
export const FIGURE_NAMES = [...MONEY_FIGURES, 'begun', ...CHECKOUT_ENDS] as const
export type FigureName = (typeof FIGURE_NAMES)[number]

/** Charges with cards of one brand. */
export interface BrandFigures {
  readonly charges: number
  readonly chargedYen: number
}

export interface DayFigures {
  readonly counts: Readonly<Record<FigureName, number>>
  /** Of the charges; a brand that is left out has none. */
  readonly brands: Readonly<Partial<Record<ReportedBrand, BrandFigures>>>
}

/** A value for each figure. */
export const countsOf = (valueOf: (name: FigureName) => number): DayFigures['counts'] => ({
  charges: valueOf('charges'),
  chargedYen: valueOf('chargedYen'),
  refunds: valueOf('refunds'),
  refundedYen: valueOf('refundedYen'),
  chargebacks: valueOf('chargebacks'),
  chargebackYen: valueOf('chargebackYen'),
  chargebackReversals: valueOf('chargebackReversals'),
  reversedYen: valueOf('reversedYen'),
  begun: valueOf('begun'),
  paid: valueOf('paid'),
  declined: valueOf('declined'),
  authenticationFailed: valueOf('authenticationFailed'),
  givenUp: valueOf('givenUp'),
  inDoubt: valueOf('inDoubt'),
})

export const NO_FIGURES: DayFigures = { counts: countsOf(() => 0), brands: {} }

/** What of a movement is counted. */
export interface CountedMovement {
  readonly kind: LedgerMovement['kind']
  readonly amountYen: number
  readonly cardBrand: CardBrand | null
}

/** Only spoiled ledger lines add up to more. A sum that says so is read; one beyond it could not be, and with it no summary. */
const SUM_MAX_YEN = Number.MAX_SAFE_INTEGER

const sumOf = (one: number, more: number): number => Math.min(one + more, SUM_MAX_YEN)

/** Whether a sum is no longer what the ledger says. */
export const isBeyondSums = ({ counts }: DayFigures): boolean =>
  FIGURE_NAMES.some((name) => counts[name] === SUM_MAX_YEN)

const MONEY_OF: Readonly<Record<LedgerMovement['kind'], readonly [count: FigureName, yen: FigureName]>> = {
  charge: ['charges', 'chargedYen'],
  refund: ['refunds', 'refundedYen'],
  chargeback: ['chargebacks', 'chargebackYen'],
  chargeback_reversal: ['chargebackReversals', 'reversedYen'],
}

const NO_CHARGES: BrandFigures = { charges: 0, chargedYen: 0 }

export const addMovement = (
  { counts, brands }: DayFigures,
  { kind, amountYen, cardBrand }: CountedMovement,
): DayFigures => {
  const [count, yen] = MONEY_OF[kind]
  const next = { ...counts, [count]: counts[count] + 1, [yen]: sumOf(counts[yen], amountYen) }
  if (kind !== 'charge') return { counts: next, brands }
  const brand: ReportedBrand = cardBrand ?? 'unknown'
  const { charges, chargedYen } = brands[brand] ?? NO_CHARGES
  return {
    counts: next,
    brands: { ...brands, [brand]: { charges: charges + 1, chargedYen: sumOf(chargedYen, amountYen) } },
  }
}

export const addCheckout = ({ counts, brands }: DayFigures, end: CheckoutEnd): DayFigures => ({
  counts: { ...counts, begun: counts.begun + 1, [end]: counts[end] + 1 },
  brands,
})

export const addFigures = (one: DayFigures, other: DayFigures): DayFigures => {
  const brands: Partial<Record<ReportedBrand, BrandFigures>> = {}
  for (const brand of REPORTED_BRANDS) {
    const [left = NO_CHARGES, right = NO_CHARGES] = [one.brands[brand], other.brands[brand]]
    const charges = left.charges + right.charges
    if (charges > 0) brands[brand] = { charges, chargedYen: sumOf(left.chargedYen, right.chargedYen) }
  }
  return { counts: countsOf((name) => sumOf(one.counts[name], other.counts[name])), brands }
}

/** The names of the figures in which two days differ. */
export const differingFigures = (one: DayFigures, other: DayFigures): string[] => [
  ...FIGURE_NAMES.filter((name) => one.counts[name] !== other.counts[name]),
  ...REPORTED_BRANDS.filter((brand) => {
    const [left = NO_CHARGES, right = NO_CHARGES] = [one.brands[brand], other.brands[brand]]
    return left.charges !== right.charges || left.chargedYen !== right.chargedYen
  }),
]

/** What of an attempt decides how its checkout has ended. */
export type EndedAttempt = Pick<Attempt, 'orderCode' | 'startedAt' | 'state'>

const ABANDONED_AS: Readonly<Record<AbandonReason, CheckoutEnd>> = {
  superseded: 'givenUp',
  cancelled: 'givenUp',
  'collect error': 'authenticationFailed',
  'challenge error': 'authenticationFailed',
  'authentication unavailable': 'authenticationFailed',
  'card not held': 'givenUp',
  expired: 'givenUp',
}

const endOfLast = (state: AttemptState): CheckoutEnd => {
  switch (state.name) {
    case 'charged':
      return 'paid'
    case 'charging':
    case 'unknown':
      return 'inDoubt'
    case 'declined':
    case 'not_charged':
      return 'declined'
    case 'refused':
      // Nobody has refused a card holder who left the challenge.
      return state.unfinished === true ? 'givenUp' : 'authenticationFailed'
    case 'abandoned':
      return ABANDONED_AS[state.why]
    case 'started':
    case 'authenticating':
    case 'challenged':
    case 'authenticated':
      return 'givenUp'
  }
}

const isBefore = (one: EndedAttempt, other: EndedAttempt): boolean =>
  one.startedAt < other.startedAt || (one.startedAt === other.startedAt && one.orderCode < other.orderCode)

/** The first attempt of a checkout: the day on which it began is the day of the checkout. Null: it was never begun. */
export const firstOf = <A extends EndedAttempt>(attempts: readonly A[]): A | null =>
  attempts.reduce<A | null>((first, next) => (first === null || isBefore(next, first) ? next : first), null)

/** How a checkout with these attempts has ended. Null: it was never begun. */
export const checkoutEnd = (attempts: readonly EndedAttempt[]): CheckoutEnd | null => {
  const last = attempts.reduce<EndedAttempt | null>(
    (found, next) => (found === null || isBefore(found, next) ? next : found),
    null,
  )
  if (last === null) return null
  const ends = attempts.map(({ state }) => endOfLast(state))
  return ends.find((end) => end === 'paid') ?? ends.find((end) => end === 'inDoubt') ?? endOfLast(last.state)
}

/**
 * A day is summed no earlier than so long after its midnight. What is written with a time of that day must be stored by then: a
 * transaction reads its time behind its lock, its statements end after 15 seconds and it is idle for 10 at most, and the record of
 * an acquirer's answer is given up after 20; clocks of servers differ by seconds. What has a time of an earlier day than it is
 * written on leaves a mark (`lateDays`).
 */
export const CLOSED_AFTER_MS = 30 * MINUTE_MS

/** The first day that is not closed yet. */
export const closedUntil = (now: Instant): Instant => startOfJstDay(now - CLOSED_AFTER_MS)

/** A count of so many rows is kept for a minute: about 150 payments cost a millisecond or two, and a busy day a second. */
const KEPT_ROWS_MIN = 500
export const KEPT_MS = MINUTE_MS

/** Whether a count of a day is kept, so that nobody counts it again and again. */
export const isKept = (rowsRead: number): boolean => rowsRead >= KEPT_ROWS_MIN

/** A checkout before and after a transaction, and the times of the ledger entries that the transaction books. */
export interface FiguresChange {
  readonly before: readonly EndedAttempt[]
  readonly after: readonly EndedAttempt[]
  readonly bookedAt: readonly Instant[]
  readonly now: Instant
}

/** The days whose figures this changes, other than the day of `now`: they may have been summed already. */
export const lateDays = ({ before, after, bookedAt, now }: FiguresChange): Instant[] => {
  const [began, begins] = [firstOf(before), firstOf(after)]
  const isMoved = began?.orderCode !== begins?.orderCode || checkoutEnd(before) !== checkoutEnd(after)
  const begun = isMoved ? [began, begins].flatMap((first) => (first === null ? [] : [first.startedAt])) : []
  const days = new Set([...begun, ...bookedAt].map(startOfJstDay))
  days.delete(startOfJstDay(now))
  return [...days].toSorted((one, other) => one - other)
}
