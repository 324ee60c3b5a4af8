/**
 * Set aside: rows of a queue, and notifications of an acquirer, that cannot be read. Each is taken out of its queue alone and
 * stays here until an operator puts it back or drops it.
 */
import type { Instant } from '#contract/jst.ts'
import { integer, integerOrNull, oneOf, text, textOrNull } from '../engine/columns.ts'
import type { Database, Row, Sql, SqlValue } from '../engine/database.ts'
import { conditions } from '../engine/list-page.ts'

/** How a row leaves its queue and comes back: by its merchant and its key, and by the time where a statement has one number more. */
interface Moves {
  readonly takeOut: string
  readonly putBack: string
}

const OF_NOTIFICATION = 'WHERE merchant_id = $1 AND mode = $2 AND id = $3'
const OF_MAIL = 'WHERE merchant_id = $1 AND id = $2'
/** People's mails are of no merchant. */
const OF_PERSON_MAIL = "WHERE CAST($1 AS TEXT) = '' AND id = $2"
const OF_NOTICE = 'WHERE merchant_id = $1 AND endpoint_id = $2 AND kind = $3 AND failing_since = $4'
const OF_HOUR = 'WHERE merchant_id = $1 AND mode = $2 AND topic = $3 AND hour = $4'
const OF_DELIVERY = 'WHERE merchant_id = $1 AND endpoint_id = $2 AND event_id = $3'
const OF_EVENT = 'WHERE merchant_id = $1 AND id = $2'

/** Below that of every other event of its merchant and mode: no two may have the same place, and no list shows one below zero. */
const PLACE_OF_NONE = `COALESCE((SELECT MIN(fanned_out_at) FROM events AS other
  WHERE other.merchant_id = events.merchant_id AND other.mode = events.mode AND other.sequence > 0
    AND other.fanned_out_at IS NOT NULL AND other.fanned_out_at < 0), 0) - 1`

/**
 * Every queue. Null: its rows stay where they are and are read as ever, whether or not they stand here. A payment in doubt is
 * never given up, and without its settings a shop cannot be served.
 */
