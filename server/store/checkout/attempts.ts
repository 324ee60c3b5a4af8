/** Attempts: their rows are read, inserted and updated here. */
import { Compile } from 'typebox/compile'
import { AuthenticationFacts } from '#contract/merchant/checkout-answer.ts'
import { isMerchantMode } from '#contract/access.ts'
import { type Attempt, type AttemptState, recordedWord } from '#payment/attempt.ts'
import type { Instant } from '#contract/jst.ts'
import { velocityOutcome, shopOutcome } from '#payment/card-testing.ts'
import type { AttemptWithAuthentication } from '#payment/merchant-view.ts'
import { siteOf } from '#payment/client-network-limits.ts'
import type { CheckoutRef } from '#payment/references.ts'
import { isId } from '../../ids.ts'
import { asStored, stateFromRow } from './attempt-state.ts'
import { cardFromRow, storedCard } from './card-columns.ts'
import type { Row, Sql, SqlValue, Write } from '../engine/database.ts'
import { integer, jsonOrNull, oneOf, prefixedColumns, text, textOrNull } from '../engine/columns.ts'
import { insertRecords } from '../engine/write.ts'

const READ_COLUMNS = `merchant_id, checkout_id, order_code, mode, amount_yen, card_brand, card_last_four, started_at,
  consent_version, client_network, card_mark, challenge_demanded, acquirer_reference, details`

export const attemptColumns = (table: string, prefix: string): string => prefixedColumns(READ_COLUMNS, table, prefix)

/** '' is stored where nothing chargeable was sent. A row of an earlier release has none: its order code was its reference. */
const referenceFromRow = (row: Row, prefix: string): string | null => {
  const stored = textOrNull(row, `${prefix}acquirer_reference`) ?? text(row, `${prefix}order_code`)
  return stored === '' ? null : stored
}

export const attemptFromRow = (row: Row, prefix = ''): Attempt => ({
  merchantId: text(row, `${prefix}merchant_id`),
  checkoutId: text(row, `${prefix}checkout_id`),
  orderCode: text(row, `${prefix}order_code`),
  mode: oneOf(row, `${prefix}mode`, isMerchantMode),
  amountYen: integer(row, `${prefix}amount_yen`),
  card: cardFromRow(row, prefix),
  startedAt: integer(row, `${prefix}started_at`),
  consentVersion: textOrNull(row, `${prefix}consent_version`),
  clientNetwork: textOrNull(row, `${prefix}client_network`),
  cardMark: textOrNull(row, `${prefix}card_mark`),
  challengeDemanded: integer(row, `${prefix}challenge_demanded`) === 1,
  reference: referenceFromRow(row, prefix),
  state: stateFromRow(row, `${prefix}details`),
})

/** All attempts of a checkout, each with the facts of its authentication. */
export const payingAttemptsOf = async (
  sql: Sql,
  { merchantId, checkoutId }: CheckoutRef,
): Promise<AttemptWithAuthentication[]> => {
  const rows = await sql.rows(
    `SELECT ${READ_COLUMNS}, authentication FROM attempts WHERE merchant_id = $1 AND checkout_id = $2
     ORDER BY started_at, order_code`,
    merchantId,
    checkoutId,
  )
  return rows.map(payingFromRow)
}

export const attemptsOfCheckout = async (sql: Sql, ref: CheckoutRef): Promise<Attempt[]> =>
  (await payingAttemptsOf(sql, ref)).map(({ attempt }) => attempt)

/** For comparisons with the acquirer, who does not know our merchants. An order code is 160 random bits, unique over all of them. */
export const findAttemptOfAnyMerchant = async (sql: Sql, orderCode: string): Promise<Attempt | null> => {
  if (!isId(orderCode)) return null
  const [row] = await sql.rows(
    `SELECT ${READ_COLUMNS} FROM attempts WHERE merchant_id IN (SELECT id FROM merchants) AND order_code = $1`,
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
    `SELECT ${READ_COLUMNS}, authentication FROM attempts WHERE merchant_id = $1 AND order_code = $2`,
    merchantId,
    orderCode,
  )
  return row === undefined ? null : payingFromRow(row)
}

const dueAt = (state: AttemptState): number | null => {
  if (state.name === 'charging') return state.leaseUntil
  return state.name === 'unknown' ? state.nextInquiryAt : null
}

/**
 * The facts of the authentication, which later states no longer hold. The authentication value is left out: the acquirer
 * needs it for the charge, and nobody needs it afterwards.
 */
