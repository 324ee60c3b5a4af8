/** Transitions: locks a checkout, stores its next states, and adds a line to `changes` for each. */
import { isBeforeIssuerAnswer, isInFlight, type Attempt } from '#payment/attempt.ts'
import type { Checkout, CheckoutSnapshot, CheckoutWithAttempts } from '#payment/checkout.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Refund } from '#payment/refund.ts'
import { attemptsOfCheckout, findInFlight, saveAttempt } from './attempts.ts'
import { forgetBrowser } from './authentications.ts'
import { checkoutFromRow, findCheckout, insertCheckout, saveCheckoutState } from './checkouts.ts'
import { integer, type Sql } from './database.ts'
import { postCheckoutClosed } from './outbox.ts'
import { refundsOfCheckout, saveRefund } from './refunds.ts'

/** A checkout that no other transaction can change until this one ends, with all its attempts and refunds. */
export interface LockedCheckout extends CheckoutWithAttempts {
  readonly version: number
  readonly refunds: readonly Refund[]
}

/** Row lock: raising the version takes it, so that transitions of a checkout and its attempts follow one after another. */
export const lockCheckout = async (sql: Sql, ref: CheckoutRef): Promise<LockedCheckout | null> => {
  const [row] = await sql.rows(
    'UPDATE checkouts SET version = version + 1 WHERE merchant_id = $1 AND id = $2 RETURNING *',
    ref.merchantId,
    ref.checkoutId,
  )
  if (row === undefined) return null
  const attempts = await attemptsOfCheckout(sql, ref)
  const inFlight = attempts.find(({ state }) => isInFlight(state)) ?? null
  const checkout = checkoutFromRow(row)
  // Only what was paid can have been given back.
  const refunds = 'payment' in checkout.state ? await refundsOfCheckout(sql, ref) : []
  return { checkout, version: integer(row, 'version'), attempts, refunds, inFlight }
}

export type LockCheckout = typeof lockCheckout

/** The same lock for whoever need not wait: null also where another transaction holds the checkout at this moment. */
export const lockIfFree: LockCheckout = async (sql, ref) => {
  const free = await sql.rows(
    `SELECT id FROM checkouts WHERE merchant_id = $1 AND id = $2 ${sql.passingOverHeld}`,
    ref.merchantId,
    ref.checkoutId,
  )
  return free.length === 0 ? null : lockCheckout(sql, ref)
}

export const readCheckoutSnapshot = async (sql: Sql, ref: CheckoutRef): Promise<CheckoutSnapshot | null> => {
  // Asked first: the other way round, a payment that ends between the two readings would read as open and not pending,
  // and the page would tell a shopper who has paid that the payment failed.
  const inFlight = await findInFlight(sql, ref)
  const checkout = await findCheckout(sql, ref)
  return checkout === null ? null : { checkout, inFlight: checkout.state.status === 'open' ? inFlight : null }
}

export interface Transitions {
  readonly checkout?: Checkout
  readonly attempts?: readonly Attempt[]
  readonly refunds?: readonly Refund[]
}

export interface ChangedBy {
  readonly actor: 'shopper' | 'merchant' | 'settlement' | 'worker'
  readonly why: string
  readonly now: number
}

/** What was there before the first state. */
const NONE = 'none'

interface Change {
  readonly subject: string
  readonly from: string
  readonly to: string
}

/** One line for each change of state: who changed it, from what, to what, why, when. Lines are only ever added. */
const saveChanges = async (
  sql: Sql,
  { checkout, version }: Pick<LockedCheckout, 'checkout' | 'version'>,
  changes: readonly Change[],
  { actor, why, now }: ChangedBy,
): Promise<void> => {
  for (const [place, { subject, from, to }] of changes.entries()) {
    await sql.rows(
      `INSERT INTO changes (merchant_id, checkout_id, version, place, subject, actor, moved_from, moved_to, why, at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      checkout.merchantId,
      checkout.id,
      version,
      place,
      subject,
      actor,
      from,
      to,
      why,
      now,
    )
  }
}

/** Stores a new checkout together with the first line of its changes. */
export const createCheckout = async (sql: Sql, checkout: Checkout, changedBy: ChangedBy): Promise<void> => {
  await insertCheckout(sql, checkout)
  const created = { subject: 'checkout', from: NONE, to: checkout.state.status }
  await saveChanges(sql, { checkout, version: 0 }, [created], changedBy)
}

/** Stores the next states and, for each that changed, one line in `changes`. */
export const saveTransitions = async (
  sql: Sql,
  locked: LockedCheckout,
  transitions: Transitions,
  changedBy: ChangedBy,
): Promise<void> => {
  const changes: Change[] = []
  const note = (subject: string, from: string | undefined, to: string): void => {
    if (from !== to) changes.push({ subject, from: from ?? NONE, to })
  }
  for (const attempt of transitions.attempts ?? []) {
    const before = locked.attempts.find(({ orderCode }) => orderCode === attempt.orderCode)
    await saveAttempt(sql, attempt)
    if (before !== undefined && isBeforeIssuerAnswer(before.state) && !isBeforeIssuerAnswer(attempt.state))
      await forgetBrowser(sql, attempt.merchantId, attempt.orderCode)
    note(`attempt ${attempt.orderCode}`, before?.state.name, attempt.state.name)
  }
  for (const refund of transitions.refunds ?? []) {
    const before = locked.refunds.find(({ refundId }) => refundId === refund.refundId)
    await saveRefund(sql, refund)
    note(`refund ${refund.refundId}`, before?.state.name, refund.state.name)
  }
  if (transitions.checkout !== undefined && transitions.checkout.state.status !== locked.checkout.state.status) {
    await saveCheckoutState(sql, transitions.checkout)
    await postCheckoutClosed(sql, transitions.checkout, changedBy.now)
    note('checkout', locked.checkout.state.status, transitions.checkout.state.status)
  }
  await saveChanges(sql, locked, changes, changedBy)
}
