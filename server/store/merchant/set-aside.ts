/**
 * Set aside: rows of a queue, and notifications of an acquirer, that cannot be read. Each is taken out of its queue alone and
 * stays here until an operator puts it back or drops it.
 */
import type { Instant } from '#contract/jst.ts'
import { integer, integerOrNull, oneOf, text, textOrNull } from '../engine/columns.ts'
import type { Database, Row, Sql, SqlValue } from '../engine/database.ts'

/** How a row leaves its queue and comes back, by its merchant ($1) and its key; `NOW` is the time. */
interface Moves {
  readonly out: string
  readonly back: string
}

const OF_NOTIFICATION = 'WHERE merchant_id = $1 AND mode = $2 AND id = $3'
const OF_MAIL = 'WHERE merchant_id = $1 AND id = $2'
/** People's mails are of no merchant. */
const OF_PERSON_MAIL = "WHERE CAST($1 AS TEXT) = '' AND id = $2"
const OF_NOTICE = 'WHERE merchant_id = $1 AND endpoint_id = $2 AND kind = $3 AND failing_since = $4'
const OF_HOUR = 'WHERE merchant_id = $1 AND mode = $2 AND topic = $3 AND hour = $4'
const OF_DELIVERY = 'WHERE merchant_id = $1 AND endpoint_id = $2 AND event_id = $3'

/**
 * Every queue. Null: its rows stay in it, and are tried again by the worker whether or not they stand here: a payment in doubt is
 * never given up. An event stays out as long as it stands here (`fan-out.ts`).
 */
const QUEUES = {
  notifications: {
    out: `UPDATE acquirer_notifications SET handled_at = NOW ${OF_NOTIFICATION}`,
    back: `UPDATE acquirer_notifications SET handled_at = NULL ${OF_NOTIFICATION}`,
  },
  mails: {
    out: `UPDATE mails SET state = 'given_up', next_try_at = NULL, ended_at = NOW ${OF_MAIL}`,
    back: `UPDATE mails SET state = 'waiting', next_try_at = NOW, asked_again_at = NOW, ended_at = NULL ${OF_MAIL} AND recipient IS NOT NULL`,
  },
  person_mails: {
    out: `UPDATE person_mails SET next_try_at = NULL ${OF_PERSON_MAIL}`,
    back: `UPDATE person_mails SET next_try_at = NOW ${OF_PERSON_MAIL}`,
  },
  notices: {
    out: `UPDATE endpoint_notices SET told_at = NOW ${OF_NOTICE}`,
    back: `UPDATE endpoint_notices SET told_at = NULL ${OF_NOTICE}`,
  },
  summaries: {
    out: `UPDATE notification_hours SET held = -held ${OF_HOUR} AND held > 0`,
    back: `UPDATE notification_hours SET held = -held ${OF_HOUR} AND held < 0`,
  },
  deliveries: {
    out: `UPDATE deliveries SET state = 'failed', due_at = NULL, ended_at = NOW ${OF_DELIVERY}`,
    back: `UPDATE deliveries SET state = 'pending', step = 0, claim = claim + 1, due_at = NOW, ended_at = NULL ${OF_DELIVERY}`,
  },
  events: { out: '', back: '' },
  inquiries: null,
  deadlines: null,
  disputes: null,
  figures: null,
} as const satisfies Readonly<Record<string, Moves | null>>

export type Queue = keyof typeof QUEUES

const isQueue = (word: string): word is Queue => Object.hasOwn(QUEUES, word)

export interface SetAsideRef {
  readonly merchantId: string
  readonly queue: Queue
  /** The parts of the key, with spaces between them. */
  readonly id: string
}

export interface NewSetAside extends SetAsideRef {
  /** In words of ours, which hold nothing of the row. */
  readonly why: string
  /** JSON: what an acquirer has said, where that stands in no other table. */
  readonly said: string | null
}

export interface SetAside extends NewSetAside {
  /** The label of its merchant; null: it has none. */
  readonly shop: string | null
  readonly at: Instant
}

/** A part that cannot be read may hold anything, a space too. */
export const idOfKey = (key: readonly SqlValue[]): string =>
  key.map((part) => String(part).replaceAll('%', '%25').replaceAll(' ', '%20')).join(' ')

const keyOfId = (id: string): string[] =>
  id.split(' ').map((part) => part.replaceAll('%20', ' ').replaceAll('%25', '%'))

const move = async (sql: Sql, { merchantId, queue, id }: SetAsideRef, to: keyof Moves, now: Instant): Promise<void> => {
  const statement = QUEUES[queue]?.[to] ?? ''
  if (statement === '') return
  const values = [merchantId, ...keyOfId(id)]
  if (statement.includes('NOW')) await sql.rows(statement.replaceAll('NOW', `$${values.length + 1}`), ...values, now)
  else await sql.rows(statement, ...values)
}

/** Answers whether it was not set aside before. */
export const insertSetAside = async (
  sql: Sql,
  { merchantId, queue, id, why, said }: NewSetAside,
  now: Instant,
): Promise<boolean> => {
  const rows = await sql.rows(
    `INSERT INTO set_aside (merchant_id, queue, id, why, said, at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (merchant_id, queue, id) DO NOTHING RETURNING id`,
    merchantId,
    queue,
    id,
    why,
    said,
    now,
  )
  return rows.length > 0
}

