import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import { integer, text, textOrNull, type Sql } from '../store/database.ts'

/** What a 2xx answer said, or what the page told the shopper after reading one. None of it may become untrue. */
export type Acknowledged =
  | { readonly said: 'created'; readonly checkoutId: string; readonly amountYen: number }
  | { readonly said: 'started'; readonly checkoutId: string; readonly orderCode: string }
  | { readonly said: 'authenticated'; readonly orderCode: string; readonly checkCode: string }
  | { readonly said: 'paid'; readonly checkoutId: string; readonly transactionId: string }
  | { readonly said: 'cancelled'; readonly checkoutId: string }
  | { readonly said: 'nothing charged'; readonly orderCode: string }
  | {
      readonly said: 'refund'
      readonly checkoutId: string
      readonly refundId: string
      readonly amountYen: number
      readonly status: 'pending' | 'refunded' | 'refused'
    }

const Listed = Type.Object({
  items: Type.Array(
    Type.Object({
      orderId: Type.String(),
      status: Type.String(),
      amount: Type.Optional(Type.Integer()),
      transactionId: Type.Optional(Type.String()),
      refunds: Type.Array(Type.Object({ refundId: Type.String(), amount: Type.Integer() })),
    }),
  ),
  after: Type.Union([Type.Integer(), Type.Null()]),
})
export type BookedOrder = Static<typeof Listed>['items'][number]

/** All that the acquirer has in its books, page by page. */
export const readBooks = async (acquirerOrigin: string): Promise<BookedOrder[]> => {
  const booked: BookedOrder[] = []
  for (let after: number | null = 0; after !== null;) {
    const page: unknown = await (await fetch(`${acquirerOrigin}/acquirer/v1/orders?limit=1000&after=${after}`)).json()
    if (!Check(Listed, page)) throw new Error('the acquirer’s list cannot be read')
    booked.push(...page.items)
    after = page.after
  }
  return booked
}

export interface StoredRows {
  readonly checkouts: readonly {
    readonly id: string
    readonly status: string
    readonly amountYen: number
    readonly orderCode: string | null
    readonly transactionId: string | null
  }[]
  readonly attempts: readonly {
    readonly orderCode: string
    readonly checkoutId: string
    readonly state: string
    readonly wasInDoubt: boolean
    /** From the claim to the end without a charge, 0 where there was none of them. */
    readonly flightMs: number
  }[]
  readonly checkCodes: ReadonlyMap<string, string | null>
  readonly refunds: readonly {
    readonly checkoutId: string
    readonly refundId: string
    readonly amountYen: number
    readonly state: string
  }[]
  readonly ledger: readonly {
    readonly checkoutId: string
    readonly entry: string
    readonly account: string
    readonly amountYen: number
  }[]
  readonly letters: readonly { readonly checkoutId: string; readonly kind: string; readonly event: string }[]
  /** How many charges and refunds were ever in doubt. */
  readonly doubts: number
}

/** When each subject first moved to one of these states. */
const movedTo = async (sql: Sql, states: string): Promise<ReadonlyMap<string, number>> => {
  const rows = await sql.rows(
    `SELECT subject, min(at) AS at FROM changes WHERE subject LIKE 'attempt %' AND moved_to IN (${states}) GROUP BY subject`,
  )
  return new Map(rows.map((row) => [text(row, 'subject'), integer(row, 'at')]))
}

const readAttempts = async (sql: Sql): Promise<StoredRows['attempts']> => {
  const [claimed, doubted, over] = [
    await movedTo(sql, `'charging'`),
    await movedTo(sql, `'unknown'`),
    await movedTo(sql, `'declined', 'void'`),
  ]
  return (await sql.rows('SELECT * FROM attempts')).map((row) => {
    const subject = `attempt ${text(row, 'order_code')}`
    const begun = claimed.get(subject) ?? 0
    return {
      orderCode: text(row, 'order_code'),
      checkoutId: text(row, 'checkout_id'),
      state: text(row, 'state'),
      wasInDoubt: doubted.has(subject),
      flightMs: (over.get(subject) ?? begun) - begun,
    }
  })
}

/** Everything that any merchant has in the store. */
export const readStore = async (sql: Sql): Promise<StoredRows> => {
  const doubts = await sql.rows(
    `SELECT DISTINCT checkout_id, subject FROM changes WHERE moved_to = 'unknown' AND moved_from <> 'unknown'`,
  )
  return {
    doubts: doubts.length,
    checkouts: (await sql.rows('SELECT * FROM checkouts')).map((row) => ({
      id: text(row, 'id'),
      status: text(row, 'status'),
      amountYen: integer(row, 'amount_yen'),
      orderCode: textOrNull(row, 'order_code'),
      transactionId: textOrNull(row, 'transaction_id'),
    })),
    attempts: await readAttempts(sql),
    checkCodes: new Map(
      (await sql.rows('SELECT * FROM authentications')).map((row) => [
        text(row, 'order_code'),
        textOrNull(row, 'check_code'),
      ]),
    ),
    refunds: (await sql.rows('SELECT * FROM refunds')).map((row) => ({
      checkoutId: text(row, 'checkout_id'),
      refundId: text(row, 'refund_id'),
      amountYen: integer(row, 'amount_yen'),
      state: text(row, 'state'),
    })),
    ledger: (await sql.rows('SELECT * FROM ledger_lines')).map((row) => ({
      checkoutId: text(row, 'checkout_id'),
      entry: text(row, 'entry'),
      account: text(row, 'account'),
      amountYen: integer(row, 'amount_yen'),
    })),
    letters: (await sql.rows('SELECT * FROM outbox')).map((row) => ({
      checkoutId: text(row, 'checkout_id'),
      kind: text(row, 'kind'),
      event: text(row, 'event'),
    })),
  }
}

/** Charges and refunds of which nobody knows yet what became of them. */
export const countUnsettled = async (sql: Sql): Promise<number> => {
  const rows = await sql.rows(
    `SELECT order_code FROM attempts WHERE state IN ('charging', 'unknown')
     UNION ALL
     SELECT refund_id FROM refunds WHERE state IN ('requested', 'unknown')`,
  )
  return rows.length
}

/** Empty when the file of the embedded database is whole. */
export const faultsOfFile = async (sql: Sql): Promise<string[]> =>
  (await sql.rows('SELECT integrity_check FROM pragma_integrity_check'))
    .map((row) => text(row, 'integrity_check'))
    .filter((line) => line !== 'ok')
