/** Lists of checkouts: exact filters, newest first, at a cost that does not grow with the table. */
import type { CheckoutStatus } from '#contract/checkout.ts'
import { DAY_MS, type Instant } from '#contract/jst.ts'
import type { Shopper } from '#contract/merchant/checkout-answer.ts'
import { VALIDITY_DAYS_MAX } from '#contract/merchant/checkouts.ts'
import { IN_FLIGHT } from '#payment/attempt.ts'
import type { CheckoutSnapshot } from '#payment/checkout.ts'
import type { Row, Sql, SqlValue } from '../engine/database.ts'
import { integer, text, wordList } from '../engine/columns.ts'
import {
  conditions,
  pageOf,
  type Conditions,
  type ListPage,
  type PageRequest,
  type Place,
} from '../engine/list-page.ts'
import type { KeyScope } from '../merchant/keys.ts'
import { inFlightBeside, shopperFromRow, snapshotColumns, snapshotFromRow } from './readings.ts'

/** Instants are included at both ends. */
export interface CheckoutFilters {
  readonly status?: CheckoutStatus | undefined
  readonly pending?: boolean | undefined
  readonly reference?: string | undefined
  readonly email?: string | undefined
  readonly lastFour?: string | undefined
  readonly transactionId?: string | undefined
  readonly createdFrom?: Instant | undefined
  readonly createdTo?: Instant | undefined
  readonly paidFrom?: Instant | undefined
  readonly paidTo?: Instant | undefined
}

export interface ListedCheckout extends CheckoutSnapshot {
  readonly shopper: Shopper | null
  readonly refundedYen: number
}

/** A page looks at no more rows than these that its index finds, so that filters which hardly ever match cost no more. */
export const EXAMINED_MAX = 300

const PAID: readonly CheckoutStatus[] = ['paid', 'refunded']

/** No link is open longer. A month more: a charge begun on its last day may be in doubt for long. */
const PAID_AFTER_CREATION_MAX_MS = (VALIDITY_DAYS_MAX + 31) * DAY_MS

type Filter = keyof CheckoutFilters

const COLUMN_OF = {
  transactionId: 'transaction_id',
  reference: 'reference',
  email: 'shopper_email',
  lastFour: 'card_last_four',
  status: 'status',
} as const satisfies Partial<Record<Filter, string>>

/** The filters that have an index of their own, the rarest values first. */
const BY_INDEX = ['transactionId', 'reference', 'email', 'lastFour', 'status'] as const

const IN_FLIGHT_OF_MERCHANT = `SELECT checkout_id FROM attempts WHERE attempts.merchant_id = $1 AND attempts.mode = $2
  AND attempts.state IN (${wordList(IN_FLIGHT)})`

/** SQLite joins in the order that CROSS JOIN is written in: it would rather read all open checkouts. */
const MOVING = `SELECT merchant_id AS of_merchant, checkout_id AS checkout FROM attempts
  WHERE merchant_id = $1 AND mode = $2 AND state IN (${wordList(IN_FLIGHT)})`

const asksForPaid = ({ email, lastFour, transactionId, paidFrom, paidTo }: CheckoutFilters): boolean =>
  [email, lastFour, transactionId, paidFrom, paidTo].some((filter) => filter !== undefined)

/** What only a payment has cannot be had by a checkout that is not paid. */
const isContradiction = (filters: CheckoutFilters): boolean => {
  const { status, pending } = filters
  const isPaidAsked = asksForPaid(filters) || (status !== undefined && PAID.includes(status))
  return (
    (isPaidAsked && pending === true) ||
    (asksForPaid(filters) && status !== undefined && !PAID.includes(status)) ||
    (pending === true && status !== undefined && status !== 'open')
  )
}

