/** Attempts: their rows are read, inserted and updated here. */
import { Compile } from 'typebox/compile'
import { isCardBrand } from '#contract/brands.ts'
import { AuthenticationFacts } from '#contract/merchant/checkout-answer.ts'
import { isMerchantMode } from '#contract/access.ts'
import { type Attempt, type AttemptState, recordedWord } from '#payment/attempt.ts'
import type { Instant } from '#contract/jst.ts'
import { velocityOutcome, shopOutcome } from '#payment/card-testing.ts'
import type { AttemptWithAuthentication } from '#payment/merchant-view.ts'
import { siteOf } from '#payment/network-limits.ts'
import type { CheckoutRef } from '#payment/references.ts'
import { isId } from '../../ids.ts'
import { asStored, stateFromRow } from './attempt-state.ts'
import type { Row, Sql, SqlValue, Write } from '../engine/database.ts'
import { integer, jsonOrNull, oneOf, text, textOrNull } from '../engine/columns.ts'
import { insertRows } from '../engine/write.ts'

const READ_COLUMNS = [
  'merchant_id',
  'checkout_id',
  'order_code',
  'mode',
  'amount_yen',
  'card_brand',
  'card_last_four',
  'started_at',
  'consent_version',
  'client_network',
  'card_mark',
  'challenge_demanded',
  'details',
] as const

/** The columns of an attempt beside those of other tables; `attemptFromRow` reads them under the same prefix. */
export const attemptColumns = (table: string, prefix: string): string =>
  READ_COLUMNS.map((column) => `${table}.${column} AS ${prefix}${column}`).join(', ')

export const attemptFromRow = (row: Row, prefix = ''): Attempt => ({
  merchantId: text(row, `${prefix}merchant_id`),
  checkoutId: text(row, `${prefix}checkout_id`),
  orderCode: text(row, `${prefix}order_code`),
  mode: oneOf(row, `${prefix}mode`, isMerchantMode),
  amountYen: integer(row, `${prefix}amount_yen`),
  card: {
    brand: oneOf(row, `${prefix}card_brand`, isCardBrand),
    lastFour: text(row, `${prefix}card_last_four`),
  },
  startedAt: integer(row, `${prefix}started_at`),
  consentVersion: textOrNull(row, `${prefix}consent_version`),
  clientNetwork: textOrNull(row, `${prefix}client_network`),
  cardMark: textOrNull(row, `${prefix}card_mark`),
  challengeDemanded: integer(row, `${prefix}challenge_demanded`) === 1,
  state: stateFromRow(row, `${prefix}details`),
})

/** All attempts to pay a checkout, each with what the card holder's bank said. */
export const payingAttemptsOf = async (
  sql: Sql,
  { merchantId, checkoutId }: CheckoutRef,
): Promise<AttemptWithAuthentication[]> => {
  const rows = await sql.rows(
    'SELECT * FROM attempts WHERE merchant_id = $1 AND checkout_id = $2 ORDER BY started_at, order_code',
    merchantId,
    checkoutId,
  )
  return rows.map(payingFromRow)
}

export const attemptsOfCheckout = async (sql: Sql, ref: CheckoutRef): Promise<Attempt[]> =>
  (await payingAttemptsOf(sql, ref)).map(({ attempt }) => attempt)

/** For comparisons with the acquirer, who knows no merchants. An order code is 160 random bits: no two merchants share one. */
export const findAttemptOfAnyMerchant = async (sql: Sql, orderCode: string): Promise<Attempt | null> => {
  if (!isId(orderCode)) return null
  const [row] = await sql.rows(
    'SELECT * FROM attempts WHERE merchant_id IN (SELECT id FROM merchants) AND order_code = $1',
    orderCode,
  )
  return row === undefined ? null : attemptFromRow(row)
}

const storedAuthentication = Compile(AuthenticationFacts)

const payingFromRow = (row: Row): AttemptWithAuthentication => ({
  attempt: attemptFromRow(row),
  authentication: jsonOrNull(row, 'authentication', storedAuthentication),
})

export const findPayingAttempt = async (
  sql: Sql,
  merchantId: string,
  orderCode: string,
): Promise<AttemptWithAuthentication | null> => {
  const [row] = await sql.rows(
    'SELECT * FROM attempts WHERE merchant_id = $1 AND order_code = $2',
    merchantId,
    orderCode,
  )
  return row === undefined ? null : payingFromRow(row)
}

