/** Attempts in the database. */
import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { isCardBrand } from '#contract/brands.ts'
import { AuthenticationFacts } from '#contract/merchant/checkout-answer.ts'
import { isMerchantMode } from '#contract/access.ts'
import { ABANDON_REASONS, type Attempt, type AttemptState } from '#payment/attempt.ts'
import type { AttemptWithAuthentication } from '#payment/merchant-view.ts'
import type { CheckoutRef } from '#payment/references.ts'
import { isId } from '../../ids.ts'
import { integer, json, jsonOrNull, oneOf, text, textOrNull, type Row, type Sql } from '../engine/database.ts'

const Clearance = Type.Union([
  Type.Object({
    by: Type.Literal('authentication'),
    authentication: Type.Object({
      transStatus: Type.Enum(['Y', 'A']),
      eci: Type.String(),
      authenticationValue: Type.String(),
      dsTransId: Type.String(),
      messageVersion: Type.String(),
    }),
    challenged: Type.Optional(Type.Literal(true)),
  }),
  Type.Object({ by: Type.Literal('exemption'), reason: Type.Literal('not_enrolled') }),
])

const Receipt = Type.Object({ email: Type.Union([Type.String(), Type.Null()]), locale: Type.String() })

/** The whole state as JSON text; the columns `state` and `due_at` repeat what indexes and searches need of it. */
const StoredState = Type.Union([
  Type.Object({ name: Type.Literal('started'), clearance: Type.Union([Clearance, Type.Null()]) }),
  Type.Object({ name: Type.Literal('authenticating'), since: Type.Integer() }),
  Type.Object({ name: Type.Literal('challenged') }),
  Type.Object({ name: Type.Literal('authenticated'), clearance: Clearance }),
  Type.Object({
    name: Type.Literal('refused'),
    reason: Type.String(),
    counted: Type.Boolean(),
    blocksCard: Type.Boolean(),
    unfinished: Type.Optional(Type.Literal(true)),
  }),
  Type.Object({
    name: Type.Literal('charging'),
    clearance: Clearance,
    receipt: Receipt,
    claimedAt: Type.Integer(),
    leaseUntil: Type.Integer(),
  }),
  Type.Object({
    name: Type.Literal('unknown'),
    receipt: Receipt,
    why: Type.String(),
    since: Type.Integer(),
    inquiries: Type.Integer(),
    nextInquiryAt: Type.Integer(),
  }),
  Type.Object({
    name: Type.Literal('charged'),
    receipt: Receipt,
    transactionId: Type.String(),
    approvedAt: Type.Integer(),
  }),
  Type.Object({ name: Type.Literal('declined'), reason: Type.String() }),
  Type.Object({ name: Type.Literal('void'), why: Type.Optional(Type.String()) }),
  Type.Object({ name: Type.Literal('abandoned'), why: Type.Enum([...ABANDON_REASONS]) }),
])

const storedState = Compile(StoredState)

/** Earlier releases did not store when a claim was made. Such a claim was made long ago: its shopper is written to. */
const upgraded = (state: unknown): unknown =>
  typeof state === 'object' && state !== null && 'name' in state && state.name === 'charging'
    ? { claimedAt: 0, ...state }
    : state

const stateFromRow = (row: Row, column: string): AttemptState => {
  const state = json(row, column, storedState, upgraded)
  return state.name === 'void' ? { name: 'void' } : state
}

/**
 * With `stateFromRow` it holds the schema and the union equal: a state that only one of them knows does not compile. Earlier
 * releases read no void without a reason: one may run beside this, or be gone back to.
 */
export const asStored = (state: AttemptState): Static<typeof StoredState> =>
  state.name === 'void' ? { ...state, why: 'nothing was charged' } : state

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
export const findOrder = async (sql: Sql, orderCode: string): Promise<Attempt | null> => {
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
