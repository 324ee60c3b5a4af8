/** Conditions of the list of checkouts: which index finds the rows of a search, and what is examined in each row. */
import type { CardBrand } from '#contract/brands.ts'
import type { CheckoutStatus } from '#contract/checkout.ts'
import { DAY_MS, type Instant } from '#contract/jst.ts'
import { VALIDITY_DAYS_MAX } from '#contract/merchant/checkouts.ts'
import { IN_FLIGHT } from '#payment/attempt.ts'
import { integer, wordList } from '../engine/columns.ts'
import type { Sql, SqlValue } from '../engine/database.ts'
import { conditions, type Conditions, type Place } from '../engine/list-page.ts'
import type { KeyScope } from '../merchant/keys.ts'

/** Both ends of a range are included. */
export interface CheckoutFilters {
  /** Of the checkout itself. */
  readonly id?: string | undefined
  readonly status?: CheckoutStatus | undefined
  readonly pending?: boolean | undefined
  readonly reference?: string | undefined
  readonly email?: string | undefined
  readonly lastFour?: string | undefined
  readonly linkId?: string | undefined
  readonly transactionId?: string | undefined
  readonly amountFrom?: number | undefined
  readonly amountTo?: number | undefined
  readonly cardBrand?: CardBrand | undefined
  readonly createdFrom?: Instant | undefined
  readonly createdTo?: Instant | undefined
  readonly paidFrom?: Instant | undefined
  readonly paidTo?: Instant | undefined
}

const PAID: readonly CheckoutStatus[] = ['paid', 'refunded']

/** No link is open longer. One month more, because a charge on its last day may be in doubt for long. */
const PAID_AFTER_CREATION_MAX_MS = (VALIDITY_DAYS_MAX + 31) * DAY_MS

type Filter = keyof CheckoutFilters

const COLUMN_OF = {
  id: 'id',
  transactionId: 'transaction_id',
  reference: 'reference',
  email: 'shopper_email',
  lastFour: 'card_last_four',
  linkId: 'link_id',
  cardBrand: 'card_brand',
  amountFrom: 'amount_yen',
  status: 'status',
} as const satisfies Partial<Record<Filter, string>>

/** The filters with an index, the rarest values first. One amount alone is found by its index, a range of them is examined. */
const BY_INDEX = ['id', 'transactionId', 'reference', 'email', 'lastFour', 'linkId', 'amountFrom', 'status'] as const

/** What is compared in each row that was found by another filter. */
const EXAMINED = ['id', 'transactionId', 'reference', 'email', 'lastFour', 'linkId', 'cardBrand'] as const

/**
 * The attempts in flight of a shop and mode, $1 and $2, found by their own index: few, but while its acquirer is away. Without `checkout_id` SQLite takes
 * whichever index of shop and mode is the newest, and may read all attempts of the shop.
 */
export const IN_FLIGHT_OF_SHOP = `FROM attempts WHERE attempts.merchant_id = $1 AND attempts.mode = $2
  AND attempts.checkout_id > '' AND attempts.state IN (${wordList(IN_FLIGHT)})`

const HELD_OF_SHOP = `FROM checkouts
  WHERE merchant_id = $1 AND mode = $2 AND status = 'open' AND held_since IS NOT NULL`

/** Checkouts with a charge in flight, and those held after a restore. SQLite joins in the order that CROSS JOIN is written in: it would rather read all open checkouts. */
const PENDING_OF_SHOP = `SELECT merchant_id AS of_merchant, checkout_id AS checkout ${IN_FLIGHT_OF_SHOP}
  UNION SELECT merchant_id, id ${HELD_OF_SHOP}`

/** So many pending checkouts of a shop are read all for each page. After a restore every open one of a shop may be held. */
export const PENDING_FEW = 100

