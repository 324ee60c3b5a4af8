import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { onBothEmptyDatabases } from '../../../proof/harness/databases.ts'
import { openMerchantClient } from '../../../proof/harness/merchant-client.ts'
import { acquirerInMemory } from '../../../proof/harness/acquirer-in-memory.ts'
import { workOnce } from '../../background/worker.ts'
import { accountOfAll } from '../../../proof/promises/shared-account.ts'
import { ALL_TIME } from '#payment/reconciliation-period.ts'
import { reconcile } from '../../operations/reconcile.ts'
import { integer, text } from './columns.ts'
import { readMigrations } from './migrate.ts'

/** Every row that the release before wrote about checkouts in every state, by its own program. Its last migration. */
const ROWS = new URL('./testing/full-database-of-the-release-before.sql', import.meta.url)
const BEFORE = '0008-invoices.sql'

/** The names by which the rows' own program knew them. */
const AMOUNTS = {
  open: 1100,
  started: 1200,
  paid: 1980,
  partly: 2000,
  refunded: 3000,
  refundInDoubt: 4000,
  inDoubt: 5000,
} as const

describe('a full database of the release before', () => {
  onBothEmptyDatabases(({ name: engine, open }) => {
    test(`on ${engine} is migrated, paid, refunded, settled and reconciled`, async () => {
      const database = await open()
      const migrations = await readMigrations()
      await database.migrate(
        migrations.filter(({ name }) => name <= BEFORE),
        0,
      )
      for (const statement of (await readFile(ROWS, 'utf8')).trim().split(';\n')) await database.rows(statement)
      await database.migrate(
        migrations.filter(({ name }) => name < '0019'),
        1,
      )
      await database.migrate(migrations, 2)

      // The acquirer of that time: what was charged and given back there, and what it never said.
      const clock = { value: 0 }
      const gateway = acquirerInMemory(() => clock.value)
      for (const row of await database.rows(
        `SELECT order_code, amount_yen, state FROM attempts WHERE state IN ('charged', 'unknown') ORDER BY order_code`,
      ))
        gateway.remember(text(row, 'order_code'), integer(row, 'amount_yen'))
      for (const row of await database.rows(`SELECT order_code, refund_id, amount_yen FROM refunds`))
        await gateway.refund({
          orderCode: text(row, 'order_code'),
          reference: text(row, 'order_code'),
          requestedAt: 0,
          refundId: text(row, 'refund_id'),
          amountYen: integer(row, 'amount_yen'),
        })

      // An acquirer that finds an order by its reference alone: of an attempt of that time it is the order code.
      const asked: (string | null)[] = []
      const byReference = <O extends { readonly reference: string | null }>(order: O): O & { orderCode: string } => {
        asked.push(order.reference)
        return { ...order, orderCode: order.reference ?? 'nothing was sent' }
      }
      const client = await openMerchantClient(database, {
        ...gateway,
        inquire: (order) => gateway.inquire(byReference(order)),
        fence: (order) => gateway.fence(byReference(order)),
        refund: (order) => gateway.refund(byReference(order)),
        inquireRefund: (order) => gateway.inquireRefund(byReference(order)),
      })
      client.clock.advance(3_600_000)
      clock.value = client.clock.now()
      const idOf = async (name: keyof typeof AMOUNTS): Promise<string> =>
        text((await database.rows('SELECT id FROM checkouts WHERE amount_yen = $1', AMOUNTS[name]))[0] ?? {}, 'id')
      const read = async (name: keyof typeof AMOUNTS): Promise<MerchantCheckoutAnswer> =>
        client.get(`/checkouts/${await idOf(name)}`)

      await workOnce(client.server.deps)
      assert.deepEqual([(await read('inDoubt')).status, (await read('refundInDoubt')).refundedAmount], ['paid', 700])
      const ofThatTime = await database.rows(
        `SELECT attempts.order_code FROM attempts JOIN checkouts ON checkouts.id = checkout_id
         WHERE checkouts.amount_yen IN ($1, $2) AND acquirer_reference IS NULL`,
        AMOUNTS.inDoubt,
        AMOUNTS.refundInDoubt,
      )
      assert.deepEqual(new Set(asked), new Set(ofThatTime.map((row) => text(row, 'order_code'))))
      assert.equal(asked.length, 2)
      for (const name of ['open', 'started'] as const) {
        const id = await idOf(name)
        const order = await client.server.startAttempt(id)
        assert.equal((await client.server.pay(id, order)).statusCode, 200)
        assert.equal((await read(name)).status, 'paid')
      }
      for (const name of ['paid', 'partly', 'open'] as const)
        await client.refund(await idOf(name), { refundId: 'after-the-upgrade' })
      assert.deepEqual(
        [(await read('paid')).status, (await read('partly')).status, (await read('refunded')).status],
        ['refunded', 'refunded', 'refunded'],
      )
      assert.equal((await read('paid')).shopper?.email, 'Taro.Yamada@example.com')
      const compared = await reconcile(database, [await accountOfAll(database, gateway)], ALL_TIME, (found) =>
        assert.fail(JSON.stringify(found)),
      )
      assert.deepEqual(compared, {
        outcome: 'compared',
        charges: gateway.charges.size,
        refunds: 6,
        chargebacks: 0,
        chargebackReversals: 0,
        discrepancies: 0,
        inDoubt: 0,
        unanswered: 0,
      })
      assert.equal(gateway.charges.size, 7)
      await database.close()
    })
  })
})