/** Where the wanted rows lie by their creation: nothing is paid before it is created, nor long after. */
const creationRange = ({ createdFrom, createdTo, paidFrom, paidTo }: CheckoutFilters) => {
  const earliest = [createdFrom, paidFrom === undefined ? undefined : paidFrom - PAID_AFTER_CREATION_MAX_MS]
  const latest = [createdTo, paidTo === undefined ? undefined : paidTo + DAY_MS]
  const known = (ends: readonly (number | undefined)[]): number[] =>
    ends.flatMap((end) => (end === undefined ? [] : [end]))
  return { from: known(earliest).toSorted((a, b) => b - a)[0], to: known(latest).toSorted((a, b) => a - b)[0] }
}

/** What one index finds in the order of the list, and what it must look at in each row that it finds. */
interface Search {
  /** The table, behind the attempts in flight where these are to be looked for first. */
  readonly from: string
  readonly found: readonly string[]
  /** What the index itself holds behind its order: rows are passed over unread. */
  readonly skipped: readonly string[]
  readonly examined: readonly string[]
  /** Only those of `found`: PostgreSQL takes no value that a statement does not name. */
  readonly foundValues: readonly SqlValue[]
  readonly marks: Conditions
}

/** The filter whose index is read. Status comes last: of six values one may be most of the table. */
const driverOf = (filters: CheckoutFilters): (typeof BY_INDEX)[number] | 'payment' | 'in flight' => {
  if (filters.pending === true) return 'in flight'
  const selective = BY_INDEX.find((name) => name !== 'status' && filters[name] !== undefined)
  if (selective !== undefined) return selective
  return filters.paidFrom === undefined && filters.paidTo === undefined ? 'status' : 'payment'
}

/** Behind which place a page begins, and the last that it looks at. */
interface Reach {
  readonly after: Place | null
  readonly end: Place | null
}

/** One bound on each side, the nearer one: of two SQLite takes either, and reads all that lies between them. */
const boundsOf = (filters: CheckoutFilters, { after, end }: Reach, { add }: Conditions): string[] => {
  const { from, to } = creationRange(filters)
  const compare = (sign: '>=' | '<=', at: Instant | undefined): string[] =>
    at === undefined ? [] : [`created_at ${sign} ${add(at)}`]
  const comparePlace = (sign: '>=' | '<', place: Place): string[] => [
    `${PLACE} ${sign} (${place.map((value) => add(value)).join(', ')})`,
  ]
  const lower = end === null ? compare('>=', from) : comparePlace('>=', end)
  const isAfterNearer = after !== null && (to === undefined || after[0] <= to)
  return [...lower, ...(isAfterNearer ? comparePlace('<', after) : compare('<=', to))]
}

const searchFor = ({ merchantId, mode }: KeyScope, filters: CheckoutFilters, reach: Reach, now: Instant): Search => {
  const { status, pending, paidFrom, paidTo } = filters
  const marks = conditions(merchantId, mode)
  const compare = (column: string, sign: '=' | '>=' | '<=', value: SqlValue | undefined): string[] =>
    value === undefined ? [] : [`${column} ${sign} ${marks.add(value)}`]
  const driver = driverOf(filters)
  const found = [
    'merchant_id = $1 AND mode = $2',
    ...BY_INDEX.filter((name) => name === driver).flatMap((name) => compare(COLUMN_OF[name], '=', filters[name])),
    ...(driver === 'payment' ? ['paid_at IS NOT NULL'] : []),
    // Whose money moves at this moment is few: all of them are looked at.
    ...(driver === 'in flight'
      ? ["status = 'open' AND merchant_id = moving.of_merchant AND id = moving.checkout"]
      : []),
    ...boundsOf(filters, reach, marks),
  ]
  const foundValues = [...marks.values]
  const skipped = [
    // Not `=`: SQLite would look for it by the index of statuses, and read all that have it.
    ...(driver === 'status' ? [] : compare('status', '>=', status)),
    ...(driver === 'status' ? [] : compare('status', '<=', status)),
    ...compare('paid_at', '>=', paidFrom),
    ...compare('paid_at', '<=', paidTo),
  ]
  const examined = [
    ...BY_INDEX.filter((name) => name !== driver && name !== 'status').flatMap((name) =>
      compare(COLUMN_OF[name], '=', filters[name]),
    ),
    ...(pending === false ? [`id NOT IN (${IN_FLIGHT_OF_MERCHANT})`] : []),
    // As it is read: past its deadline it is open only while its money moves.
    ...(status === 'open' && driver !== 'in flight'
      ? [`(valid_until >= ${marks.add(now)} OR id IN (${IN_FLIGHT_OF_MERCHANT}))`]
      : []),
  ]
  const from = driver === 'in flight' ? `(${MOVING}) AS moving CROSS JOIN checkouts` : 'checkouts'
  return { from, found, skipped, examined, foundValues, marks }
}