/** Counted up to one more than are few. */
const COUNT_PENDING = `SELECT COUNT(*) AS pending_count FROM (
  SELECT * FROM (SELECT 1 AS one ${IN_FLIGHT_OF_SHOP} LIMIT ${PENDING_FEW + 1}) AS moving
  UNION ALL SELECT * FROM (SELECT 1 AS one ${HELD_OF_SHOP} LIMIT ${PENDING_FEW + 1}) AS held) AS pending`

/** Whether the filters ask for pending checkouts of a shop that has few of them. */
export const asksForFewPending = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { pending }: CheckoutFilters,
): Promise<boolean> => {
  if (pending !== true) return false
  const [row = {}] = await sql.rows(COUNT_PENDING, merchantId, mode)
  return integer(row, 'pending_count') <= PENDING_FEW
}

/** A look for each examined row: the list of all in flight would be read for each page. */
const IS_IN_FLIGHT = `(SELECT 1 FROM attempts WHERE attempts.merchant_id = found.merchant_id AND attempts.mode = found.mode
  AND attempts.checkout_id = found.id AND attempts.state IN (${wordList(IN_FLIGHT)}) LIMIT 1) IS NOT NULL`

/** Of a checkout that the statement calls `found`. */
export const IS_PENDING = `(held_since IS NOT NULL OR ${IS_IN_FLIGHT})`

const asksForPaid = (filters: CheckoutFilters): boolean =>
  (['email', 'lastFour', 'cardBrand', 'transactionId', 'paidFrom', 'paidTo'] as const).some(
    (name) => filters[name] !== undefined,
  )

/** Filters that no checkout can fulfil together, such as a transaction id of an unpaid one. */
export const isContradiction = (filters: CheckoutFilters): boolean => {
  const { status, pending } = filters
  const isPaidAsked = asksForPaid(filters) || (status !== undefined && PAID.includes(status))
  return (
    (isPaidAsked && pending === true) ||
    (asksForPaid(filters) && status !== undefined && !PAID.includes(status)) ||
    (pending === true && status !== undefined && status !== 'open')
  )
}

/** The range of creation times: nothing is paid before it is created, or long after. */
const creationRange = ({ createdFrom, createdTo, paidFrom, paidTo }: CheckoutFilters) => {
  const earliest = [createdFrom, paidFrom === undefined ? undefined : paidFrom - PAID_AFTER_CREATION_MAX_MS]
  const latest = [createdTo, paidTo === undefined ? undefined : paidTo + DAY_MS]
  const known = (ends: readonly (number | undefined)[]): number[] =>
    ends.flatMap((end) => (end === undefined ? [] : [end]))
  return { from: known(earliest).toSorted((a, b) => b - a)[0], to: known(latest).toSorted((a, b) => a - b)[0] }
}

/** The conditions of one search, by how they are checked. */
export interface Search {
  /** The table, joined to what is pending where that is searched first. */
  readonly from: string
  readonly found: readonly string[]
  /** Checked in each row that is found; SQLite does so in the index itself. */
  readonly skipped: readonly string[]
  readonly examined: readonly string[]
  /** The values of `found` alone: PostgreSQL refuses a value that a statement does not use. */
  readonly foundValues: readonly SqlValue[]
  readonly marks: Conditions
}

/** The filter whose index is read. Status comes last: one of its six values may cover most of the table. */
const driverOf = (
  filters: CheckoutFilters,
  isFewPending: boolean,
): (typeof BY_INDEX)[number] | 'payment' | 'pending' => {
  if (isFewPending) return 'pending'
  const isFound = (name: (typeof BY_INDEX)[number]): boolean =>
    name !== 'status' &&
    filters[name] !== undefined &&
    (name !== 'amountFrom' || filters.amountTo === filters.amountFrom)
  const selective = BY_INDEX.find(isFound)
  if (selective !== undefined) return selective
  return filters.paidFrom === undefined && filters.paidTo === undefined ? 'status' : 'payment'
}

/** The place after which a page begins, and the last place that it examines. */
interface Reach {
  readonly after: Place | null
  readonly end: Place | null
}

