/** Preparation of the proof of lists, what is due: links past their deadline and doubts of another shop, and notifications of disputes. */
import { API_KEYS, BOOKS_MERCHANT, TEA_MERCHANT } from '../harness/test-merchants.ts'
import { CARD } from '../harness/test-server.ts'
import { virtualClock } from '../harness/test-clocks.ts'
import type { BenchDatabase } from '../filled-database/bench-database.ts'
import { copyCheckout, type ColumnsOfCopies, type Engine } from '../filled-database/copy-checkout.ts'
import { MEASURED_AT, openGrowthServer } from '../filled-database/filled-database.ts'

const HOUR_MS = 3_600_000
/** Of each kind, of all checkouts. They are of another shop than the lists, which would close what is overdue before they answer. */
const DUE_SHARE = 0.02

/** As Adyen writes its references: 16 letters and digits. */
const DISPUTE_ID: Readonly<Record<Engine, string>> = {
  PostgreSQL: "'QFQT' || lpad(CAST(n AS TEXT), 12, '0')",
  SQLite: "'QFQT' || printf('%012d', n)",
}

/** Each of a payment of its own, and none is handled. */
const notificationsOf = (engine: Engine, due: number): string =>
  `INSERT INTO acquirer_notifications (merchant_id, mode, id, event, success, order_code, amount_yen, original_reference,
     psp_reference, occurred_at, received_at, dispute_id)
   SELECT merchant_id, mode, 'CHARGEBACK.' || n, 'CHARGEBACK', 1, order_code, amount_yen, '993617895204576J',
     ${DISPUTE_ID[engine]}, ${MEASURED_AT} - n, ${MEASURED_AT} - n, ${DISPUTE_ID[engine]}
   FROM (SELECT merchant_id, mode, order_code, amount_yen, row_number() OVER (ORDER BY order_code) AS n FROM attempts
     WHERE merchant_id = $1 AND state = 'charged' ORDER BY order_code LIMIT ${due}) AS charged`

export const addDue = async (bench: BenchDatabase, checkouts: number): Promise<void> => {
  const due = Math.round(checkouts * DUE_SHARE)
  const database = await bench.open()
  const server = await openGrowthServer(database, virtualClock(MEASURED_AT - HOUR_MS))
  const copy = (checkoutId: string, columns: ColumnsOfCopies): Promise<string[]> =>
    copyCheckout(database, bench.engine, { merchantId: BOOKS_MERCHANT.id, checkoutId, copies: due, columns })
  try {
    // All at one moment, as links that end at midnight.
    const overdue = await server.createCheckout({}, API_KEYS.books)
    await copy(overdue, { checkouts: { valid_until: String(MEASURED_AT - 1000) } })
    const doubtful = await server.createCheckout({}, API_KEYS.books)
    const { orderCode = '' } = (await server.submitCard(doubtful, CARD, 'books')).json<{ orderCode?: string }>()
    await server.sendRequest({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/authenticate`, merchant: 'books' })
    server.gateway.chargeOutcome = { outcome: 'unknown', why: 'no answer in time' }
    await server.pay(doubtful, orderCode, 'books')
    await copy(doubtful, { attempts: { due_at: `${MEASURED_AT} - c.n` } })
    await database.rows(notificationsOf(bench.engine, due), TEA_MERCHANT.id)
  } finally {
    await server.app.close()
    await database.close()
  }
}