const dueAt = (state: AttemptState): number | null => {
  if (state.name === 'charging') return state.leaseUntil
  return state.name === 'unknown' ? state.nextInquiryAt : null
}

const WRITTEN_COLUMNS = [
  'merchant_id',
  'order_code',
  'checkout_id',
  'amount_yen',
  'card_brand',
  'card_last_four',
  'started_at',
  'consent_version',
  'state',
  'details',
  'due_at',
  'mode',
  'question',
  'client_network',
  'authentication',
  'client_site',
  'card_mark',
  'challenge_demanded',
  'shop_outcome',
  'answered_at',
]

/**
 * What the bank said, which later states no longer hold. Not the authentication value: it proves the authentication to the
 * acquirer, and nobody needs it after the charge.
 */
const authenticationText = (state: AttemptState): string | null => {
  if (!('clearance' in state) || state.clearance === null) return null
  const { clearance } = state
  if (clearance.by === 'exemption') return JSON.stringify({ challenged: false, exemption: clearance.reason })
  const { authenticationValue: _left, ...facts } = clearance.authentication
  return JSON.stringify({ ...facts, challenged: clearance.challenged === true })
}

/** What is known of the question at its shop, and since when; both stay as they are where this says nothing. */
const shopColumns = (attempt: Attempt, now: Instant): [outcome: string | null, answeredAt: number | null] => {
  const outcome = shopOutcome(attempt)
  if (outcome === null) return [null, null]
  // Not among those that are read: by questions that count for nothing nobody drives out the ones that do.
  return [outcome, outcome === 'challenged' || outcome === 'uncounted' ? 0 : now]
}

const rowOf = (attempt: Attempt, now: Instant): SqlValue[] => [
  attempt.merchantId,
  attempt.orderCode,
  attempt.checkoutId,
  attempt.amountYen,
  attempt.card.brand,
  attempt.card.lastFour,
  attempt.startedAt,
  attempt.consentVersion,
  recordedWord(attempt.state.name),
  JSON.stringify(asStored(attempt.state)),
  dueAt(attempt.state),
  attempt.mode,
  velocityOutcome(attempt.state),
  attempt.clientNetwork,
  authenticationText(attempt.state),
  attempt.clientNetwork === null ? null : siteOf(attempt.clientNetwork),
  attempt.cardMark,
  Number(attempt.challengeDemanded),
  ...shopColumns(attempt, now),
]

/** The next state of an attempt that stands. An INSERT would look through every unique index and for its checkout first. */
const nextStateWrite = (attempt: Attempt, now: Instant): Write => {
  const { merchantId, orderCode, state } = attempt
  return {
    text: `UPDATE attempts SET state = $3, details = $4, due_at = $5, question = $6,
      authentication = COALESCE($7, authentication), challenge_demanded = $8,
      shop_outcome = COALESCE($9, shop_outcome), answered_at = COALESCE($10, answered_at) WHERE merchant_id = $1 AND order_code = $2`,
    values: [
      merchantId,
      orderCode,
      recordedWord(state.name),
      JSON.stringify(asStored(state)),
      dueAt(state),
      velocityOutcome(state),
      authenticationText(state),
      Number(attempt.challengeDemanded),
      ...shopColumns(attempt, now),
    ],
  }
}

/** Stores attempts as they are now: new ones, and the next states of those that stand, as they were read under the lock. */
export const attemptsWrite = (
  attempts: readonly Attempt[],
  now: Instant,
  standing: readonly Attempt[] = [],
): Write[] => {
  const [first, ...others] = attempts
  if (first !== undefined && others.length === 0 && standing.some(({ orderCode }) => orderCode === first.orderCode))
    return [nextStateWrite(first, now)]
  return insertRows(
    'attempts',
    WRITTEN_COLUMNS,
    attempts.map((attempt) => rowOf(attempt, now)),
    `ON CONFLICT (merchant_id, order_code) DO UPDATE SET
       state = excluded.state, details = excluded.details, due_at = excluded.due_at, question = excluded.question,
       authentication = COALESCE(excluded.authentication, attempts.authentication),
       challenge_demanded = excluded.challenge_demanded,
       shop_outcome = COALESCE(excluded.shop_outcome, attempts.shop_outcome),
       answered_at = COALESCE(excluded.answered_at, attempts.answered_at)`,
  )
}
