/** Attention of one shop: what needs a person there, each kind found by an index of that shop and counted up to a limit. */
import type { Instant } from '#contract/jst.ts'
import { ATTENTION_COUNTED_MAX } from '#contract/merchant/attention-items.ts'
import { isDisputeStatus } from '#payment/dispute.ts'
import type { DisputeStatus } from '#payment/ports.ts'
import { integer, integerOrNull, oneOf, text, textOrNull } from '../engine/columns.ts'
import type { Row, Sql } from '../engine/database.ts'
import { IN_FLIGHT_OF_SHOP } from '../checkout/checkout-list-conditions.ts'
import type { KeyScope } from '../merchant/keys.ts'
import { doubtOf, isDoubtText, type ListedDoubt } from './doubts.ts'

export type ShopDoubt = Omit<ListedDoubt, 'kind' | 'merchant' | 'why'>

const doubtFromRow = (row: Row): ShopDoubt => {
  const { since, inquiries } = doubtOf(row)
  return {
    checkoutId: text(row, 'checkout_id'),
    orderCode: text(row, 'order_code'),
    refundId: textOrNull(row, 'refund_id'),
    amountYen: integer(row, 'amount_yen'),
    nextInquiryAt: integer(row, 'due_at'),
    since,
    inquiries,
  }
}

const oldestFirst = (one: ShopDoubt, other: ShopDoubt): number => one.since - other.since

/** Charges whose outcome is unknown, the oldest first; of very many, some. */
export const paymentsInDoubt = async (sql: Sql, { merchantId, mode }: KeyScope, now: Instant): Promise<ShopDoubt[]> => {
  const rows = await sql.rows(
    `SELECT checkout_id, order_code, NULL AS refund_id, amount_yen, state, details, due_at
     ${IN_FLIGHT_OF_SHOP} AND ${isDoubtText('$3')} LIMIT ${ATTENTION_COUNTED_MAX}`,
    merchantId,
    mode,
    now,
  )
  return rows.map(doubtFromRow).toSorted(oldestFirst)
}

/** Refunds whose outcome is unknown, the oldest first; of very many, some. */
export const refundsInDoubt = async (sql: Sql, { merchantId, mode }: KeyScope, now: Instant): Promise<ShopDoubt[]> => {
  const rows = await sql.rows(
    `SELECT checkout_id, order_code, refund_id, amount_yen, state, details, due_at FROM refunds
     WHERE merchant_id = $1 AND mode = $2 AND ${isDoubtText('$3')} LIMIT ${ATTENTION_COUNTED_MAX}`,
    merchantId,
    mode,
    now,
  )
  return rows.map(doubtFromRow).toSorted(oldestFirst)
}

/** Checkouts that are closed to payment after a restore, and since when; null: none. */
export const heldCheckouts = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
): Promise<{ readonly count: number; readonly since: Instant } | null> => {
  // Found by the index of held checkouts, of which there are none on most days: by that of statuses SQLite would read all open ones.
  const [row = {}] = await sql.rows(
    `SELECT count(*) AS held, min(held_since) AS since FROM (SELECT held_since FROM checkouts
       WHERE merchant_id = $1 AND mode = $2 AND held_since IS NOT NULL AND id > '' AND status || '' = 'open'
       LIMIT ${ATTENTION_COUNTED_MAX}) AS closed`,
    merchantId,
    mode,
  )
  const since = integerOrNull(row, 'since')
  return since === null ? null : { count: integer(row, 'held'), since }
}

export interface DisputeToAnswer {
  readonly checkoutId: string
  readonly disputeId: string
  readonly status: DisputeStatus
  readonly amountYen: number
  readonly reason: string | null
  readonly respondBy: Instant
}

