/** Readings: a checkout, or an order with its checkout, as one statement finds it, without a lock. */
import type { Shopper } from '#contract/merchant/checkout-answer.ts'
import { IN_FLIGHT, type Attempt } from '#payment/attempt.ts'
import type { CheckoutSnapshot } from '#payment/checkout.ts'
import { shopperOf } from '#payment/merchant-view.ts'
import type { CheckoutRef } from '#payment/references.ts'
import { isId } from '../../ids.ts'
import { attemptColumns, attemptFromRow } from './attempts.ts'
import { authenticationColumns, authenticationFromRow, type AuthenticationRecord } from './authentications.ts'
import { checkoutFromRow } from './checkouts.ts'
import type { Row, Sql } from '../engine/database.ts'
import { textOrNull, wordList } from '../engine/columns.ts'

/**
 * At most one attempt of a checkout is in flight, so a checkout is one row. With the mode, which both share, it is found in
 * the index of what is in flight, which stays small; without it among all attempts that were ever made.
 */
export const inFlightBeside = (checkouts: string): string =>
  `LEFT JOIN attempts AS in_flight ON in_flight.merchant_id = ${checkouts}.merchant_id
  AND in_flight.mode = ${checkouts}.mode AND in_flight.checkout_id = ${checkouts}.id
  AND in_flight.state IN (${wordList(IN_FLIGHT)})`

export const snapshotColumns = (checkouts: string): string =>
  `${checkouts}.*, ${attemptColumns('in_flight', 'in_flight_')}`

const SNAPSHOTS = `SELECT ${snapshotColumns('checkouts')} FROM checkouts ${inFlightBeside('checkouts')}`

export const CHECKOUT = `${SNAPSHOTS} WHERE checkouts.merchant_id = $1 AND checkouts.id = $2`

/**
 * The same of many, each named by a merchant and an id: for PostgreSQL alone (`coalesced-reads.ts`). The lists are subqueries so
 * that their length is no matter of the plan: otherwise it would be planned for each length, each time anew.
 */
export const MANY_CHECKOUTS = `${SNAPSHOTS}
  WHERE (checkouts.merchant_id, checkouts.id) IN (SELECT * FROM UNNEST((SELECT $1::text[]), (SELECT $2::text[])))`

export const snapshotFromRow = (row: Row): CheckoutSnapshot => {
  const checkout = checkoutFromRow(row)
  const isMoving = checkout.state.status === 'open' && row['in_flight_order_code'] !== null
  return { checkout, inFlight: isMoving ? attemptFromRow(row, 'in_flight_') : null }
}

/** Who has paid it, by the row of a checkout. */
export const shopperFromRow = (row: Row): Shopper | null => {
  const email = textOrNull(row, 'shopper_email')
  const locale = textOrNull(row, 'shopper_locale')
  return locale === null ? null : shopperOf({ email, locale })
}

/**
 * One statement, so that it is one moment. In two, a payment that ends in between could read as open and not pending, and the
 * page would tell a shopper who has paid that the payment failed.
 */
export const readCheckoutSnapshot = async (
  sql: Sql,
  { merchantId, checkoutId }: CheckoutRef,
): Promise<CheckoutSnapshot | null> => {
  const [row] = await sql.rows(CHECKOUT, merchantId, checkoutId)
  return row === undefined ? null : snapshotFromRow(row)
}

/** An attempt and all that says what may become of it. */
export interface AttemptReading extends CheckoutSnapshot {
  readonly attempt: Attempt
  /** Null where the card is outside 3-D Secure. */
  readonly authentication: AuthenticationRecord | null
}

const ORDER = `SELECT ${snapshotColumns('checkouts')}, ${attemptColumns('attempts', 'attempt_')},
    ${authenticationColumns('authentication_')}
  FROM attempts
  JOIN checkouts ON checkouts.merchant_id = attempts.merchant_id AND checkouts.id = attempts.checkout_id
  ${inFlightBeside('checkouts')}
  LEFT JOIN authentications
    ON authentications.merchant_id = attempts.merchant_id AND authentications.order_code = attempts.order_code
  WHERE attempts.merchant_id = $1 AND attempts.order_code = $2`

export const readAttempt = async (sql: Sql, merchantId: string, orderCode: string): Promise<AttemptReading | null> => {
  if (!isId(orderCode)) return null
  const [row] = await sql.rows(ORDER, merchantId, orderCode)
  if (row === undefined) return null
  const authentication =
    row['authentication_order_code'] === null ? null : authenticationFromRow(row, 'authentication_')
  return { ...snapshotFromRow(row), attempt: attemptFromRow(row, 'attempt_'), authentication }
}
