/** Stored records: all rows of the store about money. States are plain strings, so that an unexpected one shows. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Row, Sql } from '../../server/store/engine/database.ts'
import { integer, json, text, textOrNull } from '../../server/store/engine/columns.ts'

const checkoutFrom = (row: Row) => ({
  id: text(row, 'id'),
  status: text(row, 'status'),
  amountYen: integer(row, 'amount_yen'),
  orderCode: textOrNull(row, 'order_code'),
  transactionId: textOrNull(row, 'transaction_id'),
})
export type StoredCheckout = ReturnType<typeof checkoutFrom>

export interface StoredAttempt {
  readonly orderCode: string
  readonly checkoutId: string
  readonly state: string
  readonly wasInDoubt: boolean
  /** From the claim to the decline or void; 0 where either is missing. */
  readonly claimToEndMs: number
}

const refundFrom = (row: Row) => ({
  checkoutId: text(row, 'checkout_id'),
  refundId: text(row, 'refund_id'),
  amountYen: integer(row, 'amount_yen'),
  state: text(row, 'state'),
})

const ledgerLineFrom = (row: Row) => ({
  checkoutId: text(row, 'checkout_id'),
  entry: text(row, 'entry'),
  account: text(row, 'account'),
  amountYen: integer(row, 'amount_yen'),
})

const mailFrom = (row: Row) => ({
  id: text(row, 'id'),
  checkoutId: text(row, 'checkout_id'),
  kind: text(row, 'kind'),
})
/** A mail to the shopper. */
export type StoredMailRow = ReturnType<typeof mailFrom>

const EventRefund = Compile(Type.Object({ refund: Type.Optional(Type.Object({ refundId: Type.String() })) }))

const eventFrom = (row: Row) => ({
  id: text(row, 'id'),
  checkoutId: text(row, 'checkout_id'),
  type: text(row, 'type'),
  sequence: integer(row, 'sequence'),
  /** Of the refund that it tells of; null where it tells of none. */
  refundId: json(row, 'data', EventRefund).refund?.refundId ?? null,
})
export type StoredEventRow = ReturnType<typeof eventFrom>

export interface StoredRecords {
  readonly checkouts: readonly StoredCheckout[]
  readonly attempts: readonly StoredAttempt[]
  readonly refunds: readonly ReturnType<typeof refundFrom>[]
  readonly ledger: readonly ReturnType<typeof ledgerLineFrom>[]
  readonly mails: readonly StoredMailRow[]
  /** Pings are of no checkout, and are left out. */
  readonly events: readonly StoredEventRow[]
}

const SUBJECT = 'attempt '

/** When each attempt was first claimed, first in doubt, and first declined or void. */
const ATTEMPT_HISTORIES = `SELECT subject,
    MIN(CASE WHEN moved_to = 'charging' THEN at END) AS claimed_at,
    MIN(CASE WHEN moved_to = 'unknown' THEN at END) AS doubted_at,
    MIN(CASE WHEN moved_to IN ('declined', 'void') THEN at END) AS ended_at
  FROM changes WHERE subject LIKE '${SUBJECT}%' GROUP BY subject`

type AttemptHistory = Pick<StoredAttempt, 'wasInDoubt' | 'claimToEndMs'>
const NO_HISTORY: AttemptHistory = { wasInDoubt: false, claimToEndMs: 0 }

const historyFrom = (row: Row): AttemptHistory => {
  const hasEnded = row['claimed_at'] !== null && row['ended_at'] !== null
  return {
    wasInDoubt: row['doubted_at'] !== null,
    claimToEndMs: hasEnded ? integer(row, 'ended_at') - integer(row, 'claimed_at') : 0,
  }
}

const readAttempts = async (sql: Sql): Promise<StoredAttempt[]> => {
  const histories = new Map(
    (await sql.rows(ATTEMPT_HISTORIES)).map((row) => [text(row, 'subject').slice(SUBJECT.length), historyFrom(row)]),
  )
  return (await sql.rows('SELECT order_code, checkout_id, state FROM attempts')).map((row) => {
    const orderCode = text(row, 'order_code')
    const { wasInDoubt, claimToEndMs } = histories.get(orderCode) ?? NO_HISTORY
    return { orderCode, checkoutId: text(row, 'checkout_id'), state: text(row, 'state'), wasInDoubt, claimToEndMs }
  })
}

export const readStoredRecords = async (sql: Sql): Promise<StoredRecords> => ({
  checkouts: (await sql.rows('SELECT id, status, amount_yen, order_code, transaction_id FROM checkouts')).map(
    checkoutFrom,
  ),
  attempts: await readAttempts(sql),
  refunds: (await sql.rows('SELECT checkout_id, refund_id, amount_yen, state FROM refunds')).map(refundFrom),
  ledger: (await sql.rows('SELECT checkout_id, entry, account, amount_yen FROM ledger_lines')).map(ledgerLineFrom),
  // A receipt that was asked for again is nobody's due; a mail to a shop is about no checkout.
  mails: (
    await sql.rows(`SELECT id, checkout_id, kind FROM mails WHERE kind <> 'reissue' AND checkout_id IS NOT NULL`)
  ).map(mailFrom),
  events: (await sql.rows(`SELECT id, checkout_id, type, sequence, data FROM events WHERE sequence > 0`)).map(
    eventFrom,
  ),
})