/** Takes the row out of its queue as well. */
export const setAside = (database: Database, row: NewSetAside, now: Instant): Promise<boolean> =>
  database.transact(async (sql) => {
    const isNew = await insertSetAside(sql, row, now)
    await move(sql, row, 'out', now)
    return isNew
  })

/** Puts the row back where it was. False: it is not set aside any more. */
export const putBack = async (sql: Sql, ref: SetAsideRef, now: Instant): Promise<boolean> => {
  const rows = await sql.rows(
    'DELETE FROM set_aside WHERE merchant_id = $1 AND queue = $2 AND id = $3 AND dropped_at IS NULL RETURNING id',
    ref.merchantId,
    ref.queue,
    ref.id,
  )
  if (rows.length > 0) await move(sql, ref, 'back', now)
  return rows.length > 0
}

/** A row of these queues is a payment or its books: it is mended, never dropped. */
export const mayBeDropped = (queue: Queue): boolean => QUEUES[queue] !== null

/** Leaves it out for ever, and forgets what was said. False: it is not set aside any more. */
export const dropSetAside = async (
  sql: Sql,
  { merchantId, queue, id }: SetAsideRef,
  now: Instant,
): Promise<boolean> => {
  const rows = await sql.rows(
    `UPDATE set_aside SET dropped_at = $4, said = NULL
     WHERE merchant_id = $1 AND queue = $2 AND id = $3 AND dropped_at IS NULL RETURNING id`,
    merchantId,
    queue,
    id,
    now,
  )
  return rows.length > 0
}

const SELECT = `SELECT merchant_id, queue, set_aside.id AS id, why, said, at, label FROM set_aside
  LEFT JOIN merchants ON merchants.id = set_aside.merchant_id WHERE dropped_at IS NULL`

const fromRow = (row: Row): SetAside => ({
  merchantId: text(row, 'merchant_id'),
  queue: oneOf(row, 'queue', isQueue),
  id: text(row, 'id'),
  why: text(row, 'why'),
  said: textOrNull(row, 'said'),
  at: integer(row, 'at'),
  shop: textOrNull(row, 'label'),
})

/** Those that wait for an operator, the oldest first. */
export const listSetAside = async (sql: Sql, limit: number): Promise<SetAside[]> =>
  (await sql.rows(`${SELECT} ORDER BY at, merchant_id, queue, set_aside.id LIMIT $1`, limit)).map(fromRow)

/** As an operator names it: by the label of its shop, null where it has none. */
export interface NamedSetAside {
  readonly shop: string | null
  readonly queue: string
  readonly id: string
}

export const findSetAside = async (sql: Sql, { shop, queue, id }: NamedSetAside): Promise<SetAside | null> => {
  const [row] = await sql.rows(
    `${SELECT} AND merchant_id = COALESCE((SELECT id FROM merchants WHERE label = $1), '') AND queue = $2
       AND set_aside.id = $3`,
    shop,
    queue,
    id,
  )
  return row === undefined ? null : fromRow(row)
}

/** Counting stops here: a scrape must not read many. */
const SET_ASIDE_COUNTED_MAX = 10_000

export interface InboxCounts {
  /** Of all merchants and queues. */
  readonly setAside: number
  readonly oldestSetAside: Instant | null
  /** When the oldest notification came about which something is still to be done; null: there is none. */
  readonly oldestUnhandled: Instant | null
}

export const readInboxCounts = async (sql: Sql): Promise<InboxCounts> => {
  const [row = {}] = await sql.rows(
    `SELECT (SELECT COUNT(*) FROM (SELECT 1 AS one FROM set_aside WHERE dropped_at IS NULL
        LIMIT ${SET_ASIDE_COUNTED_MAX}) AS each_one) AS set_aside,
      (SELECT at FROM set_aside WHERE dropped_at IS NULL ORDER BY at LIMIT 1) AS oldest_set_aside,
      (SELECT MIN(received_at) FROM acquirer_notifications WHERE handled_at IS NULL) AS oldest_unhandled`,
  )
  return {
    setAside: integer(row, 'set_aside'),
    oldestSetAside: integerOrNull(row, 'oldest_set_aside'),
    oldestUnhandled: integerOrNull(row, 'oldest_unhandled'),
  }
}

/** How many notifications of a merchant wait here, counted up to a number. */
export const countUnreadableNotifications = async (sql: Sql, merchantId: string, most: number): Promise<number> => {
  const [row = {}] = await sql.rows(
    `SELECT COUNT(*) AS n FROM (SELECT 1 AS one FROM set_aside
       WHERE merchant_id = $1 AND queue = 'notifications' AND dropped_at IS NULL LIMIT $2) AS each_one`,
    merchantId,
    most,
  )
  return integer(row, 'n')
}

/** How many disputes of a merchant wait here, counted up to a number. */
export const countDisputesSetAside = async (sql: Sql, merchantId: string, most: number): Promise<number> => {
  const [row = {}] = await sql.rows(
    `SELECT COUNT(*) AS n FROM (SELECT 1 AS one FROM set_aside
       WHERE merchant_id = $1 AND queue = 'disputes' AND dropped_at IS NULL LIMIT $2) AS each_one`,
    merchantId,
    most,
  )
  return integer(row, 'n')
}
