/** Recovery after a restore: the time to ask an acquirer about, and when its list tells all that was paid in that time. */
import { DAY_MS, HOUR_MS, type Instant } from '#contract/jst.ts'
import type { Charged, Inquiry, Period, Refunded, RefundInquiry, StatementLine } from './ports.ts'

/** A database that was put back from a backup. What was paid between the two times is not in it. */
export interface Restore {
  /** The backup holds everything that was acknowledged before this time. */
  readonly takenAt: Instant
  /** Nobody has charged with the lost database since then. */
  readonly restoredAt: Instant
}

/** Clocks differ, and a movement is booked some time after it was made. */
const MARGIN_MS = HOUR_MS

/** What moved since the backup, never the whole history: an acquirer may list the last 30 days alone. */
export const recoveryPeriod = ({ takenAt }: Pick<Restore, 'takenAt'>, now: Instant): Period => ({
  from: Math.max(0, takenAt - MARGIN_MS),
  to: now + MARGIN_MS,
})

/** Which part of the asked period an acquirer's list tells in full. */
export interface ListBounds {
  /** Movements before then may be missing; left out: none are. */
  readonly completeFrom?: Instant
  /** Movements since then may be missing; left out: none are. */
  readonly completeUntil?: Instant
}

/** A list that is complete until some time only is made of reports, and some payments are settled days after others. */
const SETTLED_WITHIN_MS = 14 * DAY_MS

/**
 * Whether a list names every payment that a restore may have lost. Until it does, a checkout that was open in the backup may
 * have been paid: a second payment would be a double charge.
 */
export const coversGap = ({ completeFrom, completeUntil }: ListBounds, restore: Restore): boolean =>
  (completeFrom === undefined || completeFrom <= recoveryPeriod(restore, restore.restoredAt).from) &&
  (completeUntil === undefined || completeUntil >= restore.restoredAt + SETTLED_WITHIN_MS)

/** The bounds of a list of several pages. */
export const narrowerBounds = (one: ListBounds, other: ListBounds): ListBounds => {
  const from = [one, other].flatMap(({ completeFrom }) => completeFrom ?? [])
  const until = [one, other].flatMap(({ completeUntil }) => completeUntil ?? [])
  return {
    ...(from.length === 0 ? {} : { completeFrom: Math.max(...from) }),
    ...(until.length === 0 ? {} : { completeUntil: Math.min(...until) }),
  }
}

type ListedCharge = Extract<StatementLine, { kind: 'charge' }>
type ListedRefund = Extract<StatementLine, { kind: 'refund' }>

/**
 * The answer about a charge that the acquirer lists. Where it says that no inquiry can answer any more, its list counts:
 * for Adyen, whose only inquiry is the same capture again, six days after the payment.
 */
export const chargeAsListed = (inquiry: Inquiry, listed: ListedCharge | undefined): Inquiry | Charged => {
  if (listed === undefined || inquiry.outcome !== 'unknown' || !inquiry.needsPerson) return inquiry
  const { reference: transactionId, amountYen, movedAt: approvedAt } = listed
  return { outcome: 'charged', transactionId, amountYen, approvedAt }
}

/**
 * The answer about a refund that the acquirer lists and the restored database has never asked for. An inquiry may know it only by
 * what the database has lost, such as a notification: unless it says that the refund was refused, the list counts.
 */
export const refundAsListed = (inquiry: RefundInquiry, listed: ListedRefund | undefined): RefundInquiry | Refunded => {
  if (listed === undefined || inquiry.outcome === 'refunded' || inquiry.outcome === 'refused') return inquiry
  return { outcome: 'refunded', amountYen: listed.amountYen, refundedAt: listed.movedAt }
}