/**
 * One bound on each side, the nearer one: of two, SQLite may use the farther and read all rows between them. Always one above:
 * without it PostgreSQL, as long as it has no statistics, reads all rows of the shop by any index and sorts them.
 */
const boundsOf = (filters: CheckoutFilters, { after, end }: Reach, { add }: Conditions): string[] => {
  const { from, to } = creationRange(filters)
  const compare = (sign: '>=' | '<=', at: Instant | undefined): string[] =>
    at === undefined ? [] : [`created_at ${sign} ${add(at)}`]
  const comparePlace = (sign: '>=' | '<', place: Place): string[] => [
    `${PLACE} ${sign} (${place.map((value) => add(value)).join(', ')})`,
  ]
  const lower = end === null ? compare('>=', from) : comparePlace('>=', end)
  const isAfterNearer = after !== null && (to === undefined || after[0] <= to)
  return [...lower, ...(isAfterNearer ? comparePlace('<', after) : compare('<=', to ?? Number.MAX_SAFE_INTEGER))]
}

/** What is asked for: its filters, and whether all pending checkouts of the shop are read for it. */
export interface ListRequest {
  readonly filters: CheckoutFilters
  readonly isFewPending: boolean
}

export const searchFor = (
  { merchantId, mode }: KeyScope,
  { filters: given, isFewPending }: ListRequest,
  reach: Reach,
  now: Instant,
): Search => {
  // Whatever is pending is open.
  const filters: CheckoutFilters = given.pending === true ? { ...given, status: 'open' } : given
  const { status, pending, paidFrom, paidTo } = filters
  const marks = conditions(merchantId, mode)
  const compare = (column: string, sign: '=' | '>=' | '<=', value: SqlValue | undefined): string[] =>
    value === undefined ? [] : [`${column} ${sign} ${marks.add(value)}`]
  const driver = driverOf(filters, isFewPending)
  const found = [
    // An id is found by the primary key. With the mode, PostgreSQL without statistics would look for it in a whole index.
    driver === 'id' || driver === 'pending' ? "merchant_id = $1 AND mode || '' = $2" : 'merchant_id = $1 AND mode = $2',
    ...BY_INDEX.filter((name) => name === driver).flatMap((name) => compare(COLUMN_OF[name], '=', filters[name])),
    ...(driver === 'payment' ? ['paid_at IS NOT NULL'] : []),
    ...(driver === 'pending' ? ['merchant_id = pending.of_merchant AND id = pending.checkout'] : []),
    ...boundsOf(filters, reach, marks),
  ]
  const foundValues = [...marks.values]
  const skipped = [
    // Not the columns themselves: a planner would use the index of statuses, or that of payments, and read all rows there.
    ...(driver === 'status' ? [] : compare("status || ''", '=', status)),
    ...compare(`COALESCE(paid_at, ${-Number.MAX_SAFE_INTEGER})`, '>=', paidFrom),
    ...compare(`COALESCE(paid_at, ${Number.MAX_SAFE_INTEGER})`, '<=', paidTo),
  ]
  const examined = [
    ...EXAMINED.filter((name) => name !== driver).flatMap((name) => compare(COLUMN_OF[name], '=', filters[name])),
    ...(driver === 'amountFrom'
      ? []
      : [...compare('amount_yen', '>=', filters.amountFrom), ...compare('amount_yen', '<=', filters.amountTo)]),
    ...(pending === false ? [`NOT ${IS_PENDING}`] : []),
    ...(pending === true && driver !== 'pending' ? [IS_PENDING] : []),
    // Past its deadline a checkout is open only while a payment is in flight, or while it is held after a restore.
    ...(status === 'open' && pending !== true ? [`(valid_until >= ${marks.add(now)} OR ${IS_PENDING})`] : []),
  ]
  const from = driver === 'pending' ? `(${PENDING_OF_SHOP}) AS pending CROSS JOIN checkouts` : 'checkouts'
  return { from, found, skipped, examined, foundValues, marks }
}

const PLACE = '(created_at, id)'
export const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC'
