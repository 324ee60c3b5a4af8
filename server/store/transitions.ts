import { isBeforeIssuer, isInFlight, type Attempt } from '#payment/attempt.ts'
import type { Checkout, CheckoutInPlay, CheckoutWithAttempts } from '#payment/checkout.ts'
import type { CheckoutRef } from '#payment/refs.ts'
import type { Refund } from '#payment/refund.ts'
import { attemptsOfCheckout, findInFlight, saveAttempt } from './attempts.ts'
import { forgetBrowser } from './authentications.ts'
import { checkoutFromRow, findCheckout, saveCheckoutState } from './checkouts.ts'
import { integer, type Sql } from './database.ts'
import { postClosed } from './outbox.ts'
import { refundsOfCheckout, saveRefund } from './refunds.ts'

/** A checkout that no other transaction can move until this one ends, with all its attempts and refunds. */
export interface LockedCheckout extends CheckoutWithAttempts {
  readonly version: number
  readonly refunds: readonly Refund[]
}

/** Raising the version takes the row lock: every move of a checkout or its attempts passes here, one after another. */
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

export type Lock = typeof lockCheckout

/** The same lock for whoever need not wait: null also where another transaction holds the checkout at this moment. */
export const lockIfFree: Lock = async (sql, ref) => {
  const free = await sql.rows(
    `SELECT id FROM checkouts WHERE merchant_id = $1 AND id = $2 ${sql.passingOverHeld}`,
    ref.merchantId,
    ref.checkoutId,
  )
  return free.length === 0 ? null : lockCheckout(sql, ref)
}

export const readInPlay = async (sql: Sql, ref: CheckoutRef): Promise<CheckoutInPlay | null> => {
  // Asked first: the other way round, a payment that ends between the two readings would read as open and not pending,
  // and the page would tell a shopper who has paid that the payment failed.
  const inFlight = await findInFlight(sql, ref)
  const checkout = await findCheckout(sql, ref)
  return checkout === null ? null : { checkout, inFlight: checkout.state.status === 'open' ? inFlight : null }
}

export interface Moves {
  readonly checkout?: Checkout
  readonly attempts?: readonly Attempt[]
  readonly refunds?: readonly Refund[]
}

export interface Mover {
  readonly actor: 'shopper' | 'merchant' | 'settlement' | 'worker'
  readonly why: string
  readonly now: number
}

interface Change {
  readonly subject: string
  readonly from: string
  readonly to: string
}

/** Stores the next states and, for each that really moved, one line that says who moved it and why. */
export const saveMoves = async (sql: Sql, locked: LockedCheckout, moves: Moves, mover: Mover): Promise<void> => {
  const changes: Change[] = []
  const note = (subject: string, from: string | undefined, to: string): void => {
    if (from !== to) changes.push({ subject, from: from ?? 'none', to })
  }
  for (const attempt of moves.attempts ?? []) {
    const before = locked.attempts.find(({ orderCode }) => orderCode === attempt.orderCode)
    await saveAttempt(sql, attempt)
    if (before !== undefined && isBeforeIssuer(before.state) && !isBeforeIssuer(attempt.state))
      await forgetBrowser(sql, attempt.merchantId, attempt.orderCode)
    note(`attempt ${attempt.orderCode}`, before?.state.name, attempt.state.name)
  }
  for (const refund of moves.refunds ?? []) {
    const before = locked.refunds.find(({ refundId }) => refundId === refund.refundId)
    await saveRefund(sql, refund)
    note(`refund ${refund.refundId}`, before?.state.name, refund.state.name)
  }
  if (moves.checkout !== undefined && moves.checkout.state.status !== locked.checkout.state.status) {
    await saveCheckoutState(sql, moves.checkout)
    await postClosed(sql, moves.checkout, mover.now)
    note('checkout', locked.checkout.state.status, moves.checkout.state.status)
  }
  for (const [place, change] of changes.entries()) {
    await sql.rows(
      `INSERT INTO changes (merchant_id, checkout_id, version, place, subject, actor, moved_from, moved_to, why, at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      locked.checkout.merchantId,
      locked.checkout.id,
      locked.version,
      place,
      change.subject,
      mover.actor,
      change.from,
      change.to,
      mover.why,
      mover.now,
    )
  }
}
