/** Movements: charges, refunds and chargebacks of a merchant by time, one by one. */
import type { CardBrand } from '#contract/brands.ts'
import type { Instant } from '#contract/jst.ts'
import type { CardFace } from '#payment/card-number.ts'
import type { CountedMovement } from '#payment/day-figures.ts'
import { parseLedgerEntryName, type LedgerMovement } from '#payment/ledger-movement.ts'
import type { Taxes } from '#contract/invoice-figures.ts'
import type { KeyScope } from '../merchant/keys.ts'
import { cardFromRow } from '../checkout/card-columns.ts'
import { storedTaxes } from '../checkout/checkouts.ts'
import type { Row, Sql } from '../engine/database.ts'
import { integer, jsonOrNull, text, textOrNull } from '../engine/columns.ts'

/** Both ends are included. */
export interface TimeRange {
  readonly from: Instant
  readonly to: Instant
}

/** Waits for the turn of the next piece of long work: payments have theirs between two pieces. */
export type NextPiece = () => Promise<void>

/** $3: the end of the range; $4 and $5: the movement after which to read. */
const OF_RANGE = `FROM ledger_lines WHERE merchant_id = $1 AND mode = $2 AND account = 'acquirer'
  AND booked_at <= $3 AND (booked_at, entry) > ($4, $5)`

/** The place of a movement in the order of time. */
type Place = readonly [bookedAt: Instant, entry: string]
const placeOf = (row: Row): Place => [integer(row, 'booked_at'), text(row, 'entry')]
/** The beginning of the names of the entries that a dispute has made, and of no other. */
const IS_OF_DISPUTE = (entry: string): string => `SUBSTR(${entry}, 1, 10) = 'chargeback'`

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

const cardOf = (row: Row): CardFace | null => (textOrNull(row, 'card_brand') === null ? null : cardFromRow(row))

const fromRow = (row: Row): Movement => {
  const amountYen = integer(row, 'amount_yen')
  const movement = parseLedgerEntryName(text(row, 'entry'))
  const card = cardOf(row)
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

/** Pages of rows, the oldest first, each in a turn of its own: a year is never in memory at once. */
async function* pagesOf(
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { from, to }: TimeRange,
  { statement, atOnce, nextPiece }: { statement: string; atOnce: number; nextPiece: NextPiece },
): AsyncGenerator<Row[], void> {
  let after: Place = [from, '']
  for (;;) {
    await nextPiece()
    const rows = await sql.rows(statement, merchantId, mode, to, ...after)
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < atOnce) return
    after = placeOf(last)
  }
}

export async function* movementPages(
  sql: Sql,
  scope: KeyScope,
  range: TimeRange,
  nextPiece: NextPiece,
): AsyncGenerator<Movement[], void> {
  for await (const rows of pagesOf(sql, scope, range, { statement: PAGE, atOnce: AT_ONCE, nextPiece }))
    yield rows.map(fromRow)
}

/** Without what only an export tells, of which more are read at once. */
const COUNTED_AT_ONCE = 300
const COUNTED_PAGE = `SELECT lines.entry, lines.booked_at, lines.amount_yen, checkouts.card_brand, checkouts.card_last_four
  FROM (SELECT merchant_id, entry, booked_at, amount_yen, checkout_id ${OF_RANGE} ORDER BY booked_at, entry LIMIT ${COUNTED_AT_ONCE}) AS lines
  LEFT JOIN checkouts ON checkouts.merchant_id = lines.merchant_id AND checkouts.id = lines.checkout_id
  ORDER BY lines.booked_at, lines.entry`

export async function* countedMovementPages(
  sql: Sql,
  scope: KeyScope,
  range: TimeRange,
  nextPiece: NextPiece,
): AsyncGenerator<CountedMovement[], void> {
  for await (const rows of pagesOf(sql, scope, range, { statement: COUNTED_PAGE, atOnce: COUNTED_AT_ONCE, nextPiece }))
    yield rows.map((row) => {
      const amountYen = integer(row, 'amount_yen')
      const kind = kindOf(parseLedgerEntryName(text(row, 'entry')), amountYen)
      return { kind, amountYen: Math.abs(amountYen), cardBrand: cardOf(row)?.brand ?? null }
    })
}