const authenticationText = (state: AttemptState): string | null => {
  if (!('clearance' in state) || state.clearance === null) return null
  const { clearance } = state
  if (clearance.by === 'exemption') return JSON.stringify({ challenged: false, exemption: clearance.reason })
  const { authenticationValue: _left, ...facts } = clearance.authentication
  return JSON.stringify({ ...facts, challenged: clearance.challenged === true })
}

/** The outcome that counts for the velocity of the shop, and its time. Null leaves the stored values as they are. */
const shopColumns = (attempt: Attempt, now: Instant) => {
  const outcome = shopOutcome(attempt)
  // 0 keeps a row that counts for nothing out of the rows that are read: such rows must not displace those that count.
  const answeredAt = outcome === 'challenged' || outcome === 'uncounted' ? 0 : now
  return { shop_outcome: outcome, answered_at: outcome === null ? null : answeredAt }
}

const recordOf = (attempt: Attempt, now: Instant): Record<string, SqlValue> => ({
  merchant_id: attempt.merchantId,
  order_code: attempt.orderCode,
  checkout_id: attempt.checkoutId,
  amount_yen: attempt.amountYen,
  card_brand: storedCard(attempt.card).brand,
  card_last_four: storedCard(attempt.card).lastFour,
  started_at: attempt.startedAt,
  consent_version: attempt.consentVersion,
  state: recordedWord(attempt.state.name),
  details: JSON.stringify(asStored(attempt.state)),
  due_at: dueAt(attempt.state),
  mode: attempt.mode,
  question: velocityOutcome(attempt.state),
  client_network: attempt.clientNetwork,
  authentication: authenticationText(attempt.state),
  client_site: attempt.clientNetwork === null ? null : siteOf(attempt.clientNetwork),
  card_mark: attempt.cardMark,
  challenge_demanded: Number(attempt.challengeDemanded),
  acquirer_reference: attempt.reference ?? '',
  ...shopColumns(attempt, now),
})

/** Stores the next state of an existing attempt. An upsert would check every unique index and the foreign key first. */
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
      ...Object.values(shopColumns(attempt, now)),
    ],
  }
}

/**
 * Stores the acquirer's reference of an attempt that is being charged, durably. False: the attempt is not being charged any more,
 * or has a reference. One statement, so that of this and of an inquiry that begins a doubt one comes first.
 */
export const rememberReference = async (
  sql: Sql,
  { merchantId, orderCode }: Pick<Attempt, 'merchantId' | 'orderCode'>,
  reference: string,
): Promise<boolean> => {
  const rows = await sql.rows(
    `UPDATE attempts SET acquirer_reference = $3
     WHERE merchant_id = $1 AND order_code = $2 AND state = 'charging' AND acquirer_reference = '' RETURNING order_code`,
    merchantId,
    orderCode,
    reference,
  )
  return rows.length > 0
}

/** The reference as it is stored now. */
export const readReference = async (
  sql: Sql,
  { merchantId, orderCode }: Pick<Attempt, 'merchantId' | 'orderCode'>,
): Promise<string | null> => {
  const [row] = await sql.rows(
    'SELECT order_code, acquirer_reference FROM attempts WHERE merchant_id = $1 AND order_code = $2',
    merchantId,
    orderCode,
  )
  return row === undefined ? null : referenceFromRow(row, '')
}

/** After a restore: the reference that the acquirer lists for an attempt whose own was lost. */
export const restoreReference = async (
  sql: Sql,
  { merchantId, orderCode }: Pick<Attempt, 'merchantId' | 'orderCode'>,
  reference: string,
): Promise<void> => {
  await sql.rows(
    `UPDATE attempts SET acquirer_reference = $3 WHERE merchant_id = $1 AND order_code = $2 AND acquirer_reference = ''`,
    merchantId,
    orderCode,
    reference,
  )
}

/** Stores new attempts and the next states of existing ones. `standing`: the attempts that were read under the lock. */
export const attemptsWrite = (
  attempts: readonly Attempt[],
  now: Instant,
  standing: readonly Attempt[] = [],
): Write[] => {
  const [first, ...others] = attempts
  if (first !== undefined && others.length === 0 && standing.some(({ orderCode }) => orderCode === first.orderCode))
    return [nextStateWrite(first, now)]
  return insertRecords(
    'attempts',
    attempts.map((attempt) => recordOf(attempt, now)),
    `ON CONFLICT (merchant_id, order_code) DO UPDATE SET
       state = excluded.state, details = excluded.details, due_at = excluded.due_at, question = excluded.question,
       authentication = COALESCE(excluded.authentication, attempts.authentication),
       challenge_demanded = excluded.challenge_demanded,
       shop_outcome = COALESCE(excluded.shop_outcome, attempts.shop_outcome),
       answered_at = COALESCE(excluded.answered_at, attempts.answered_at)`,
  )
}
