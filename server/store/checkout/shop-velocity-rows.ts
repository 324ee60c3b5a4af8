/** Velocity of a shop in the database: its cards of an hour and of a week, its refused attempts, and its forced challenge. */
import type { Instant } from '#contract/jst.ts'
import type { MerchantMode } from '#contract/access.ts'
import { AHEAD_MAX_MS } from '#payment/card-testing.ts'
import type { AccountRef } from '#payment/references.ts'
import {
  FORCED_CHALLENGE_AHEAD_MAX_MS,
  SHOP_HISTORY_MS,
  SHOP_HOUR_MS,
  SHOP_TEN_MINUTES_MS,
  type CardCounts,
  type UnpaidEnds,
} from '#payment/shop-limits.ts'
import { changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import { CARD } from './card-testing.ts'
import type { Row, Sql } from '../engine/database.ts'
import { integer, integerOrNull } from '../engine/columns.ts'

/** Of a database or of a transaction, the part that reads. */
export type Reads = Pick<Sql, 'rows'>

/** Sent to an issuer or the acquirer without a forced challenge, and not paid. */
const IS_UNPAID = `shop_outcome IN ('asked', 'refused', 'declined') AND challenge_demanded = 0`
const IS_REFUSED = `shop_outcome IN ('refused', 'declined')`
/** Over the rows of one card. */
const PAID_AND_UNPAID = `max(CASE WHEN shop_outcome = 'paid' THEN 1 ELSE 0 END) AS paid,
    max(CASE WHEN ${IS_UNPAID} THEN 1 ELSE 0 END) AS unpaid`
/** Over the rows of many cards. */
const UNPAID_CARDS = 'sum(CASE WHEN paid = 0 THEN unpaid ELSE 0 END)'

const total = (sum: string): string => `CAST(COALESCE(${sum}, 0) AS BIGINT)`

/** Paid and unpaid cards of the shop in the last seven days; `$1` and `$2` name the shop. */
const historyColumns = (since: string): string =>
  ['paid', 'unpaid']
    .map(
      (column) => `(SELECT ${total(`sum(${column})`)} FROM shop_hours
      WHERE merchant_id = $1 AND mode = $2 AND hour > ${since}) AS history_${column}`,
    )
    .join(', ')

const historyFromRow = (row: Row): CardCounts => ({
  paid: integer(row, 'history_paid'),
  unpaid: integer(row, 'history_unpaid'),
})

/** The most rows of an hour that are read, the newest first. */
const HOUR_READ = 10_000

const SHOP_CARDS = `SELECT ${historyColumns('$6')}, ${total('sum(paid)')} AS paid, ${total(UNPAID_CARDS)} AS unpaid
  FROM (SELECT card, ${PAID_AND_UNPAID}
    FROM (SELECT shop_outcome, challenge_demanded, ${CARD} AS card FROM attempts
      WHERE merchant_id = $1 AND mode = $2 AND answered_at > 0 AND answered_at > $3 AND answered_at <= $4
      ORDER BY answered_at DESC LIMIT $5) AS newest
    GROUP BY card) AS cards`

export interface ShopCards {
  readonly ofHour: CardCounts
  readonly history: CardCounts
}

/** The cards of a shop in the last hour, and in the seven days before. */
export const readShopCards = async (sql: Reads, { merchantId, mode }: AccountRef, now: Instant): Promise<ShopCards> => {
  const [row = {}] = await sql.rows(
    SHOP_CARDS,
    merchantId,
    mode,
    now - SHOP_HOUR_MS,
    now + AHEAD_MAX_MS,
    HOUR_READ,
    now - SHOP_HISTORY_MS,
  )
  return { ofHour: { paid: integer(row, 'paid'), unpaid: integer(row, 'unpaid') }, history: historyFromRow(row) }
}

/** Fewer: it covers all shops, and a payment waits for it. */
const SERVER_READ = 2000

const SERVER_CARDS = `SELECT ${total('sum(paid)')} AS paid, ${total(UNPAID_CARDS)} AS unpaid
  FROM (SELECT merchant_id, card, ${PAID_AND_UNPAID}
    FROM (SELECT merchant_id, mode, shop_outcome, challenge_demanded, ${CARD} AS card FROM attempts
      WHERE client_network IS NOT NULL AND started_at > $1 AND started_at <= $2
      ORDER BY started_at DESC LIMIT $3) AS newest
    WHERE mode = $4 GROUP BY merchant_id, card) AS cards`

/** The cards of all shops in the last hour. */
export const readServerCards = async (sql: Reads, mode: MerchantMode, now: Instant): Promise<CardCounts> => {
  const [row = {}] = await sql.rows(SERVER_CARDS, now - SHOP_HOUR_MS, now + AHEAD_MAX_MS, SERVER_READ, mode)
  return { paid: integer(row, 'paid'), unpaid: integer(row, 'unpaid') }
}

const FORCED_COLUMN: Readonly<Record<MerchantMode, string>> = { test: 'test_braked_until', live: 'live_braked_until' }

const endsText = (mode: MerchantMode): string => `SELECT ${historyColumns('$6')},
    (SELECT ${FORCED_COLUMN[mode]} FROM merchants WHERE id = $1) AS until,
    count(DISTINCT CASE WHEN ${IS_REFUSED} THEN checkout_id END) AS links,
    count(DISTINCT CASE WHEN ${IS_REFUSED} THEN card_mark END) AS cards,
    count(DISTINCT CASE WHEN ${IS_REFUSED} THEN client_network END) AS networks,
    count(DISTINCT CASE WHEN shop_outcome = 'paid' THEN checkout_id END) AS paid_links,
    count(DISTINCT CASE WHEN shop_outcome = 'refused' THEN checkout_id END) AS refused_links
  FROM (SELECT shop_outcome, checkout_id, card_mark, client_network FROM attempts
    WHERE merchant_id = $1 AND mode = $2 AND answered_at > 0 AND answered_at > $3 AND answered_at <= $4
    ORDER BY answered_at DESC LIMIT $5) AS newest`
const ENDS: Readonly<Record<MerchantMode, string>> = { test: endsText('test'), live: endsText('live') }

/** The time window, and how many rows are read at most. */
const ENDS_READ = {
  'ten minutes': { windowMs: SHOP_TEN_MINUTES_MS, rows: 1000 },
  hour: { windowMs: SHOP_HOUR_MS, rows: 5000 },
} as const
export type EndsWindow = keyof typeof ENDS_READ

export interface ShopEnds {
  readonly ends: UnpaidEnds
  readonly history: CardCounts
  /** The end of the forced challenge, past or future. */
  readonly until: Instant
}

/** Counts what issuers and the acquirer have refused at a shop. */
export const readShopEnds = async (
  sql: Sql,
  { merchantId, mode }: AccountRef,
  { window, countsCards }: { readonly window: EndsWindow; readonly countsCards: boolean },
  now: Instant,
): Promise<ShopEnds> => {
  const { windowMs, rows } = ENDS_READ[window]
  const [row = {}] = await sql.rows(
    ENDS[mode],
    merchantId,
    mode,
    now - windowMs,
    now + AHEAD_MAX_MS,
    rows,
    now - SHOP_HISTORY_MS,
  )
  const ends = {
    links: integer(row, 'links'),
    cards: countsCards ? integer(row, 'cards') : null,
    networks: integer(row, 'networks'),
    paidLinks: integer(row, 'paid_links'),
    refusedLinks: integer(row, 'refused_links'),
  }
  return { ends, history: historyFromRow(row), until: integer(row, 'until') }
}

/** True where this call moved the end of the forced challenge; of two calls at the same time, one does. */
export const moveForcedChallenge = async (
  sql: Sql,
  { merchantId, mode }: AccountRef,
  { from, until }: { readonly from: Instant; readonly until: Instant },
): Promise<boolean> => {
  const column = FORCED_COLUMN[mode]
  const rows = await sql.rows(
    `UPDATE merchants SET ${column} = $3 WHERE id = $1 AND ${column} = $2 RETURNING id`,
    merchantId,
    from,
    until,
  )
  return rows.length > 0
}

/** At how many merchants the challenge is forced now. */
export const countForcedChallenges = async (sql: Sql, now: Instant): Promise<number> => {
  const [row = {}] = await sql.rows(
    `SELECT count(*) AS total FROM merchants WHERE (test_braked_until > $1 AND test_braked_until <= $2)
       OR (live_braked_until > $1 AND live_braked_until <= $2)`,
    now,
    now + FORCED_CHALLENGE_AHEAD_MAX_MS,
  )
  return integer(row, 'total')
}

/** Cards are deleted after a day. */
const SUMMED_WITHIN_MS = 24 * SHOP_HOUR_MS
/** By then every payment of the hour has ended, except those in doubt. */
const SUMMED_AFTER_MS = SHOP_HOUR_MS

const STARTED = 'FROM attempts WHERE client_network IS NOT NULL AND started_at >= $1 AND started_at < $2'
const ANY_STARTED = `SELECT order_code ${STARTED} LIMIT 1`

const SUM_HOURS = `INSERT INTO shop_hours (merchant_id, mode, hour, paid, unpaid)
  SELECT merchant_id, mode, hour, sum(paid), ${UNPAID_CARDS}
  FROM (SELECT merchant_id, mode, started_at - started_at % ${SHOP_HOUR_MS} AS hour, ${CARD} AS card, ${PAID_AND_UNPAID}
    ${STARTED}
    GROUP BY merchant_id, mode, hour, card) AS cards
  WHERE hour >= $1 GROUP BY merchant_id, mode, hour
  ON CONFLICT (merchant_id, mode, hour) DO NOTHING`

/** Stores the sums of the hours that are over and have none yet. */
export const sumShopHours = async (sql: Sql, now: Instant): Promise<void> => {
  const [row = {}] = await sql.rows('SELECT max(hour) AS hour FROM shop_hours')
  const summed = integerOrNull(row, 'hour')
  const from = Math.max((summed ?? 0) + SHOP_HOUR_MS, now - SUMMED_WITHIN_MS)
  const to = now - SUMMED_AFTER_MS - ((now - SUMMED_AFTER_MS) % SHOP_HOUR_MS)
  if (from < to && (await sql.rows(ANY_STARTED, from, to)).length > 0) await sql.rows(SUM_HOURS, from, to)
}

const OLD_HOURS: BatchedChange = {
  table: 'shop_hours',
  key: ['merchant_id', 'mode', 'hour'],
  where: 'hour <= $1',
  order: 'hour',
  change: 'DELETE',
}

/** Deletes hours of more than seven days ago. True when there may be more. */
export const forgetOldHours = (sql: Sql, now: Instant): Promise<boolean> =>
  changeNextBatch(sql, OLD_HOURS, [now - SHOP_HISTORY_MS])