const PLACE = '(created_at, id)'
const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC'

const REFUNDED_YEN = `COALESCE((SELECT CAST(SUM(refunds.amount_yen) AS BIGINT) FROM refunds
  WHERE refunds.merchant_id = listed.merchant_id AND refunds.checkout_id = listed.id
    AND refunds.state = 'refunded'), 0) AS refunded_yen`

const fromRow = (row: Row): ListedCheckout => ({
  ...snapshotFromRow(row),
  shopper: shopperFromRow(row),
  refundedYen: integer(row, 'refunded_yen'),
})

const placeOf = ({ checkout }: CheckoutSnapshot): Place => [checkout.createdAt, checkout.id]

/** The last of the rows that a page may look at; null: there are not so many. */
const lastExamined = async (sql: Sql, { from, found, foundValues }: Search): Promise<Place | null> => {
  const [row] = await sql.rows(
    `SELECT created_at, id FROM ${from} WHERE ${found.join(' AND ')} ${NEWEST_FIRST}
     LIMIT 1 OFFSET ${EXAMINED_MAX - 1}`,
    ...foundValues,
  )
  return row === undefined ? null : [integer(row, 'created_at'), text(row, 'id')]
}

/** More than there are. With a limit inside, neither database moves what is looked at into what an index finds. */
const ALL = 1_000_000_000

/**
 * Rows are found by one index, in order, and looked at in turn. The end of what a page looks at is fixed before it is read:
 * a row that changes meanwhile is seen or not, but none lies between two pages.
 */
export const listCheckouts = async (
  sql: Sql,
  scope: KeyScope,
  filters: CheckoutFilters,
  { after, limit }: PageRequest,
  now: Instant,
): Promise<ListPage<ListedCheckout>> => {
  if (isContradiction(filters)) return { items: [], after: null }
  const search = searchFor(scope, filters, { after, end: null }, now)
  const isAllFound = search.skipped.length === 0 && search.examined.length === 0
  const end = isAllFound ? null : await lastExamined(sql, search)
  const { from, skipped, examined, marks, ...reached } = searchFor(scope, filters, { after, end }, now)
  const found = [...reached.found, ...skipped].join(' AND ')
  const more = marks.add(limit + 1)
  // The two levels must stay two: what is looked at may not be looked for by another index, which finds too many rows.
  const listed =
    examined.length === 0
      ? `SELECT checkouts.* FROM ${from} WHERE ${found} ${NEWEST_FIRST} LIMIT ${more}`
      : `SELECT * FROM (SELECT checkouts.* FROM ${from} WHERE ${found} ${NEWEST_FIRST} LIMIT ${ALL}) AS found
       WHERE ${examined.join(' AND ')} ${NEWEST_FIRST} LIMIT ${more}`
  const rows = await sql.rows(
    `SELECT ${snapshotColumns('listed')}, ${REFUNDED_YEN} FROM (${listed}) AS listed ${inFlightBeside('listed')}
     ORDER BY listed.created_at DESC, listed.id DESC`,
    ...marks.values,
  )
  const page = pageOf(rows, limit, { read: fromRow, placeOf })
  return page.after === null ? { ...page, after: end } : page
}
