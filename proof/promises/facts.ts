import { integer, text, textOrNull, type Row, type Sql } from '../../server/store/database.ts'

export interface StoredCheckout {
  readonly id: string
  readonly status: string
  readonly amountYen: number
  readonly orderCode: string | null
  readonly transactionId: string | null
}

export interface StoredAttempt {
  readonly orderCode: string
  readonly checkoutId: string
  readonly state: string
  readonly wasInDoubt: boolean
  /** From the claim to the end without a charge, 0 where there was none of them. */
  readonly flightMs: number
}

export interface StoredRefund {
  readonly checkoutId: string
  readonly refundId: string
  readonly amountYen: number
  readonly state: string
}

export interface LedgerLine {
  readonly checkoutId: string
  readonly entry: string
  readonly account: string
  readonly amountYen: number
}

export interface PostedLetter {
  readonly id: string
  readonly checkoutId: string
  readonly kind: string
  readonly event: string
}

/** What the store says of the money of all merchants. States are words as they stand there: none is believed. */
export interface StoredFacts {
  readonly checkouts: readonly StoredCheckout[]
  readonly attempts: readonly StoredAttempt[]
  readonly refunds: readonly StoredRefund[]
  readonly ledger: readonly LedgerLine[]
  readonly letters: readonly PostedLetter[]
}

const SUBJECT = 'attempt '

/** When each attempt first was claimed, fell into doubt and ended without a charge. */
const FLIGHTS = `SELECT subject,
    MIN(CASE WHEN moved_to = 'charging' THEN at END) AS claimed_at,
    MIN(CASE WHEN moved_to = 'unknown' THEN at END) AS doubted_at,
    MIN(CASE WHEN moved_to IN ('declined', 'void') THEN at END) AS ended_at
  FROM changes WHERE subject LIKE '${SUBJECT}%' GROUP BY subject`

type Flight = Pick<StoredAttempt, 'wasInDoubt' | 'flightMs'>
const NO_FLIGHT: Flight = { wasInDoubt: false, flightMs: 0 }

const flightFrom = (row: Row): Flight => {
  const hasEnded = row['claimed_at'] !== null && row['ended_at'] !== null
  return {
    wasInDoubt: row['doubted_at'] !== null,
    flightMs: hasEnded ? integer(row, 'ended_at') - integer(row, 'claimed_at') : 0,
  }
}

const readAttempts = async (sql: Sql): Promise<StoredAttempt[]> => {
  const flights = new Map(
    (await sql.rows(FLIGHTS)).map((row) => [text(row, 'subject').slice(SUBJECT.length), flightFrom(row)]),
  )
  return (await sql.rows('SELECT order_code, checkout_id, state FROM attempts')).map((row) => {
    const orderCode = text(row, 'order_code')
    const { wasInDoubt, flightMs } = flights.get(orderCode) ?? NO_FLIGHT
    return { orderCode, checkoutId: text(row, 'checkout_id'), state: text(row, 'state'), wasInDoubt, flightMs }
  })
}

export const readFacts = async (sql: Sql): Promise<StoredFacts> => ({
  checkouts: (await sql.rows('SELECT id, status, amount_yen, order_code, transaction_id FROM checkouts')).map(
    (row) => ({
      id: text(row, 'id'),
      status: text(row, 'status'),
      amountYen: integer(row, 'amount_yen'),
      orderCode: textOrNull(row, 'order_code'),
      transactionId: textOrNull(row, 'transaction_id'),
    }),
  ),
  attempts: await readAttempts(sql),
  refunds: (await sql.rows('SELECT checkout_id, refund_id, amount_yen, state FROM refunds')).map((row) => ({
    checkoutId: text(row, 'checkout_id'),
    refundId: text(row, 'refund_id'),
    amountYen: integer(row, 'amount_yen'),
    state: text(row, 'state'),
  })),
  ledger: (await sql.rows('SELECT checkout_id, entry, account, amount_yen FROM ledger_lines')).map((row) => ({
    checkoutId: text(row, 'checkout_id'),
    entry: text(row, 'entry'),
    account: text(row, 'account'),
    amountYen: integer(row, 'amount_yen'),
  })),
  letters: (await sql.rows('SELECT id, checkout_id, kind, event FROM outbox')).map((row) => ({
    id: text(row, 'id'),
    checkoutId: text(row, 'checkout_id'),
    kind: text(row, 'kind'),
    event: text(row, 'event'),
  })),
})
