/** Ledger: two lines for each charge and refund, which add up to zero. */
import type { MerchantMode } from '#contract/access.ts'
import type { Checkout, Payment } from '#payment/checkout.ts'
import { ledgerEntryName, parseLedgerEntryName, type LedgerMovement } from '#payment/ledger-movement.ts'
import type { LedgerEntry } from '#payment/reconcile.ts'
import type { Refund } from '#payment/refund.ts'
import type { Row, Sql, SqlValue, Write } from '../engine/database.ts'
import { integer, text } from '../engine/columns.ts'
import { insertRows } from '../engine/write.ts'

/** An entry that is to be booked. */
export interface Booking {
  readonly merchantId: string
  readonly checkoutId: string
  readonly movement: LedgerMovement
  /** What the acquirer owes us after it, more or less than before; we owe the merchant as much. */
  readonly amountYen: number
  readonly bookedAt: number
}

const COLUMNS = ['merchant_id', 'entry', 'account', 'checkout_id', 'amount_yen', 'booked_at', 'mode']

const linesOf = (
  { merchantId, checkoutId, movement, amountYen, bookedAt }: Booking,
  mode: MerchantMode,
): SqlValue[][] => {
  const entry = ledgerEntryName(movement)
  return [
    [merchantId, entry, 'acquirer', checkoutId, amountYen, bookedAt, mode],
    [merchantId, entry, 'merchant', checkoutId, -amountYen, bookedAt, mode],
  ]
}

/** The two lines of an entry add up to zero. Its name is a key: what is booked twice is refused. */
export const bookingsWrite = (bookings: readonly Booking[], mode: MerchantMode): Write[] =>
  insertRows(
    'ledger_lines',
    COLUMNS,
    bookings.flatMap((booking) => linesOf(booking, mode)),
  )

export const chargeBooking = (checkout: Checkout, payment: Payment): Booking => ({
  merchantId: checkout.merchantId,
  checkoutId: checkout.id,
  movement: { kind: 'charge', orderCode: payment.orderCode },
  amountYen: checkout.amountYen,
  bookedAt: payment.paidAt,
})

export const refundBooking = (refund: Refund, refundedAt: number): Booking => ({
  merchantId: refund.merchantId,
  checkoutId: refund.checkoutId,
  movement: { kind: 'refund', orderCode: refund.orderCode, refundId: refund.refundId },
  amountYen: -refund.amountYen,
  bookedAt: refundedAt,
})

/** A line can name any merchant: an entry of one who is not ours belongs to no order of ours. */
const SUMS = `merchant_id, entry, CASE WHEN merchant_id IN (SELECT id FROM merchants) THEN 1 ELSE 0 END AS is_ours, MIN(checkout_id) AS checkout_id, CAST(SUM(amount_yen) AS BIGINT) AS balance_yen,
  CAST(SUM(CASE WHEN account = 'acquirer' THEN amount_yen ELSE 0 END) AS BIGINT) AS acquirer_yen`

const entryFromRow = (row: Row): LedgerEntry => ({
  merchantId: text(row, 'merchant_id'),
  checkoutId: text(row, 'checkout_id'),
  name: text(row, 'entry'),
  movement: integer(row, 'is_ours') === 1 ? parseLedgerEntryName(text(row, 'entry')) : null,
  acquirerYen: integer(row, 'acquirer_yen'),
  balanceYen: integer(row, 'balance_yen'),
})

const AT_ONCE = 1000

/** All entries of all merchants, read in pages along the primary key. What is booked meanwhile may or may not be among them. */
export async function* allEntries(sql: Sql): AsyncGenerator<LedgerEntry, void> {
  let [merchantId, name] = ['', '']
  for (;;) {
    const rows = await sql.rows(
      `SELECT ${SUMS} FROM ledger_lines WHERE (merchant_id, entry) > ($1, $2)
       GROUP BY merchant_id, entry ORDER BY merchant_id, entry LIMIT ${AT_ONCE}`,
      merchantId,
      name,
    )
    const entries = rows.map(entryFromRow)
    yield* entries
    const last = entries.at(-1)
    if (last === undefined || entries.length < AT_ONCE) return
    ;({ merchantId, name } = last)
  }
}

/** The entries of this movement, whosever they are. */
export const entriesOf = async (sql: Sql, movement: LedgerMovement): Promise<LedgerEntry[]> => {
  const rows = await sql.rows(
    `SELECT ${SUMS} FROM ledger_lines WHERE merchant_id IN (SELECT id FROM merchants) AND entry = $1
     GROUP BY merchant_id, entry ORDER BY merchant_id`,
    ledgerEntryName(movement),
  )
  return rows.map(entryFromRow)
}
