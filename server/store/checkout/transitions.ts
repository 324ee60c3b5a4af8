/** Transitions: locks a checkout, stores its next states, and adds a line to `changes` for each change of state. */
import type { AuthenticationFacts, Shopper } from '#contract/merchant/checkout-answer.ts'
import { isBeforeIssuerAnswer, isInFlight, type Attempt } from '#payment/attempt.ts'
import type { Checkout, CheckoutWithAttempts } from '#payment/checkout.ts'
import { afterTransition, eventsOf, type CheckoutEvent, type CheckoutWhole, type NextStates } from '#payment/events.ts'
import { shopperOf } from '#payment/merchant-view.ts'
import type { Dispute } from '#payment/dispute.ts'
import type { NewMail } from '#payment/mail.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Refund } from '#payment/refund.ts'
import { attemptsWrite, payingAttemptsOf } from './attempts.ts'
import { forgetBrowsers, saveAnswer, type RecordedAnswer } from './authentications.ts'
import { changesWrite, NONE, type Change, type ChangedBy } from './changes.ts'
import {
  CHECKOUT_COLUMNS,
  checkoutFromRow,
  checkoutStateWrite,
  eventCountWrite,
  newCheckoutWrite,
} from './checkouts.ts'
import type { Sql, Write } from '../engine/database.ts'
import { integer, text } from '../engine/columns.ts'
import { disputesOfCheckout, disputesWrite } from './disputes.ts'
import { eventsWrite } from '../outbox/events.ts'
import { bookingsWrite, type Booking } from './ledger.ts'
import { lateDaysWrite } from './late-day-marks.ts'
import { mailsWrite } from '../outbox/mails.ts'
import { linkPaymentWrite } from './reusable-links.ts'
import { refundsOfCheckout, refundsWrite } from './refunds.ts'

/** A checkout that no other transaction can change until this one ends, with all its attempts, refunds and disputes. */
export interface LockedCheckout extends CheckoutWithAttempts {
  readonly version: number
  readonly refunds: readonly Refund[]
  readonly disputes: readonly Dispute[]
  /** What the issuer said of an attempt, by order code. */
  readonly authentications: ReadonlyMap<string, AuthenticationFacts | null>
  readonly merchantLabel: string
  /** How many events were written about it before this transaction. */
  readonly eventCount: number
}

/** A merchant's label never changes, so it needs no lock. The event count is read from the locked row itself. */
const LOCK = `UPDATE checkouts SET version = version + 1 WHERE merchant_id = $1 AND id = $2
  RETURNING ${CHECKOUT_COLUMNS}, version, event_count, (SELECT label FROM merchants WHERE merchants.id = $1) AS merchant_label`

/** Raising the version takes the row lock: transitions of one checkout and its attempts run one after another. */
export const lockCheckout = async (sql: Sql, ref: CheckoutRef): Promise<LockedCheckout | null> => {
  const [row] = await sql.rows(LOCK, ref.merchantId, ref.checkoutId)
  if (row === undefined) return null
  const read = await payingAttemptsOf(sql, ref)
  const attempts = read.map(({ attempt }) => attempt)
  const inFlight = attempts.find(({ state }) => isInFlight(state)) ?? null
  const checkout = checkoutFromRow(row)
  // Only a paid checkout can have refunds.
  const refunds = 'payment' in checkout.state ? await refundsOfCheckout(sql, ref) : []
  // What is still open was not charged, so nobody disputes it; it saves a payment one statement.
  const disputes = checkout.state.status === 'open' ? [] : await disputesOfCheckout(sql, ref)
  return {
    checkout,
    version: integer(row, 'version'),
    attempts,
    refunds,
    disputes,
    inFlight,
    authentications: new Map(read.map(({ attempt, authentication }) => [attempt.orderCode, authentication])),
    merchantLabel: text(row, 'merchant_label'),
    eventCount: integer(row, 'event_count'),
  }
}

export type LockCheckout = typeof lockCheckout

/** The same lock without waiting: null also where another transaction holds the checkout. */
export const lockIfFree: LockCheckout = async (sql, ref) => {
  const free = await sql.rows(
    `SELECT id FROM checkouts WHERE merchant_id = $1 AND id = $2 ${sql.skipLocked}`,
    ref.merchantId,
    ref.checkoutId,
  )
  return free.length === 0 ? null : lockCheckout(sql, ref)
}

/** The next states of a checkout, its attempts, refunds and disputes, with what is stored together with them. */
export interface Transitions extends NextStates {
  readonly bookings?: readonly Booking[]
  readonly mails?: readonly NewMail[]
  /** The write that counts a card for the velocity limits, or takes that count back. */
  readonly cardVelocity?: Write
  readonly answer?: RecordedAnswer
}

/**
 * Stores a new checkout, together with writes that must not be stored without it. It adds no line to `changes`:
 * `timeline.ts` reads from the row itself who opened the checkout and when. A second write would cost SQLite a transaction.
 */
export const createCheckout = (sql: Sql, checkout: Checkout, together: readonly Write[] = []): Promise<void> =>
  sql.writeAll([...newCheckoutWrite(checkout), ...together])