/** Disputes whose deadline has not passed, the nearest first. */
export const disputesToAnswer = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  now: Instant,
): Promise<DisputeToAnswer[]> => {
  const rows = await sql.rows(
    `SELECT checkout_id, dispute_id, status, amount_yen, reason, respond_by FROM disputes
     WHERE merchant_id = $1 AND mode = $2 AND status IN ('inquiry', 'open') AND respond_by >= $3
     ORDER BY respond_by LIMIT ${ATTENTION_COUNTED_MAX}`,
    merchantId,
    mode,
    now,
  )
  return rows.map((row) => ({
    checkoutId: text(row, 'checkout_id'),
    disputeId: text(row, 'dispute_id'),
    status: oneOf(row, 'status', isDisputeStatus),
    amountYen: integer(row, 'amount_yen'),
    reason: textOrNull(row, 'reason'),
    respondBy: integer(row, 'respond_by'),
  }))
}

export interface GivenUpDelivery {
  readonly endpointId: string
  readonly eventId: string
  readonly type: string
  readonly checkoutId: string
  readonly endedAt: Instant
}

/** What one endpoint did not take since a time, the newest first. Pings are not counted. */
export const givenUpDeliveries = async (
  sql: Sql,
  merchantId: string,
  endpointId: string,
  since: Instant,
): Promise<GivenUpDelivery[]> => {
  const rows = await sql.rows(
    `SELECT event_id, type, checkout_id, failed.ended_at AS ended_at FROM (SELECT merchant_id, event_id, ended_at FROM deliveries
       WHERE merchant_id = $1 AND endpoint_id = $2 AND state = 'failed' AND ended_at > $3
       ORDER BY ended_at DESC LIMIT ${ATTENTION_COUNTED_MAX}) AS failed
     JOIN events ON events.merchant_id = failed.merchant_id AND events.id = failed.event_id AND events.sequence > 0
     ORDER BY failed.ended_at DESC`,
    merchantId,
    endpointId,
    since,
  )
  return rows.map((row) => ({
    endpointId,
    eventId: text(row, 'event_id'),
    type: text(row, 'type'),
    checkoutId: text(row, 'checkout_id'),
    endedAt: integer(row, 'ended_at'),
  }))
}

export interface UnsentMail {
  /** Null: it was to the shop itself. */
  readonly checkoutId: string | null
  readonly kind: string
  readonly state: string
  readonly answer: string | null
  readonly endedAt: Instant
}

/**
 * Mails about checkouts of this mode, and those to the shop itself, that were refused or given up since a time, the newest first.
 * One about a checkout is left out where a later one was sent: asked for row by row, because what stands in NOT EXISTS is joined,
 * for which PostgreSQL may read all mails.
 */
export const unsentMails = async (sql: Sql, { merchantId, mode }: KeyScope, since: Instant): Promise<UnsentMail[]> => {
  const rows = await sql.rows(
    `SELECT failed.checkout_id AS checkout_id, kind, state, answer, ended_at FROM (
       SELECT merchant_id, checkout_id, kind, state, answer, ended_at, created_at FROM mails
       WHERE merchant_id = $1 AND state IN ('refused', 'given_up') AND ended_at > $2
       ORDER BY ended_at DESC LIMIT ${ATTENTION_COUNTED_MAX}) AS failed
     LEFT JOIN checkouts ON checkouts.merchant_id = failed.merchant_id AND checkouts.id = failed.checkout_id
     WHERE (failed.checkout_id IS NULL OR checkouts.mode = $3)
       AND (SELECT 1 FROM mails AS later WHERE later.merchant_id = failed.merchant_id AND later.checkout_id = failed.checkout_id
         AND later.state = 'sent' AND later.created_at > failed.created_at LIMIT 1) IS NULL
     ORDER BY ended_at DESC`,
    merchantId,
    since,
    mode,
  )
  return rows.map((row) => ({
    checkoutId: textOrNull(row, 'checkout_id'),
    kind: text(row, 'kind'),
    state: text(row, 'state'),
    answer: textOrNull(row, 'answer'),
    endedAt: integer(row, 'ended_at'),
  }))
}
