/** Transitions: locks a checkout, stores its next states, and adds a line to `changes` for each. */
import type { Shopper } from '#contract/merchant-facts.ts'
import { isBeforeIssuerAnswer, isInFlight, type Attempt } from '#payment/attempt.ts'
import type { Checkout, CheckoutWithAttempts } from '#payment/checkout.ts'
import { afterTransition, eventsOf, type CheckoutEvent, type CheckoutWhole, type NextStates } from '#payment/events.ts'
import { shopperOf, type AttemptWithAuthentication } from '#payment/merchant-view.ts'
import type { NewMail } from '#payment/mail.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Refund } from '#payment/refund.ts'
import { merchantOrigin } from '../../origins.ts'
import { attemptsWrite, payingAttemptsOf } from './attempts.ts'
import { forgetBrowsers, saveAnswer, type RecordedAnswer } from './authentications.ts'
import { changesWrite, NONE, type Change, type ChangedBy } from './changes.ts'
import { checkoutFromRow, checkoutStateWrite, eventCountWrite, newCheckoutWrite } from './checkouts.ts'
import { integer, text, type Sql, type Write } from '../engine/database.ts'
import { eventsWrite } from '../outbox/events.ts'
import { bookingsWrite, type Booking } from './ledger.ts'
import { mailsWrite } from '../outbox/mails.ts'
import { refundsOfCheckout, refundsWrite } from './refunds.ts'

/** A checkout that no other transaction can change until this one ends, with all its attempts and refunds. */
export interface LockedCheckout extends CheckoutWithAttempts {
  readonly version: number
  readonly refunds: readonly Refund[]
  /** Its attempts with what the card holder's bank said of each. */
  readonly paying: readonly AttemptWithAuthentication[]
  readonly merchantLabel: string
  /** How many events were written about it, before this transaction. */
  readonly eventCount: number
}

/** The label never changes: it is part of every link. The count is of the row itself, so that it is read behind the lock. */
const LOCK = `UPDATE checkouts SET version = version + 1 WHERE merchant_id = $1 AND id = $2
  RETURNING *, (SELECT label FROM merchants WHERE merchants.id = $1) AS merchant_label`

/** Row lock: raising the version takes it, so that transitions of a checkout and its attempts follow one after another. */
export const lockCheckout = async (sql: Sql, ref: CheckoutRef): Promise<LockedCheckout | null> => {
  const [row] = await sql.rows(LOCK, ref.merchantId, ref.checkoutId)
  if (row === undefined) return null
  const paying = await payingAttemptsOf(sql, ref)
  const attempts = paying.map(({ attempt }) => attempt)
  const inFlight = attempts.find(({ state }) => isInFlight(state)) ?? null
  const checkout = checkoutFromRow(row)
  // Only what was paid can have been given back.
  const refunds = 'payment' in checkout.state ? await refundsOfCheckout(sql, ref) : []
  return {
    checkout,
    version: integer(row, 'version'),
    attempts,
    refunds,
    inFlight,
    paying,
    merchantLabel: text(row, 'merchant_label'),
    eventCount: integer(row, 'event_count'),
  }
}

export type LockCheckout = typeof lockCheckout

/** The same lock for whoever need not wait: null also where another transaction holds the checkout at this moment. */
export const lockIfFree: LockCheckout = async (sql, ref) => {
  const free = await sql.rows(
    `SELECT id FROM checkouts WHERE merchant_id = $1 AND id = $2 ${sql.skipLocked}`,
    ref.merchantId,
    ref.checkoutId,
  )
  return free.length === 0 ? null : lockCheckout(sql, ref)
}

/** The next states of a checkout, its attempts and its refunds, with what is stored together with them. */
export interface Transitions extends NextStates {
  readonly bookings?: readonly Booking[]
  readonly mails?: readonly NewMail[]
  /** What the limits on card testing count, or give back. */
  readonly cardVelocity?: Write
  readonly answer?: RecordedAnswer
}

/**
 * Stores a new checkout, with what must not be stored without it. Its first change is told from the row itself, which says
 * who opened it and when (`timeline.ts`): a line of `changes` beside it would cost SQLite a transaction.
 */
export const createCheckout = (sql: Sql, checkout: Checkout, together: readonly Write[] = []): Promise<void> =>
  sql.writeAll([...newCheckoutWrite(checkout), ...together])

