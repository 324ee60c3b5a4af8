/** Readings without a lock: a checkout, or an attempt with its checkout, by one statement. */
import type { Shopper } from '#contract/merchant/checkout-answer.ts'
import { IN_FLIGHT, type Attempt } from '#payment/attempt.ts'
import type { CheckoutSnapshot } from '#payment/checkout.ts'
import { shopperOf } from '#payment/merchant-view.ts'
import type { CheckoutRef } from '#payment/references.ts'
import { isId } from '../../ids.ts'
import { attemptColumns, attemptFromRow } from './attempts.ts'
import { authenticationColumns, authenticationFromRow, type AuthenticationRecord } from './authentications.ts'
import { CHECKOUT_COLUMNS, checkoutFromRow } from './checkouts.ts'
import { coalesceReads, type ReadOne } from './coalesced-reads.ts'
import type { Row, Sql } from '../engine/database.ts'
import { prefixedColumns, textOrNull, wordList } from '../engine/columns.ts'

/**
 * At most one attempt of a checkout is in flight, so the join gives one row. The condition on the mode makes both engines use
 * the small index of attempts in flight; without it they would search all attempts.
 */
export const inFlightBeside = (checkouts: string): string =>
  `LEFT JOIN attempts AS in_flight ON in_flight.merchant_id = ${checkouts}.merchant_id
  AND in_flight.mode = ${checkouts}.mode AND in_flight.checkout_id = ${checkouts}.id
  AND in_flight.state IN (${wordList(IN_FLIGHT)})`

export const snapshotColumns = (checkouts: string): string =>
  [
    prefixedColumns(`${CHECKOUT_COLUMNS}, shopper_email, shopper_locale`, checkouts, ''),
    attemptColumns('in_flight', 'in_flight_'),
  ].join(', ')

const SNAPSHOTS = `SELECT ${snapshotColumns('checkouts')} FROM checkouts ${inFlightBeside('checkouts')}`

const CHECKOUT = `${SNAPSHOTS} WHERE checkouts.merchant_id = $1 AND checkouts.id = $2`

/**
 * The same for many checkouts by two lists, on PostgreSQL (`coalesced-reads.ts`). The lists are subqueries to hide their length
 * from the planner: it would otherwise plan the statement again on every call.
 */
export const MANY_CHECKOUTS = `${SNAPSHOTS}
  WHERE (checkouts.merchant_id, checkouts.id) IN (SELECT * FROM UNNEST((SELECT $1::text[]), (SELECT $2::text[])))`

export const snapshotFromRow = (row: Row): CheckoutSnapshot => {
  const checkout = checkoutFromRow(row)
  const isMoving = checkout.state.status === 'open' && row['in_flight_order_code'] !== null
  return { checkout, inFlight: isMoving ? attemptFromRow(row, 'in_flight_') : null }
}

/** The shopper who paid, from the row of a checkout. */
export const shopperFromRow = (row: Row): Shopper | null => {
  const email = textOrNull(row, 'shopper_email')
  const locale = textOrNull(row, 'shopper_locale')
  return locale === null ? null : shopperOf({ email, locale })
}

/** A list as the text that PostgreSQL reads an array from. */
const listText = (list: readonly string[]): string =>
  `{${list.map((each) => `"${each.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`)}"`).join()}}`

const coalescing = new WeakMap<Sql, ReadOne>()

const readerOn = (sql: Sql): ReadOne => {
  const readOne: ReadOne = (merchantId, id) => sql.rows(CHECKOUT, merchantId, id)
  if (!sql.coalescesReads) return readOne
  const reader =
    coalescing.get(sql) ?? coalesceReads(readOne, (...lists) => sql.rows(MANY_CHECKOUTS, ...lists.map(listText)))
  coalescing.set(sql, reader)
  return reader
}

/**
 * One statement reads one moment. With two statements, a payment that ends in between would read as open and not pending, and
 * the page would tell a shopper who has paid that the payment failed.
 */
export const readCheckoutSnapshot = async (
  sql: Sql,
  { merchantId, checkoutId }: CheckoutRef,
): Promise<CheckoutSnapshot | null> => {
  const [row] = await readerOn(sql)(merchantId, checkoutId)
  return row === undefined ? null : snapshotFromRow(row)
}

/** An attempt with its checkout and its authentication. */
export interface AttemptReading extends CheckoutSnapshot {
  readonly attempt: Attempt
  /** Null for a card without 3-D Secure. */
  readonly authentication: AuthenticationRecord | null
}

const ATTEMPT = `SELECT ${snapshotColumns('checkouts')}, ${attemptColumns('attempts', 'attempt_')},
    ${authenticationColumns('authentication_')}
  FROM attempts
  JOIN checkouts ON checkouts.merchant_id = attempts.merchant_id AND checkouts.id = attempts.checkout_id
  ${inFlightBeside('checkouts')}
  LEFT JOIN authentications
    ON authentications.merchant_id = attempts.merchant_id AND authentications.order_code = attempts.order_code
  WHERE attempts.merchant_id = $1 AND attempts.order_code = $2`

export const readAttempt = async (sql: Sql, merchantId: string, orderCode: string): Promise<AttemptReading | null> => {
  if (!isId(orderCode)) return null
  const [row] = await sql.rows(ATTEMPT, merchantId, orderCode)
  if (row === undefined) return null
  const authentication =
    row['authentication_order_code'] === null ? null : authenticationFromRow(row, 'authentication_')
  return { ...snapshotFromRow(row), attempt: attemptFromRow(row, 'attempt_'), authentication }
}
