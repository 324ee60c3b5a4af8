/** What is due in the proof of lists: payments in doubt, checkouts past their deadline, and notifications, of two shops. */
import { BOOKS_MERCHANT, TEA_MERCHANT } from '../harness/test-merchants.ts'
import { virtualClock } from '../harness/test-clocks.ts'
import type { BenchDatabase } from '../filled-database/bench-database.ts'
import { copyCheckout, type ColumnsOfCopies } from '../filled-database/copy-checkout.ts'
import { MADE_AT, MEASURED_AT, openGrowthServer } from '../filled-database/filled-database.ts'
import { storeNotifications } from '../../server/store/merchant/acquirer-notifications.ts'
import { copyRow } from './prepare.ts'

/** Of all checkouts: in doubt, as many past their deadline, and as many notifications. */
const DUE_SHARE = 0.02

const OF_TWO_SHOPS = `CASE c.n % 2 WHEN 1 THEN '${TEA_MERCHANT.id}' ELSE '${BOOKS_MERCHANT.id}' END`

const TABLES = [
  'checkouts',
  'attempts',
  'authentications',
  'events',
  'deliveries',
  'delivery_tries',
  'mails',
  'changes',
]

const ofShop = (shop: string) => Object.fromEntries(TABLES.map((table) => [table, { merchant_id: shop }]))

/** One of each kind, written by the real operations. */
const writeTemplates = async (bench: BenchDatabase) => {
  const database = await bench.open()
  const server = await openGrowthServer(database, virtualClock(MADE_AT))
  server.gateway.chargeOutcome = { outcome: 'unknown', why: 'no answer' }
  const doubtful = await server.createCheckout()
  await server.payWhole(doubtful)
  const overdue = await server.createUntil(MEASURED_AT - 1)
  await storeNotifications(database, [
    {
      merchantId: TEA_MERCHANT.id,
      mode: 'test',
      id: 'CAPTURE first',
      event: 'CAPTURE',
      success: true,
      orderCode: 'order',
      refundId: null,
      amountYen: 1980,
      originalReference: 'payment',
      pspReference: 'capture',
      disputeId: null,
      respondBy: null,
      reason: null,
      reportAddress: null,
      occurredAt: MADE_AT,
      receivedAt: MADE_AT,
      handledAt: null,
    },
  ])
  await server.app.close()
  await database.close()
  return { doubtful, overdue }
}

export const prepareDue = async (bench: BenchDatabase, checkouts: number): Promise<void> => {
  const { doubtful, overdue } = await writeTemplates(bench)
  const copies = Math.round(checkouts * DUE_SHARE)
  const database = await bench.open()
  try {
    const copy = (checkoutId: string, columns: ColumnsOfCopies): Promise<string[]> =>
      copyCheckout(database, bench.engine, { merchantId: TEA_MERCHANT.id, checkoutId, copies, columns })
    await copy(doubtful, ofShop(OF_TWO_SHOPS))
    // Of another shop: a list stores what its own shop has past the deadline, and would read no further ones the next time.
    const ofBooks = ofShop(`'${BOOKS_MERCHANT.id}'`)
    await copy(overdue, {
      ...ofBooks,
      checkouts: {
        ...ofBooks['checkouts'],
        valid_until: `${MEASURED_AT} - c.n`,
        // Held after a restore: the older half.
        held_since: `CASE WHEN c.n > ${copies / 2} THEN ${MADE_AT} END`,
      },
    })
    const [notification = {}] = await database.rows("SELECT * FROM acquirer_notifications WHERE id = 'CAPTURE first'")
    const columns = { merchant_id: OF_TWO_SHOPS }
    await copyRow(bench, database, { table: 'acquirer_notifications', row: notification, copies, columns })
  } finally {
    await database.close()
  }
}