const beforeOf = ({ attempts }: LockedCheckout, { orderCode }: Attempt): Attempt | undefined =>
  attempts.find((attempt) => attempt.orderCode === orderCode)

const changesOf = (
  locked: LockedCheckout,
  { checkout, attempts = [], refunds = [], disputes = [] }: Transitions,
): Change[] => {
  const disputeBefore = ({ disputeId }: Dispute): Dispute | undefined =>
    locked.disputes.find((dispute) => dispute.disputeId === disputeId)
  const refundBefore = ({ refundId }: Refund): Refund | undefined =>
    locked.refunds.find((refund) => refund.refundId === refundId)
  const moves: [subject: string, from: string | undefined, to: string][] = [
    ...attempts.map((next): (typeof moves)[number] => [
      `attempt ${next.orderCode}`,
      beforeOf(locked, next)?.state.name,
      next.state.name,
    ]),
    ...refunds.map((next): (typeof moves)[number] => [
      `refund ${next.refundId}`,
      refundBefore(next)?.state.name,
      next.state.name,
    ]),
    ...disputes.map((next): (typeof moves)[number] => [
      `dispute ${next.disputeId}`,
      disputeBefore(next)?.status,
      next.status,
    ]),
    ['checkout', locked.checkout.state.status, (checkout ?? locked.checkout).state.status],
  ]
  return moves.flatMap(([subject, from, to]) => (from === to ? [] : [{ subject, from: from ?? NONE, to }]))
}

/** Whether this transition ends the time in which the issuer may be asked about the attempt. */
const isIssuerQuestionOver = (locked: LockedCheckout, next: Attempt): boolean => {
  const before = beforeOf(locked, next)
  return before !== undefined && isBeforeIssuerAnswer(before.state) && !isBeforeIssuerAnswer(next.state)
}

/** The shopper who paid, read from the charged attempt. */
const shopperIn = ({ state }: Checkout, attempts: readonly Attempt[]): Shopper | null => {
  const orderCode = 'payment' in state ? state.payment.orderCode : null
  const charged = attempts.find((attempt) => attempt.orderCode === orderCode)?.state
  return charged?.name === 'charged' ? shopperOf(charged.receipt) : null
}

const wholeOf = ({ checkout, attempts, authentications, refunds, disputes }: LockedCheckout): CheckoutWhole => ({
  checkout,
  attempts: attempts.map((attempt) => ({ attempt, authentication: authentications.get(attempt.orderCode) ?? null })),
  refunds,
  disputes,
})

/** Stores one more event of a checkout, after the events of the transitions that this transaction has just saved. */
export const writeEvent = (
  sql: Sql,
  locked: LockedCheckout,
  saved: NextStates,
  event: CheckoutEvent,
  { origin, now }: { readonly origin: string; readonly now: number },
): Promise<void> => {
  const before = wholeOf(locked)
  const count = locked.eventCount + eventsOf(before, saved).length
  return sql.writeAll([
    ...eventsWrite([event], { stands: afterTransition(before, saved), count, origin, now }),
    eventCountWrite(locked.checkout, count + 1),
  ])
}

/** Stores the next states, what goes with them, and one line in `changes` for each change. `origin`: of the merchant's links. */
export const saveTransitions = async (
  sql: Sql,
  locked: LockedCheckout,
  transitions: Transitions,
  changedBy: ChangedBy,
  origin: string,
): Promise<void> => {
  const { checkout, attempts = [], refunds = [], disputes = [], bookings = [], mails = [] } = transitions
  const { cardVelocity, answer } = transitions
  const isClosing = checkout !== undefined && checkout.state.status !== locked.checkout.state.status
  const before = wholeOf(locked)
  const events = eventsOf(before, transitions)
  const count = locked.eventCount + events.length
  const counted = events.length === 0 ? [] : [eventCountWrite(locked.checkout, count)]
  const closing = isClosing ? [checkoutStateWrite(checkout, count, shopperIn(checkout, attempts))] : counted
  const { mode } = locked.checkout
  const paidByLink = isClosing ? linkPaymentWrite(checkout) : []
  await sql.writeAll([
    ...attemptsWrite(attempts, changedBy.now, locked.attempts),
    ...refundsWrite(refunds, mode),
    ...disputesWrite(disputes),
    ...closing,
    ...paidByLink,
    ...bookingsWrite(bookings, mode),
    ...lateDaysWrite(locked, { attempts, bookings }, changedBy.now),
    ...eventsWrite(events, {
      stands: afterTransition(before, transitions),
      count: locked.eventCount,
      origin,
      now: changedBy.now,
    }),
    ...mailsWrite(mails, changedBy.now),
    ...(cardVelocity === undefined ? [] : [cardVelocity]),
    ...changesWrite(locked, changesOf(locked, transitions), changedBy),
  ])
  // After the attempts, not in the same statement: `saveBrowserFacts` locks the two tables in this order.
  const { merchantId } = locked.checkout
  const over = attempts.filter((next) => isIssuerQuestionOver(locked, next)).map(({ orderCode }) => orderCode)
  if (answer !== undefined) await saveAnswer(sql, merchantId, answer)
  await forgetBrowsers(
    sql,
    merchantId,
    over.filter((orderCode) => orderCode !== answer?.orderCode),
  )
}