const beforeOf = ({ attempts }: LockedCheckout, { orderCode }: Attempt): Attempt | undefined =>
  attempts.find((attempt) => attempt.orderCode === orderCode)

const changesOf = (locked: LockedCheckout, { checkout, attempts = [], refunds = [] }: Transitions): Change[] => {
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
    ['checkout', locked.checkout.state.status, (checkout ?? locked.checkout).state.status],
  ]
  return moves.flatMap(([subject, from, to]) => (from === to ? [] : [{ subject, from: from ?? NONE, to }]))
}

/** Whether the issuer has now been asked about this attempt, or will not be asked any more. */
const isIssuerQuestionOver = (locked: LockedCheckout, next: Attempt): boolean => {
  const before = beforeOf(locked, next)
  return before !== undefined && isBeforeIssuerAnswer(before.state) && !isBeforeIssuerAnswer(next.state)
}

/** Who has paid: the attempt that was charged says it. */
const shopperIn = ({ state }: Checkout, attempts: readonly Attempt[]): Shopper | null => {
  const orderCode = 'payment' in state ? state.payment.orderCode : null
  const charged = attempts.find((attempt) => attempt.orderCode === orderCode)?.state
  return charged?.name === 'charged' ? shopperOf(charged.receipt) : null
}

const wholeOf = ({ checkout, paying, refunds }: LockedCheckout): CheckoutWhole => ({
  checkout,
  attempts: paying,
  refunds,
})

/** What an event needs beside the checkout that it is about. */
export interface EventsTold {
  readonly publicBase: URL
  readonly now: number
}

/** One more event about a checkout that stands as `next` says, behind the `count` that it has. */
export const writeEvent = (
  sql: Sql,
  locked: LockedCheckout,
  next: NextStates,
  event: CheckoutEvent,
  { publicBase, now, count }: EventsTold & { readonly count: number },
): Promise<void> => {
  const stands = afterTransition(wholeOf(locked), next)
  const origin = merchantOrigin(publicBase, locked.merchantLabel)
  return sql.writeAll([
    ...eventsWrite([event], { stands, count, origin, now }),
    eventCountWrite(locked.checkout, count + 1),
  ])
}

/** Stores the next states, what goes with them and, for each that changed, one line in `changes`. Answers how many events the checkout has. */
export const saveTransitions = async (
  sql: Sql,
  locked: LockedCheckout,
  transitions: Transitions,
  changedBy: ChangedBy,
  publicBase: URL,
): Promise<number> => {
  const { checkout, attempts = [], refunds = [], bookings = [], mails = [], cardVelocity, answer } = transitions
  const isClosing = checkout !== undefined && checkout.state.status !== locked.checkout.state.status
  const before = wholeOf(locked)
  const events = eventsOf(before, transitions)
  const count = locked.eventCount + events.length
  const counted = events.length === 0 ? [] : [eventCountWrite(locked.checkout, count)]
  const closing = isClosing ? [checkoutStateWrite(checkout, count, shopperIn(checkout, attempts))] : counted
  const { mode } = locked.checkout
  await sql.writeAll([
    ...attemptsWrite(attempts, changedBy.now, locked.attempts),
    ...refundsWrite(refunds, mode),
    ...closing,
    ...bookingsWrite(bookings, mode),
    ...eventsWrite(events, {
      stands: afterTransition(before, transitions),
      count: locked.eventCount,
      origin: merchantOrigin(publicBase, locked.merchantLabel),
      now: changedBy.now,
    }),
    ...mailsWrite(mails, changedBy.now),
    ...(cardVelocity === undefined ? [] : [cardVelocity]),
    ...changesWrite(locked, changesOf(locked, transitions), changedBy),
  ])
  // Behind the attempts, not beside them: whoever saves what a browser said locks the two in this order.
  const { merchantId } = locked.checkout
  const over = attempts.filter((next) => isIssuerQuestionOver(locked, next)).map(({ orderCode }) => orderCode)
  if (answer !== undefined) await saveAnswer(sql, merchantId, answer)
  await forgetBrowsers(
    sql,
    merchantId,
    over.filter((orderCode) => orderCode !== answer?.orderCode),
  )
  return count
}
