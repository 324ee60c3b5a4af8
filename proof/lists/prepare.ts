/** Preparation of the proof of lists: a shop in whose columns common, rare and unique values lie, with an outbox full of what waits and has failed. */
import { API_KEYS, TEA_MERCHANT } from '../harness/test-merchants.ts'
import { virtualClock } from '../harness/test-clocks.ts'
import type { BenchDatabase } from '../filled-database/bench-database.ts'
import { columnOfCopy, numbers, randomId, same } from '../filled-database/copy-checkout.ts'
import { fillDatabase, MEASURED_AT, openGrowthServer } from '../filled-database/filled-database.ts'
import type { Database, Row } from '../../server/store/engine/database.ts'

/** A value that a third of all have, and one that few have. */
export const AMOUNT = { many: 1980, few: '107' }
export const EMAIL = { many: 'regular@example.com', few: 'shopper-7@example.com' }
export const REFERENCE = { many: 'counter-sale', few: 'order-7' }
export const TRANSACTION = { few: 'txn-7' }
export const LINK = { many: 'a'.repeat(32), few: 'c'.repeat(32) }

const REFUNDED_SHARE = 0.1
/** Of reusable links and of lines in the audit list. */
const OTHERS = 20_000

const ofPaid = (value: string): string => `CASE WHEN t.paid_at IS NULL THEN NULL ELSE ${value} END`

/** A third waits and is due, a third has failed, a third is done. */
const byThirds = (ofThird: string, failed: string, done: string): string =>
  `CASE c.n % 3 WHEN 1 THEN ${ofThird} WHEN 2 THEN ${failed} ELSE ${done} END`

const COLUMNS = {
  checkouts: {
    reference: `CASE c.n % 3 WHEN 1 THEN '${REFERENCE.many}' ELSE 'order-' || (c.n % 50000) END`,
    amount_yen: `CASE c.n % 3 WHEN 1 THEN ${AMOUNT.many} ELSE 100 + c.n % 20000 END`,
    link_id: `CASE WHEN c.n % 3 = 1 THEN '${LINK.many}' WHEN c.n % 50000 = 7 THEN '${LINK.few}' END`,
    shopper_email: ofPaid(
      `CASE c.n % 3 WHEN 1 THEN '${EMAIL.many}' ELSE 'shopper-' || (c.n % 20000) || '@example.com' END`,
    ),
    transaction_id: ofPaid("'txn-' || c.n"),
    card_last_four: ofPaid("CASE c.n % 10000 WHEN 7 THEN '1111' ELSE '4242' END"),
    card_brand: ofPaid("CASE c.n % 10000 WHEN 7 THEN 'jcb' ELSE 'visa' END"),
  },
  mails: {
    state: byThirds("'waiting'", "'refused'", 't.state'),
    next_try_at: byThirds('t.created_at + c.n', 'NULL', 't.next_try_at'),
    ended_at: byThirds('NULL', `${MEASURED_AT} - c.n`, 't.ended_at'),
  },
  deliveries: {
    state: byThirds("'pending'", "'failed'", 't.state'),
    due_at: byThirds('t.created_at + c.n', 'NULL', 't.due_at'),
    ended_at: byThirds('NULL', `${MEASURED_AT} - c.n`, 't.ended_at'),
  },
}

interface RowCopies {
  readonly table: string
  readonly row: Row
  readonly copies?: number
  readonly columns?: Readonly<Record<string, string>>
}

/** Rows like one, with other ids and times; `columns`: as in the copies of a checkout. */
export const copyRow = async (
  bench: BenchDatabase,
  database: Database,
  { table, row, copies = OTHERS, columns: own = {} }: RowCopies,
): Promise<void> => {
  const id = String(row['id'])
  const newIds = new Map([[id, 'id0']])
  const columns = Object.keys(row).join(', ')
  const copied = Object.entries(row).map(([name, value]) => own[name] ?? columnOfCopy(value, name, newIds))
  await database.rows(
    `INSERT INTO ${table} (${columns}) SELECT ${copied.join(', ')} FROM ${table} t,
       (SELECT n, ${randomId(bench.engine, 'other')} AS id0 FROM (${numbers(bench.engine, copies)}) AS numbers) AS c
     WHERE ${same(row)}`,
  )
}

const addOthers = async (bench: BenchDatabase): Promise<void> => {
  const database = await bench.open()
  const { app } = await openGrowthServer(database, virtualClock(MEASURED_AT - 3_600_000))
  const headers = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
  await app.inject({ method: 'POST', url: '/merchant/v1/links', headers, payload: { amount: 1980, subject: 'tea' } })
  const [link = {}] = await database.rows('SELECT * FROM reusable_links')
  await copyRow(bench, database, { table: 'reusable_links', row: link })
  await database.rows(
    `INSERT INTO audit_lines (merchant_id, id, at, person_id, person, action, subject, details)
       VALUES ($1, 'first', $2, 'p', 'Aoyama', 'refund_made', 'x', '{}')`,
    TEA_MERCHANT.id,
    MEASURED_AT - 3_600_000,
  )
  const [line = {}] = await database.rows('SELECT * FROM audit_lines')
  await copyRow(bench, database, { table: 'audit_lines', row: line })
  await app.close()
  await database.close()
}

export const prepareShop = async (bench: BenchDatabase, checkouts: number): Promise<void> => {
  await fillDatabase(bench, checkouts, { refundedShare: REFUNDED_SHARE, columns: COLUMNS })
  await addOthers(bench)
}
