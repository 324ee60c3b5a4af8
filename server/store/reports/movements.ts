/** Movements: charges, refunds and chargebacks of a merchant by time, as sums of each day in Japan and one by one. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CardBrand } from '#contract/brands.ts'
import { jstDate, startOfJstDay, DAY_MS, JST_OFFSET_MS, type Instant } from '#contract/jst.ts'
import { parseLedgerEntryName, type LedgerMovement } from '#payment/ledger-movement.ts'
import type { Taxes } from '#contract/invoice-figures.ts'
import type { KeyScope } from '../merchant/keys.ts'
import { cardFromRow } from '../checkout/card-columns.ts'
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
  readonly chargebacks: number
  readonly chargebackYen: number
  readonly chargebackReversals: number
  readonly reversedYen: number
}

/** Both ends are included. */
export interface TimeRange {
  readonly from: Instant
  readonly to: Instant
}

/** $3: the end of the range; $4 and $5: the movement after which to read. */
const OF_RANGE = `FROM ledger_lines WHERE merchant_id = $1 AND mode = $2 AND account = 'acquirer'
  AND booked_at <= $3 AND (booked_at, entry) > ($4, $5)`

/** The place of a movement in the order of time. */
type Place = readonly [bookedAt: Instant, entry: string]
const placeOf = (row: Row): Place => [integer(row, 'booked_at'), text(row, 'entry')]
/** After every movement. */
const THE_END: Place = [Number.MAX_SAFE_INTEGER, '']

/** So many are summed in a few milliseconds. A busy shop has more in a day than one statement may read. */
const SUMMED_AT_ONCE = 5000
const LAST_SUMMED = `SELECT booked_at, entry ${OF_RANGE} ORDER BY booked_at, entry LIMIT 1 OFFSET ${SUMMED_AT_ONCE - 1}`

/** The beginning of the names of the entries that a dispute has made, and of no other. */
const IS_OF_DISPUTE = (entry: string): string => `SUBSTR(${entry}, 1, 10) = 'chargeback'`

/** How many movements meet a condition, and the sum of their amounts. */
const countAndSum = (condition: string, sign: '' | '-', count: string, sum: string): string =>
  `COUNT(CASE WHEN ${condition} THEN 1 END) AS ${count},
    COALESCE(CAST(${sign}SUM(CASE WHEN ${condition} THEN amount_yen END) AS BIGINT), 0) AS ${sum}`

/** A positive amount is a charge or a reversal, a negative one a refund or a chargeback. $6 and $7: the last movement. */
const SUMS = `SELECT booked_at - (booked_at + ${JST_OFFSET_MS}) % ${DAY_MS} AS day,
    ${countAndSum(`amount_yen > 0 AND NOT ${IS_OF_DISPUTE('entry')}`, '', 'charges', 'charged_yen')},
    ${countAndSum(`amount_yen < 0 AND NOT ${IS_OF_DISPUTE('entry')}`, '-', 'refunds', 'refunded_yen')},
    ${countAndSum(`amount_yen < 0 AND ${IS_OF_DISPUTE('entry')}`, '-', 'chargebacks', 'chargeback_yen')},
    ${countAndSum(`amount_yen > 0 AND ${IS_OF_DISPUTE('entry')}`, '', 'chargeback_reversals', 'reversed_yen')}
  ${OF_RANGE} AND (booked_at, entry) <= ($6, $7) GROUP BY day`

const addUp = (sums: DaySums, row: Row): DaySums => ({
  date: sums.date,
  charges: sums.charges + integer(row, 'charges'),
  chargedYen: sums.chargedYen + integer(row, 'charged_yen'),
  refunds: sums.refunds + integer(row, 'refunds'),
  refundedYen: sums.refundedYen + integer(row, 'refunded_yen'),
  chargebacks: sums.chargebacks + integer(row, 'chargebacks'),
  chargebackYen: sums.chargebackYen + integer(row, 'chargeback_yen'),
  chargebackReversals: sums.chargebackReversals + integer(row, 'chargeback_reversals'),
  reversedYen: sums.reversedYen + integer(row, 'reversed_yen'),
})

