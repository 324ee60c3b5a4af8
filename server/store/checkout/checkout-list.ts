/** List of checkouts: exact filters, the newest first. Its cost does not grow with the table. */
import type { Instant } from '#contract/jst.ts'
import type { Shopper } from '#contract/merchant/checkout-answer.ts'
import type { CheckoutSnapshot } from '#payment/checkout.ts'
import type { Row, Sql } from '../engine/database.ts'
import { integer, text } from '../engine/columns.ts'
import { pageOf, type ListPage, type PageRequest, type Place } from '../engine/list-page.ts'
import type { KeyScope } from '../merchant/keys.ts'
import {
  asksForFewPending,
  isContradiction,
  NEWEST_FIRST,
  searchFor,
  type CheckoutFilters,
  type Search,
} from './checkout-list-conditions.ts'
import { inFlightBeside, shopperFromRow, snapshotColumns, snapshotFromRow } from './checkout-reads.ts'

export interface ListedCheckout extends CheckoutSnapshot {
  readonly shopper: Shopper | null
  readonly refundedYen: number
}

/** The most rows of its index that a page examines, so that a filter that hardly matches costs no more. */
export const EXAMINED_MAX = 250

const REFUNDED_YEN = `COALESCE((SELECT CAST(SUM(refunds.amount_yen) AS BIGINT) FROM refunds
  WHERE refunds.merchant_id = listed.merchant_id AND refunds.checkout_id = listed.id
    AND refunds.state = 'refunded'), 0) AS refunded_yen`

const fromRow = (row: Row): ListedCheckout => ({
  ...snapshotFromRow(row),
  shopper: shopperFromRow(row),
  refundedYen: integer(row, 'refunded_yen'),
})

export const placeOf = ({ checkout }: CheckoutSnapshot): Place => [checkout.createdAt, checkout.id]

/** The last row that a page may examine; null: there are fewer. */
const lastExamined = async (sql: Sql, { from, found, foundValues }: Search): Promise<Place | null> => {
  const [row] = await sql.rows(
    `SELECT created_at, id FROM ${from} WHERE ${found.join(' AND ')} ${NEWEST_FIRST}
     LIMIT 1 OFFSET ${EXAMINED_MAX - 1}`,
    ...foundValues,
  )
  return row === undefined ? null : [integer(row, 'created_at'), text(row, 'id')]
}

/**
 * A LIMIT inside keeps both engines from merging the two levels of the query, and makes PostgreSQL read rows in order: it would
 * rather read all open checkouts and sort them. Twice as many as lie between two places: new ones may come meanwhile.
 */
const FOUND_MAX = 2 * EXAMINED_MAX

/**
 * One index finds rows in order, and each is examined in turn. The last row of a page is fixed before the page is read, so that
 * no row is lost between two pages.
 */
export const listCheckouts = async (
  sql: Sql,
  scope: KeyScope,
  filters: CheckoutFilters,
  { after, limit }: PageRequest,
  now: Instant,
): Promise<ListPage<ListedCheckout>> => {
  if (isContradiction(filters)) return { items: [], after: null }
  const asked = { filters, isFewPending: await asksForFewPending(sql, scope, filters) }
  const search = searchFor(scope, asked, { after, end: null }, now)
  const isAllRead = asked.isFewPending || (search.skipped.length === 0 && search.examined.length === 0)
  const end = isAllRead ? null : await lastExamined(sql, search)
  const { from, skipped, examined, marks, ...reached } = searchFor(scope, asked, { after, end }, now)
  const found = [...reached.found, ...skipped].join(' AND ')
  const more = marks.add(limit + 1)
  // Two levels: in one, an engine may search by another index, which finds too many rows.
  const listed =
    examined.length === 0
      ? `SELECT checkouts.* FROM ${from} WHERE ${found} ${NEWEST_FIRST} LIMIT ${more}`
      : `SELECT * FROM (SELECT checkouts.* FROM ${from} WHERE ${found} ${NEWEST_FIRST} LIMIT ${FOUND_MAX}) AS found
       WHERE ${examined.join(' AND ')} ${NEWEST_FIRST} LIMIT ${more}`
  const rows = await sql.rows(
    `SELECT ${snapshotColumns('listed')}, ${REFUNDED_YEN} FROM (${listed}) AS listed ${inFlightBeside('listed')}
     ORDER BY listed.created_at DESC, listed.id DESC`,
    ...marks.values,
  )
  const page = pageOf(rows, limit, { read: fromRow, placeOf })
  return page.after === null ? { ...page, after: end } : page
}
