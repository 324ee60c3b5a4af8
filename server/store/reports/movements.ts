/** Movements of a merchant's money by time: sums of each day in Japan, and every charge and refund in turn. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { jstDate, startOfJstDay, DAY_MS, JST_OFFSET_MS, type Instant } from '#contract/jst.ts'
import { parseLedgerEntryName } from '#payment/ledger-movement.ts'
import type { Taxes } from '#payment/taxes.ts'
import type { KeyScope } from '../merchant/keys.ts'
import { storedTaxes } from '../checkout/checkouts.ts'
import type { Row, Sql } from '../engine/database.ts'
import { integer, jsonOrNull, text, textOrNull } from '../engine/columns.ts'

export interface DaySums {
  /** The day in Japan, such as 2026-11-22. */
  readonly date: string
  readonly charges: number
  readonly chargedYen: number
  readonly refunds: number
  readonly refundedYen: number
}

/** Both ends are included. */
export interface TimeRange {
  readonly from: Instant
  readonly to: Instant
}

/** $3: the end of the range; $4 and $5: behind which movement. */
const OF_RANGE = `FROM ledger_lines WHERE merchant_id = $1 AND mode = $2 AND account = 'acquirer'
  AND booked_at <= $3 AND (booked_at, entry) > ($4, $5)`

/** A movement, by its place in the order of time. */
type Place = readonly [bookedAt: Instant, entry: string]
const placeOf = (row: Row): Place => [integer(row, 'booked_at'), text(row, 'entry')]
/** Behind every movement. */
const THE_END: Place = [Number.MAX_SAFE_INTEGER, '']

/** So many are added up in a few milliseconds. A busy shop has more of them in a day than one statement may read. */
const SUMMED_AT_ONCE = 5000
const LAST_SUMMED = `SELECT booked_at, entry ${OF_RANGE} ORDER BY booked_at, entry LIMIT 1 OFFSET ${SUMMED_AT_ONCE - 1}`

/** What the acquirer owes us more is a charge, what it owes us less a refund. $6 and $7: up to which movement. */
const SUMS = `SELECT booked_at - (booked_at + ${JST_OFFSET_MS}) % ${DAY_MS} AS day,
    COUNT(CASE WHEN amount_yen > 0 THEN 1 END) AS charges,
    COALESCE(CAST(SUM(CASE WHEN amount_yen > 0 THEN amount_yen END) AS BIGINT), 0) AS charged_yen,
    COUNT(CASE WHEN amount_yen < 0 THEN 1 END) AS refunds,
    COALESCE(CAST(-SUM(CASE WHEN amount_yen < 0 THEN amount_yen END) AS BIGINT), 0) AS refunded_yen
  ${OF_RANGE} AND (booked_at, entry) <= ($6, $7) GROUP BY day`

const addUp = (sums: DaySums, row: Row): DaySums => ({
  date: sums.date,
  charges: sums.charges + integer(row, 'charges'),
  chargedYen: sums.chargedYen + integer(row, 'charged_yen'),
  refunds: sums.refunds + integer(row, 'refunds'),
  refundedYen: sums.refundedYen + integer(row, 'refunded_yen'),
})

/** Every day of the range, those without a movement too. Between two statements payments have their turn. */
export const sumsByDay = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { from, to }: TimeRange,
): Promise<DaySums[]> => {
  const days = new Map<Instant, DaySums>()
  for (let start = startOfJstDay(from); start <= to; start += DAY_MS)
    days.set(start, { date: jstDate(start), charges: 0, chargedYen: 0, refunds: 0, refundedYen: 0 })
  for (let after: Place | undefined = [from, '']; after !== undefined;) {
    await nextTurn()
    const [last]: Row[] = await sql.rows(LAST_SUMMED, merchantId, mode, to, ...after)
    const end: Place | undefined = last === undefined ? undefined : placeOf(last)
    for (const row of await sql.rows(SUMS, merchantId, mode, to, ...after, ...(end ?? THE_END))) {
      const day = days.get(integer(row, 'day'))
      if (day !== undefined) days.set(integer(row, 'day'), addUp(day, row))
    }
    after = end
  }
  return [...days.values()]
}

/** One charge or refund with what its merchant knows it by. */
export interface Movement {
  readonly bookedAt: Instant
  readonly kind: 'charge' | 'refund'
  readonly amountYen: number
  /** Of the charge or of the refund by rate; null where the checkout was created without. */
  readonly taxes: Taxes | null
  readonly checkoutId: string
  readonly refundId: string | null
  readonly reference: string | null
  readonly subject: string | null
  readonly transactionId: string | null
  readonly cardBrand: string | null
  readonly lastFour: string | null
}

const fromRow = (row: Row): Movement => {
  const amountYen = integer(row, 'amount_yen')
  const movement = parseLedgerEntryName(text(row, 'entry'))
  return {
    bookedAt: integer(row, 'booked_at'),
    kind: amountYen > 0 ? 'charge' : 'refund',
    amountYen: Math.abs(amountYen),
    taxes: jsonOrNull(row, 'taxes', storedTaxes),
    checkoutId: text(row, 'checkout_id'),
    refundId: movement?.kind === 'refund' ? movement.refundId : null,
    reference: textOrNull(row, 'reference'),
    subject: textOrNull(row, 'subject'),
    transactionId: textOrNull(row, 'transaction_id'),
    cardBrand: textOrNull(row, 'card_brand'),
    lastFour: textOrNull(row, 'card_last_four'),
  }
}

/** As many are read and written in a few milliseconds, whatever their texts hold; then payments have their turn. */
const AT_ONCE = 100

/**
 * A charge that the acquirer made against our record has a line in the ledger, and a checkout without payment: LEFT JOIN. One
 * bound below, the place: beside the beginning of the range SQLite would take that one, and read all pages before again. The
 * entry of a refund is `refund <order code> <refund id>`, and its order is always the one that was paid.
 */
const PAGE = `SELECT lines.entry, lines.booked_at, lines.amount_yen, lines.checkout_id, checkouts.reference,
    checkouts.subject, checkouts.transaction_id, checkouts.card_brand, checkouts.card_last_four,
    CASE WHEN lines.amount_yen > 0 THEN checkouts.taxes ELSE refunds.taxes END AS taxes
  FROM (SELECT * ${OF_RANGE} ORDER BY booked_at, entry LIMIT ${AT_ONCE}) AS lines
  LEFT JOIN checkouts ON checkouts.merchant_id = lines.merchant_id AND checkouts.id = lines.checkout_id
  LEFT JOIN refunds ON refunds.merchant_id = lines.merchant_id AND refunds.checkout_id = lines.checkout_id
    AND refunds.refund_id = SUBSTR(lines.entry, LENGTH(checkouts.order_code) + ${'refund '.length + ' '.length + 1})
  ORDER BY lines.booked_at, lines.entry`

/** The oldest first, read in pages with a turn of the event loop between two: a year is never in memory at once. */
export async function* movementPages(
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { from, to }: TimeRange,
): AsyncGenerator<Movement[], void> {
  let after: Place = [from, '']
  for (;;) {
    await nextTurn()
    const rows = await sql.rows(PAGE, merchantId, mode, to, ...after)
    yield rows.map(fromRow)
    const last = rows.at(-1)
    if (last === undefined || rows.length < AT_ONCE) return
    after = placeOf(last)
  }
}