export const NO_SUMS: Omit<DaySums, 'date'> = {
  charges: 0,
  chargedYen: 0,
  refunds: 0,
  refundedYen: 0,
  chargebacks: 0,
  chargebackYen: 0,
  chargebackReversals: 0,
  reversedYen: 0,
}

/** Every day of the range, also without movements. Between two statements, payments get their turn. */
export const sumsByDay = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { from, to }: TimeRange,
): Promise<DaySums[]> => {
  const days = new Map<Instant, DaySums>()
  for (let start = startOfJstDay(from); start <= to; start += DAY_MS)
    days.set(start, { date: jstDate(start), ...NO_SUMS })
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

/** One movement with the references that its merchant knows. */
export interface Movement {
  readonly bookedAt: Instant
  readonly kind: LedgerMovement['kind']
  readonly amountYen: number
  /** By tax rate; null where the checkout was created without taxes, and of a chargeback. */
  readonly taxes: Taxes | null
  readonly checkoutId: string
  readonly refundId: string | null
  /** The acquirer's id of a chargeback or a reversal. */
  readonly chargebackId: string | null
  readonly reference: string | null
  readonly subject: string | null
  readonly transactionId: string | null
  readonly cardBrand: CardBrand | null
  readonly lastFour: string | null
}

/** Of a name that only somebody's hand has written, the sign decides. */
const kindOf = (movement: LedgerMovement | null, amountYen: number): Movement['kind'] => {
  if (movement !== null && 'movementId' in movement) return movement.kind
  return amountYen > 0 ? 'charge' : 'refund'
}

const fromRow = (row: Row): Movement => {
  const amountYen = integer(row, 'amount_yen')
  const movement = parseLedgerEntryName(text(row, 'entry'))
  const card = textOrNull(row, 'card_brand') === null ? null : cardFromRow(row)
  return {
    bookedAt: integer(row, 'booked_at'),
    kind: kindOf(movement, amountYen),
    amountYen: Math.abs(amountYen),
    taxes: jsonOrNull(row, 'taxes', storedTaxes),
    checkoutId: text(row, 'checkout_id'),
    refundId: movement?.kind === 'refund' ? movement.refundId : null,
    chargebackId: movement !== null && 'movementId' in movement ? movement.movementId : null,
    reference: textOrNull(row, 'reference'),
    subject: textOrNull(row, 'subject'),
    transactionId: textOrNull(row, 'transaction_id'),
    cardBrand: card?.brand ?? null,
    lastFour: card?.lastFour ?? null,
  }
}

/** So many are read and written in a few milliseconds; then payments get their turn. */
const AT_ONCE = 100

/**
 * LEFT JOIN: a charge that contradicts our record has a ledger line and a checkout without a payment. Only one lower bound, the
 * place: with a second one, SQLite would use the beginning of the range and read all earlier pages again. The entry of a
 * refund is `refund <order code> <refund id>`, and its order is always the paid one.
 */
const PAGE = `SELECT lines.entry, lines.booked_at, lines.amount_yen, lines.checkout_id, checkouts.reference,
    checkouts.subject, checkouts.transaction_id, checkouts.card_brand, checkouts.card_last_four,
    CASE WHEN ${IS_OF_DISPUTE('lines.entry')} THEN NULL WHEN lines.amount_yen > 0 THEN checkouts.taxes ELSE refunds.taxes END AS taxes
  FROM (SELECT merchant_id, entry, booked_at, amount_yen, checkout_id ${OF_RANGE} ORDER BY booked_at, entry LIMIT ${AT_ONCE}) AS lines
  LEFT JOIN checkouts ON checkouts.merchant_id = lines.merchant_id AND checkouts.id = lines.checkout_id
  LEFT JOIN refunds ON refunds.merchant_id = lines.merchant_id AND refunds.checkout_id = lines.checkout_id
    AND refunds.refund_id = SUBSTR(lines.entry, LENGTH(checkouts.order_code) + ${'refund '.length + ' '.length + 1})
  ORDER BY lines.booked_at, lines.entry`

/** The oldest first, in pages with a turn of the event loop between them: a year is never in memory at once. */
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
