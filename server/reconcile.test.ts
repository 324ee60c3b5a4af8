import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Gateway, StatementLine } from '#payment/ports.ts'
import type { Break } from '#payment/reconcile.ts'
import { createSandboxGateway } from './gateways/sandbox/gateway.ts'
import { reconcile, type AcquirersBooks, type Reconciliation } from './reconcile.ts'
import { withoutConflict, type Sql, type SqlValue } from './store/database.ts'
import { saveMerchant } from './store/merchants.ts'
import { startAcquirer, type Acquirer } from './testing/acquirer-process.ts'
import { onBothDatabases } from './testing/both-databases.ts'
import { KEYS, openShop, SETTINGS, type Shop } from './testing/shop.ts'

const BOOKED_THEN_FAILED = '4100000000756008'
const DECLINED = '4100000000750001'
const LOST = { outcome: 'unknown', why: 'connection lost' } as const

const run = async (sql: Sql, books: AcquirersBooks): Promise<{ said: Reconciliation; breaks: Break[] }> => {
  const breaks: Break[] = []
  const said = await reconcile(sql, books, (found) => breaks.push(found))
  if (said.outcome === 'compared') assert.equal(said.breaks, breaks.length)
  return { said, breaks }
}

describe('our ledger compared with the acquirer’s statement', () => {
  onBothDatabases(({ open }) => {
    let acquirer: Acquirer
    let gateway: Gateway
    let shop: Shop
    let beforeCharge = async (): Promise<void> => undefined
    /** What both sides agree on so far: each test adds to it. */
    const agreed = { charges: 0, refunds: 0 }
    before(async () => {
      acquirer = await startAcquirer()
      gateway = { ...createSandboxGateway(acquirer.origin, 10_000, 3), ready: async () => 'ready' }
      const charge: Gateway['charge'] = async (order) => {
        await beforeCharge()
        return gateway.charge(order)
      }
      shop = await openShop({ database: await open(), gateway: { ...gateway, charge } })
    })
    after(() => acquirer.stop())

    interface Paid {
      readonly id: string
      readonly orderCode: string
    }
    const pay = async (number?: string): Promise<Paid & { readonly statusCode: number }> => {
      const id = await shop.create()
      const orderCode = await shop.start(id, number)
      const { statusCode } = await shop.pay(id, orderCode)
      return { id, orderCode, statusCode }
    }
    const paid = async (): Promise<Paid> => {
      const { statusCode, ...order } = await pay()
      assert.equal(statusCode, 200)
      agreed.charges += 1
      return order
    }
    const giveBack = async (id: string, refundId: string, amount: number): Promise<void> => {
      const answer = await shop.app.inject({
        method: 'POST',
        url: `/merchant/v1/checkouts/${id}/refunds`,
        headers: { host: 'localhost:3000', authorization: `Bearer ${KEYS.tea}` },
        payload: { refundId, amount },
      })
      assert.equal(answer.statusCode, 201, answer.body)
    }
    const refunded = async (id: string, refundId: string, amount: number): Promise<void> => {
      await giveBack(id, refundId, amount)
      agreed.refunds += 1
    }
    const write = async (statement: string, ...values: SqlValue[]): Promise<void> => {
      withoutConflict(await shop.parts.database.transact((sql) => sql.rows(statement, ...values)))
    }
    const compare = (books: AcquirersBooks = gateway) => run(shop.parts.database, books)
    const assertAgreed = async (books: AcquirersBooks = gateway): Promise<void> => {
      const { said, breaks } = await compare(books)
      assert.deepEqual(breaks, [])
      assert.deepEqual(said, { outcome: 'compared', ...agreed, breaks: 0, inDoubt: 0 })
    }

    test('payments, declines and refunds of one honest day agree to the last yen', async () => {
      await assertAgreed()
      for (let count = 0; count < 4; count += 1) await paid()
      const [partly, wholly] = [await paid(), await paid()]
      await refunded(partly.id, 'a', 1)
      await refunded(partly.id, 'b', 2)
      await refunded(wholly.id, 'a', 1980)
      assert.equal((await pay(DECLINED)).statusCode, 402)
      await shop.create()
      await assertAgreed()
    })

    test('a charge that is in doubt is counted, and is no break', async () => {
      const { id, statusCode } = await pay(BOOKED_THEN_FAILED)
      assert.equal(statusCode, 409)
      const { said, breaks } = await compare()
      assert.deepEqual(breaks, [])
      assert.deepEqual(said, { outcome: 'compared', ...agreed, breaks: 0, inDoubt: 1 })
      shop.clock.advance(2000)
      assert.equal((await shop.read(id)).json<{ status: string }>().status, 'paid')
      agreed.charges += 1
      await assertAgreed()
    })

    test('what is paid and given back while the statement is read is no break', async () => {
      const late = await paid()
      let isDone = false
      const meanwhile = async (): Promise<void> => {
        if (isDone) return
        isDone = true
        await paid()
        await refunded(late.id, 'meanwhile', 5)
      }
      await assertAgreed({
        ...gateway,
        statement: async (cursor) => {
          const page = await gateway.statement(cursor)
          if (page.outcome === 'page' && page.after === null) await meanwhile()
          return page
        },
      })
      assert.ok(isDone)
    })

    test('what is booked here between a look at us and a look at the acquirer is no break', async () => {
      const { id } = await pay(BOOKED_THEN_FAILED)
      const asked: string[] = []
      const books: AcquirersBooks = {
        ...gateway,
        inquire: async (orderCode) => {
          const said = await gateway.inquire(orderCode)
          asked.push(orderCode)
          if (asked.length === 1) {
            shop.clock.advance(2000)
            await shop.read(id)
          }
          return said
        },
      }
      agreed.charges += 1
      await assertAgreed(books)
      assert.equal(asked.length, 2, 'it was asked again, because it had moved')
    })

    test('what is charged and booked after we looked and before the acquirer was asked is no break', async () => {
      const id = await shop.create()
      const orderCode = await shop.start(id)
      const claimed = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      beforeCharge = async () => {
        claimed.resolve()
        await goOn.promise
      }
      const paying = shop.pay(id, orderCode)
      await claimed.promise
      agreed.charges += 1
      await assertAgreed({
        ...gateway,
        inquire: async (code) => {
          goOn.resolve()
          assert.equal((await paying).statusCode, 200)
          return gateway.inquire(code)
        },
      })
      beforeCharge = async () => undefined
    })

    /** Tampers, compares, and puts back what was there. */
    const tampered = async (how: readonly [string, ...SqlValue[]], undo: readonly [string, ...SqlValue[]]) => {
      await write(...how)
      const { said, breaks } = await compare()
      await write(...undo)
      await assertAgreed()
      assert.equal(said.outcome, 'compared')
      return breaks
    }

    test('a ledger that somebody has written into is caught, line by line', async () => {
      const { id: checkoutId, orderCode } = await paid()
      await refunded(checkoutId, 'r', 100)
      const charge = { kind: 'charge', orderCode } as const
      const refund = { kind: 'refund', orderCode, refundId: 'r' } as const
      const [ofCharge, ofRefund] = [`charge ${orderCode}`, `refund ${orderCode} r`]

      const line = "UPDATE ledger_lines SET amount_yen = $1 WHERE entry = $2 AND account = 'merchant'"
      assert.deepEqual(await tampered([line, -1981, ofCharge], [line, -1980, ofCharge]), [
        { kind: 'unbalanced', entry: ofCharge, checkoutId, balanceYen: -1 },
      ])
      const both = 'UPDATE ledger_lines SET amount_yen = amount_yen * $1 / $2 WHERE entry = $3'
      assert.deepEqual(await tampered([both, 2, 1, ofCharge], [both, 1, 2, ofCharge]), [
        { kind: 'amounts differ', movement: charge, checkoutId, hereYen: 3960, thereYen: 1980, isBooked: true },
      ])
      assert.deepEqual(await tampered([both, 3, 1, ofRefund], [both, 1, 3, ofRefund]), [
        { kind: 'amounts differ', movement: refund, checkoutId, hereYen: 300, thereYen: 100, isBooked: true },
      ])
      const named = 'UPDATE ledger_lines SET entry = $1 WHERE entry = $2'
      assert.deepEqual(await tampered([named, 'gift', ofCharge], [named, ofCharge, 'gift']), [
        { kind: 'strange entry', entry: 'gift', checkoutId, hereYen: 1980 },
        { kind: 'not booked here', movement: charge, checkoutId, state: 'charged', thereYen: 1980 },
      ])
      const other = `refund ${orderCode} other`
      assert.deepEqual(await tampered([named, other, ofRefund], [named, ofRefund, other]), [
        { kind: 'not there', movement: { ...refund, refundId: 'other' }, checkoutId, hereYen: 100 },
        { kind: 'not booked here', movement: refund, checkoutId, state: 'refunded', thereYen: 100 },
      ])
      const owner = 'UPDATE ledger_lines SET merchant_id = $1 WHERE entry = $2'
      assert.deepEqual(await tampered([owner, 'nobody', ofRefund], [owner, 'tea-id', ofRefund]), [
        { kind: 'strange entry', entry: ofRefund, checkoutId, hereYen: -100 },
        { kind: 'not booked here', movement: refund, checkoutId, state: 'refunded', thereYen: 100 },
      ])
      const twice = `INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at)
        SELECT 'books-id', entry, account, checkout_id, amount_yen, booked_at FROM ledger_lines WHERE entry = $1`
      const once = "DELETE FROM ledger_lines WHERE merchant_id = 'books-id' AND entry = $1"
      assert.deepEqual(await tampered([twice, ofCharge], [once, ofCharge]), [
        { kind: 'not there', movement: charge, checkoutId, hereYen: 1980 },
      ])
    })

    test('money that moved behind our back is named with all that we know of it', async () => {
      const { id: checkoutId, orderCode } = await paid()
      const stranger = await shop.start(await shop.create())
      assert.equal((await gateway.refund({ orderCode, refundId: 'behind', amountYen: 7 })).outcome, 'refunded')
      const more: StatementLine = { orderCode: 'stranger', chargedYen: 11, refunds: [] }
      const begun: StatementLine = { orderCode: stranger, chargedYen: 1980, refunds: [] }
      const books: AcquirersBooks = {
        ...gateway,
        statement: async (cursor) => {
          const page = await gateway.statement(cursor)
          return page.outcome === 'page' ? { ...page, lines: [...page.lines, more, begun] } : page
        },
        inquire: async (code) => {
          const line = [more, begun].find((each) => each.orderCode === code)
          return line === undefined
            ? gateway.inquire(code)
            : { outcome: 'charged', transactionId: 't', approvedAt: 0, amountYen: line.chargedYen }
        },
      }
      const { breaks } = await compare(books)
      const [attempt] = await shop.parts.database.rows(
        'SELECT checkout_id FROM attempts WHERE order_code = $1',
        stranger,
      )
      assert.deepEqual(breaks, [
        { kind: 'not known here', movement: { kind: 'charge', orderCode: 'stranger' }, checkoutId: null, thereYen: 11 },
        {
          kind: 'not booked here',
          movement: { kind: 'charge', orderCode: stranger },
          checkoutId: attempt?.['checkout_id'],
          state: 'started',
          thereYen: 1980,
        },
        {
          kind: 'not known here',
          movement: { kind: 'refund', orderCode, refundId: 'behind' },
          checkoutId,
          thereYen: 7,
        },
      ])
    })

    test('an acquirer that stops answering, on any page or at a closer look, leaves nothing decided', async () => {
      for (let silentFrom = 1; silentFrom <= 2; silentFrom += 1) {
        let pages = 0
        const { said } = await compare({
          ...gateway,
          statement: async (cursor) => {
            pages += 1
            return pages < silentFrom ? gateway.statement(cursor) : LOST
          },
        })
        assert.deepEqual(said, LOST)
        assert.equal(pages, silentFrom)
      }
      assert.deepEqual((await compare({ ...gateway, inquireRefund: async () => LOST })).said, LOST)
    })

    test('a ledger of many pages and merchants is read to its end, each entry once', async () => {
      const database = await open()
      const lines: StatementLine[] = []
      for (const [merchantId, entries] of [
        ['a', 1000],
        ['b', 1],
        ['c', 1500],
      ] as const) {
        await saveMerchant(database, { id: merchantId, label: merchantId, settings: SETTINGS }, 0)
        const codes = Array.from({ length: entries }, (_, place) => `${merchantId}-${place}`)
        lines.push(...codes.map((orderCode) => ({ orderCode, chargedYen: 1980, refunds: [] })))
        await database.rows(
          `INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at) VALUES ${codes
            .flatMap((code) => [
              `('${merchantId}', 'charge ${code}', 'acquirer', 'x', 1980, 0)`,
              `('${merchantId}', 'charge ${code}', 'merchant', 'x', -1980, 0)`,
            ])
            .join()}`,
        )
      }
      const books: AcquirersBooks = {
        statement: async () => ({ outcome: 'page', lines, after: null }),
        inquire: async () => assert.fail('nothing is suspect'),
        inquireRefund: async () => assert.fail('nothing is suspect'),
      }
      const { said } = await run(database, books)
      assert.deepEqual(said, { outcome: 'compared', charges: 2501, refunds: 0, breaks: 0, inDoubt: 0 })
    })
  })
})
