/** Ledger: each charge, refund and chargeback is an entry of two lines that add up to zero. */
import type { MerchantMode } from '#contract/access.ts'
import type { Instant } from '#contract/jst.ts'
import type { Checkout, Payment } from '#payment/checkout.ts'
import type { Dispute } from '#payment/dispute.ts'
import { ledgerEntryName, parseLedgerEntryName, type LedgerMovement } from '#payment/ledger-movement.ts'
import type { DisputeMovement, Period } from '#payment/ports.ts'
import type { LedgerEntry } from '#payment/reconcile.ts'
import type { Refund } from '#payment/refund.ts'
import type { Row, Sql, SqlValue, Write } from '../engine/database.ts'
import { integer, text } from '../engine/columns.ts'
import type { KeyScope } from '../merchant/keys.ts'
import { insertRows } from '../engine/write.ts'

/** An entry to book. */
export interface Booking {
  readonly merchantId: string
  readonly checkoutId: string
  readonly movement: LedgerMovement
  /** The change of what the acquirer owes us; the other account of the entry changes by the same amount. */
  readonly amountYen: number
  readonly bookedAt: number
}

const COLUMNS = ['merchant_id', 'entry', 'account', 'checkout_id', 'amount_yen', 'booked_at', 'mode']

/** The account of the other line: what we owe the merchant, or what disputes have taken. */
const OTHER_ACCOUNTS: Readonly<Record<LedgerMovement['kind'], 'merchant' | 'chargeback'>> = {
  charge: 'merchant',
  refund: 'merchant',
  chargeback: 'chargeback',
  chargeback_reversal: 'chargeback',
}

const linesOf = (
  { merchantId, checkoutId, movement, amountYen, bookedAt }: Booking,
  mode: MerchantMode,
): SqlValue[][] => {
  const entry = ledgerEntryName(movement)
  return [
    [merchantId, entry, 'acquirer', checkoutId, amountYen, bookedAt, mode],
    [merchantId, entry, OTHER_ACCOUNTS[movement.kind], checkoutId, -amountYen, bookedAt, mode],
  ]
}

/** The name of an entry is its key: a second booking of it is refused. */
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

/** A chargeback takes from what the acquirer owes us, a reversal adds to it. Dated as the acquirer dates it. */
export const disputeBooking = (
  { merchantId, checkoutId, orderCode }: Dispute,
  { kind, movementId, amountYen, movedAt }: DisputeMovement,
): Booking => ({
  merchantId,
  checkoutId,
  movement: { kind, orderCode, movementId },
  amountYen: kind === 'chargeback' ? -amountYen : amountYen,
  bookedAt: movedAt,
})

/** A line may name an unknown merchant: its entry then belongs to no attempt of ours. */
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

/** Every entry has a line of the acquirer, unless somebody has changed the ledger by hand: then its other line is read. */
const WITHOUT_ACQUIRER = `AND NOT EXISTS (SELECT 1 FROM ledger_lines AS other WHERE other.merchant_id = ledger_lines.merchant_id
    AND other.entry = ledger_lines.entry AND other.account = 'acquirer')`
const LINES_READ = { acquirer: '', merchant: WITHOUT_ACQUIRER, chargeback: WITHOUT_ACQUIRER } as const

/** $3: the end of the period; $4 and $5: the line after which to read. */
const entriesText = (account: keyof typeof LINES_READ): string => `SELECT merchant_id, entry, booked_at, checkout_id,
    CASE WHEN merchant_id IN (SELECT id FROM merchants) THEN 1 ELSE 0 END AS is_ours,
    ${account === 'acquirer' ? 'amount_yen' : '0'} AS acquirer_yen,
    (SELECT CAST(SUM(every.amount_yen) AS BIGINT) FROM ledger_lines AS every
      WHERE every.merchant_id = ledger_lines.merchant_id AND every.entry = ledger_lines.entry) AS balance_yen
  FROM ledger_lines WHERE merchant_id = $1 AND mode = $2 AND account = '${account}' AND booked_at < $3
    AND (booked_at, entry) > ($4, $5) ${LINES_READ[account]}
  ORDER BY booked_at, entry LIMIT ${AT_ONCE}`
const ENTRIES = [entriesText('acquirer'), entriesText('merchant'), entriesText('chargeback')]

/** The entries of a merchant that were booked in a period, in pages. Entries that are booked meanwhile may be missing. */
export async function* entriesInPeriod(
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { from, to }: Period,
): AsyncGenerator<LedgerEntry, void> {
  for (const statement of ENTRIES) {
    let after: [Instant, string] | undefined = [from, '']
    while (after !== undefined) {
      const rows: Row[] = await sql.rows(statement, merchantId, mode, to, ...after)
      yield* rows.map(entryFromRow)
      const last: Row | undefined = rows.length < AT_ONCE ? undefined : rows.at(-1)
      after = last === undefined ? undefined : [integer(last, 'booked_at'), text(last, 'entry')]
    }
  }
}

/** Along the key, one merchant after another: there are far fewer merchants than lines. */
const MERCHANTS_OF_LEDGER = `WITH RECURSIVE booked (merchant_id) AS (
    SELECT MIN(merchant_id) FROM ledger_lines
    UNION ALL
    SELECT (SELECT MIN(ledger_lines.merchant_id) FROM ledger_lines WHERE ledger_lines.merchant_id > booked.merchant_id)
    FROM booked WHERE booked.merchant_id IS NOT NULL
  ) SELECT merchant_id FROM booked WHERE merchant_id IS NOT NULL AND merchant_id NOT IN (SELECT id FROM merchants)`

/** Merchants that the ledger names and nobody has created. There should be none. */
export const unknownMerchantsOfLedger = async (sql: Sql): Promise<string[]> =>
  (await sql.rows(MERCHANTS_OF_LEDGER)).map((row) => text(row, 'merchant_id'))

/** The entries of this movement, of any merchant. */
export const entriesOf = async (sql: Sql, movement: LedgerMovement): Promise<LedgerEntry[]> => {
  const rows = await sql.rows(
    `SELECT ${SUMS} FROM ledger_lines WHERE merchant_id IN (SELECT id FROM merchants) AND entry = $1
     GROUP BY merchant_id, entry ORDER BY merchant_id`,
    ledgerEntryName(movement),
  )
  return rows.map(entryFromRow)
}