const QUEUES = {
  notifications: {
    takeOut: `UPDATE acquirer_notifications SET handled_at = $4 ${OF_NOTIFICATION}`,
    putBack: `UPDATE acquirer_notifications SET handled_at = NULL ${OF_NOTIFICATION}`,
  },
  mails: {
    takeOut: `UPDATE mails SET state = 'given_up', next_try_at = NULL, ended_at = $3 ${OF_MAIL}`,
    putBack: `UPDATE mails SET state = 'waiting', next_try_at = $3, asked_again_at = $3, ended_at = NULL
      ${OF_MAIL} AND recipient IS NOT NULL`,
  },
  person_mails: {
    takeOut: `UPDATE person_mails SET next_try_at = NULL ${OF_PERSON_MAIL}`,
    putBack: `UPDATE person_mails SET next_try_at = $3 ${OF_PERSON_MAIL}`,
  },
  notices: {
    takeOut: `UPDATE endpoint_notices SET told_at = $5 ${OF_NOTICE}`,
    putBack: `UPDATE endpoint_notices SET told_at = NULL ${OF_NOTICE}`,
  },
  // The worker looks for what is above zero: below, the count is kept and not due.
  summaries: {
    takeOut: `UPDATE notification_hours SET held = -held ${OF_HOUR} AND held > 0`,
    putBack: `UPDATE notification_hours SET held = -held ${OF_HOUR} AND held < 0`,
  },
  deliveries: {
    takeOut: `UPDATE deliveries SET state = 'failed', due_at = NULL, ended_at = $4 ${OF_DELIVERY}`,
    putBack: `UPDATE deliveries SET state = 'pending', step = 0, claim = claim + 1, due_at = $4, ended_at = NULL ${OF_DELIVERY}`,
  },
  // Out of the index of events that wait, which is walked twice a second, and old enough one day to be forgotten.
  events: {
    takeOut: `UPDATE events SET fanned_out_at = ${PLACE_OF_NONE} ${OF_EVENT} AND fanned_out_at IS NULL`,
    putBack: `UPDATE events SET fanned_out_at = NULL ${OF_EVENT} AND fanned_out_at < 0`,
  },
  inquiries: null,
  deadlines: null,
  disputes: null,
  figures: null,
  endpoints: null,
  accounts: null,
  shops: null,
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
  /** Sealed: what an acquirer has said, where that stands in no other table. */
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

/** False: no such row is in its queue. */
const move = async (
  sql: Sql,
  { merchantId, queue, id }: SetAsideRef,
  to: keyof Moves,
  now: Instant,
): Promise<boolean> => {
  const moves = QUEUES[queue]
  if (moves === null) return true
  const key = [merchantId, ...keyOfId(id)]
  const values = moves[to].includes(`$${key.length + 1}`) ? [...key, now] : key
  return (await sql.rows(`${moves[to]} RETURNING 1 AS moved`, ...values)).length > 0
}

const OF_ROW = 'merchant_id = $1 AND queue = $2 AND id = $3'

/** Dropped, and unreadable once more since it was replayed: it calls an operator again. */
const REOPENED = `DO UPDATE SET why = excluded.why, at = excluded.at, dropped_at = NULL
  WHERE set_aside.dropped_at IS NOT NULL`

/** Answers whether an operator must hear of it. What an acquirer sends once more stays dropped. */
export const insertSetAside = async (
  sql: Sql,
  { merchantId, queue, id, why, said }: NewSetAside,
  now: Instant,
): Promise<boolean> => {
  const rows = await sql.rows(
    `INSERT INTO set_aside (merchant_id, queue, id, why, said, at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (merchant_id, queue, id) ${said === null ? REOPENED : 'DO NOTHING'} RETURNING id`,
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
    await move(sql, row, 'takeOut', now)
    return isNew
  })

/** False: it is not set aside any more. */
export const forgetSetAside = async (sql: Sql, { merchantId, queue, id }: SetAsideRef): Promise<boolean> =>
  (await sql.rows(`DELETE FROM set_aside WHERE ${OF_ROW} AND dropped_at IS NULL RETURNING id`, merchantId, queue, id))
    .length > 0

/** Puts the row back where it was. `left its queue`: the row is gone, and so is what stood here. */
export const putBack = async (
  sql: Sql,
  ref: SetAsideRef,
  now: Instant,
): Promise<'put back' | 'left its queue' | 'gone'> => {
  if (!(await forgetSetAside(sql, ref))) return 'gone'
  return (await move(sql, ref, 'putBack', now)) ? 'put back' : 'left its queue'
}

/** Of a row that stays in its queue and was worked on: it is readable again, and calls an operator if it is not once more. */
export const clearIfSetAside = async (sql: Sql, ref: SetAsideRef): Promise<void> => {
  // Select first: most were never set aside, and a change takes the write lock of SQLite.
  const rows = await sql.rows(`SELECT 1 AS one FROM set_aside WHERE ${OF_ROW}`, ref.merchantId, ref.queue, ref.id)
  if (rows.length > 0) await forgetSetAside(sql, ref)
}

/** From when on an endpoint has missed events, if that is earlier than what stands here. */
export const noteMissedSince = async (sql: Sql, { merchantId, queue, id }: SetAsideRef, at: Instant): Promise<void> => {
  await sql.rows(`UPDATE set_aside SET at = $4 WHERE ${OF_ROW} AND at > $4`, merchantId, queue, id, at)
}

/** A row of the other queues is a payment, its books or a setting: it is mended, never dropped. */
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

/** Those of one queue, of every shop or of one, that an operator decides about at once. */
export interface SetAsideOfQueue {
  /** The label of their shop; null: of every shop. */
  readonly shop: string | null
  readonly queue: string
  /** What comes later waits for its own decision: a row that is put back may be set aside again meanwhile. */
  readonly until: Instant
}

/** The next ones behind one of them, the oldest first. */
export const nextSetAside = async (
  sql: Sql,
  { shop, queue, until }: SetAsideOfQueue,
  after: SetAside | null,
  limit: number,
): Promise<SetAside[]> => {
  const { values, add } = conditions(queue, until, limit)
  const ofShop = shop === null ? '' : `AND label = ${add(shop)}`
  const behind =
    after === null
      ? ''
      : `AND (at, merchant_id, queue, set_aside.id) > (${add(after.at)}, ${add(after.merchantId)}, ${add(after.queue)}, ${add(after.id)})`
  const rows = await sql.rows(
    `${SELECT} AND queue = $1 AND at <= $2 ${ofShop} ${behind} ORDER BY at, merchant_id, queue, set_aside.id LIMIT $3`,
    ...values,
  )
  return rows.map(fromRow)
}

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

/** How many rows of a merchant's queue wait here, counted up to a number. */
export const countSetAsideOf = async (
  sql: Sql,
  { merchantId, queue }: Pick<SetAsideRef, 'merchantId' | 'queue'>,
  most: number,
): Promise<number> => {
  const [row = {}] = await sql.rows(
    `SELECT COUNT(*) AS n FROM (SELECT 1 AS one FROM set_aside
       WHERE merchant_id = $1 AND queue = $2 AND dropped_at IS NULL LIMIT $3) AS each_one`,
    merchantId,
    queue,
    most,
  )
  return integer(row, 'n')
}
