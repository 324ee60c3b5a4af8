import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Gateway, StatementLine } from '#payment/ports.ts'
import type { Discrepancy, Unresolved } from '#payment/reconcile.ts'
import { createSandboxGateway } from '../gateways/sandbox/gateway.ts'
import { reconcile, type ReconciliationGateway, type Reconciliation } from './reconcile.ts'
import { integer, text, type Sql, type SqlValue } from '../store/database.ts'
import { saveMerchant } from '../store/merchants.ts'
import { startAcquirer, type Acquirer } from '../../proof/harness/acquirer-process.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { KEYS, openShop, SETTINGS, type Shop } from '../../proof/harness/shop.ts'

const BOOKED_THEN_FAILED = '4100000000756008'
const DECLINED = '4100000000750001'
const LOST = { outcome: 'unknown', why: 'connection lost' } as const

interface Run {
  readonly said: Reconciliation
  readonly discrepancies: Discrepancy[]
  readonly left: Unresolved[]
}

const run = async (sql: Sql, books: ReconciliationGateway): Promise<Run> => {
  const discrepancies: Discrepancy[] = []
  const left: Unresolved[] = []
  const onDiscrepancy = (found: Discrepancy): void => {
    assert.deepEqual(left, [], 'what stays open is told after the breaks')
    discrepancies.push(found)
  }
  const said = await reconcile(sql, books, onDiscrepancy, (open) => left.push(open))
  if (said.outcome === 'compared') {
    assert.equal(said.discrepancies, discrepancies.length)
    assert.equal(said.inDoubt + said.unanswered, left.length)
  }
  return { said, discrepancies, left }
}

describe('our ledger compared with the acquirer’s statement', () => {
  onBothDatabases(({ open }) => {
    let acquirer: Acquirer
    let gateway: Gateway
    let shop: Shop
    let beforeMoneyMoves = async (): Promise<void> => undefined
    /** What both sides agree on so far: each test adds to it. */
    const agreed = { charges: 0, refunds: 0 }
    before(async () => {
      acquirer = await startAcquirer()
      gateway = { ...createSandboxGateway(acquirer.origin, 10_000, { statementPage: 3 }), ready: async () => 'ready' }
      const charge: Gateway['charge'] = async (order) => {
        await beforeMoneyMoves()
        return gateway.charge(order)
      }
      const refund: Gateway['refund'] = async (order) => {
        await beforeMoneyMoves()
        return gateway.refund(order)
      }
      shop = await openShop({ database: await open(), gateway: { ...gateway, charge, refund } })
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
      await shop.parts.database.transact((sql) => sql.rows(statement, ...values))
    }
    const compare = (books: ReconciliationGateway = gateway) => run(shop.parts.database, books)
    const assertAgreed = async (books: ReconciliationGateway = gateway): Promise<void> => {
      const { said, discrepancies } = await compare(books)
      assert.deepEqual(discrepancies, [])
      assert.deepEqual(said, { outcome: 'compared', ...agreed, discrepancies: 0, inDoubt: 0, unanswered: 0 })
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

    const STRANGER: StatementLine = { orderCode: 'stranger', chargedYen: 11, refunds: [] }
    /** The acquirer's books with more lines at the end, charged for all it says. */
    const withLines = (...more: StatementLine[]): ReconciliationGateway => ({
      ...gateway,
      statement: async (cursor) => {
        const page = await gateway.statement(cursor)
        return page.outcome === 'page' && page.after === null ? { ...page, lines: [...page.lines, ...more] } : page
      },
      inquire: async (code) => {
        const line = more.find(({ orderCode }) => orderCode === code)
        return line === undefined
          ? gateway.inquire(code)
          : { outcome: 'charged', transactionId: 't', approvedAt: 0, amountYen: line.chargedYen }
      },
    })
    /** The same books, and no answer about this order. */
    const silentAbout = (orderCode: string, books: ReconciliationGateway): ReconciliationGateway => ({
      ...books,
      inquire: async (code) => (code === orderCode ? LOST : books.inquire(code)),
      inquireRefund: async (refund) => (refund.orderCode === orderCode ? LOST : books.inquireRefund(refund)),
    })
    const notKnown = ({ orderCode, chargedYen }: StatementLine): Discrepancy => ({
      kind: 'unknown order',
      movement: { kind: 'charge', orderCode },
      checkoutId: null,
      acquirerYen: chargedYen,
    })

    test('a charge in doubt is told with its yen and since when, answered or not, and hides no break behind it', async () => {
      const earliest = shop.clock.now()
      const { id: checkoutId, orderCode, statusCode } = await pay(BOOKED_THEN_FAILED)
      const latest = shop.clock.now()
      assert.equal(statusCode, 409)
      const place = { movement: { kind: 'charge', orderCode }, checkoutId } as const
      for (const books of [withLines(STRANGER), silentAbout(orderCode, withLines(STRANGER))]) {
        const { said, discrepancies, left } = await compare(books)
        assert.deepEqual(discrepancies, [notKnown(STRANGER)])
        assert.deepEqual(said, { outcome: 'compared', ...agreed, discrepancies: 1, inDoubt: 1, unanswered: 0 })
        const [doubt] = left
        if (doubt?.kind !== 'in doubt') assert.fail(doubt?.kind)
        const { since } = doubt
        assert.deepEqual(doubt, { kind: 'in doubt', ...place, amountYen: 1980, state: 'unknown', since })
        assert.ok(earliest <= since && since <= latest)
      }
      shop.clock.advance(2000)
      assert.equal((await shop.read(checkoutId)).json<{ status: string }>().status, 'paid')
      agreed.charges += 1
      await assertAgreed()
    })

    test('a charge and a refund under way are told with the moment from which they are in doubt', async () => {
      const checkoutId = await shop.create()
      const orderCode = await shop.start(checkoutId)
      const dueIn = async (table: 'attempts' | 'refunds'): Promise<number> => {
        const [row = {}] = await shop.parts.database.rows(
          `SELECT due_at FROM ${table} WHERE order_code = $1`,
          orderCode,
        )
        return integer(row, 'due_at')
      }
      /** Compares when it is written down here and has not yet reached the acquirer. */
      const compareDuring = async (table: 'attempts' | 'refunds', ask: () => Promise<unknown>) => {
        const begun = Promise.withResolvers<void>()
        const goOn = Promise.withResolvers<void>()
        beforeMoneyMoves = async () => {
          begun.resolve()
          await goOn.promise
        }
        const asking = ask()
        try {
          await begun.promise
          return { since: await dueIn(table), left: (await compare()).left }
        } finally {
          beforeMoneyMoves = async () => undefined
          goOn.resolve()
          await asking
        }
      }
      const paying = await compareDuring('attempts', () => shop.pay(checkoutId, orderCode))
      agreed.charges += 1
      const givingBack = await compareDuring('refunds', () => refunded(checkoutId, 'held', 3))

      const charge = { kind: 'charge', orderCode } as const
      const refund = { kind: 'refund', orderCode, refundId: 'held' } as const
      const doubt = { kind: 'in doubt', checkoutId } as const
      assert.deepEqual(paying.left, [
        { ...doubt, movement: charge, amountYen: 1980, state: 'charging', since: paying.since },
      ])
      assert.deepEqual(givingBack.left, [
        { ...doubt, movement: refund, amountYen: 3, state: 'requested', since: givingBack.since },
      ])
      await assertAgreed()
    })

    test('what the acquirer does not speak of is told as that, and every other break is named', async () => {
      const { id: checkoutId, orderCode } = await paid()
      await refunded(checkoutId, 'r', 100)
      const both = 'UPDATE ledger_lines SET amount_yen = amount_yen * $1 / $2 WHERE checkout_id = $3'
      await write(both, 2, 1, checkoutId)
      const { said, discrepancies, left } = await compare(silentAbout(orderCode, withLines(STRANGER)))
      await write(both, 1, 2, checkoutId)
      assert.deepEqual(discrepancies, [notKnown(STRANGER)])
      const [charges, refunds] = [agreed.charges - 1, agreed.refunds - 1]
      assert.deepEqual(said, { outcome: 'compared', charges, refunds, discrepancies: 1, inDoubt: 0, unanswered: 2 })
      const open = { kind: 'unanswered', checkoutId, why: LOST.why } as const
      assert.deepEqual(left, [
        { ...open, movement: { kind: 'charge', orderCode } },
        { ...open, movement: { kind: 'refund', orderCode, refundId: 'r' } },
      ])
      await assertAgreed()
    })

    test('what is paid and given back by our own word alone is a break', async () => {
      const { id: checkoutId, orderCode } = await paid()
      await refunded(checkoutId, 'r', 100)
      const [charge, refund] = [`charge ${orderCode}`, `refund ${orderCode} r`]
      const books: ReconciliationGateway = {
        statement: async (cursor) => {
          const page = await gateway.statement(cursor)
          if (page.outcome === 'unknown') return page
          return { ...page, lines: page.lines.filter((line) => line.orderCode !== orderCode) }
        },
        inquire: async (code) => (code === orderCode ? { outcome: 'not_found' } : gateway.inquire(code)),
        inquireRefund: async (order) =>
          order.orderCode === orderCode ? { outcome: 'not_found' } : gateway.inquireRefund(order),
      }
      const lines = await shop.parts.database.rows('SELECT * FROM ledger_lines WHERE checkout_id = $1', checkoutId)
      assert.equal(lines.length, 4)
      await write('DELETE FROM ledger_lines WHERE entry IN ($1, $2)', charge, refund)
      const { said, discrepancies } = await compare(books)
      const kind = 'missing on both sides'
      assert.deepEqual(discrepancies, [
        { kind, movement: { kind: 'charge', orderCode }, checkoutId, state: 'charged', ourYen: 1980 },
        { kind, movement: { kind: 'refund', orderCode, refundId: 'r' }, checkoutId, state: 'refunded', ourYen: 100 },
      ])
      const [charges, refunds] = [agreed.charges - 1, agreed.refunds - 1]
      assert.deepEqual(said, { outcome: 'compared', charges, refunds, discrepancies: 2, inDoubt: 0, unanswered: 0 })
      for (const line of lines)
        await write(
          `INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at)
           VALUES ($1, $2, $3, $4, $5, $6)`,
          ...['merchant_id', 'entry', 'account', 'checkout_id'].map((column) => text(line, column)),
          ...['amount_yen', 'booked_at'].map((column) => integer(line, column)),
        )
      await assertAgreed()
    })

    test('what another merchant of ours has in the ledger counts as booked, and once', async () => {
      const { orderCode } = await paid()
      const owner = 'UPDATE ledger_lines SET merchant_id = $1 WHERE entry = $2'
      await write(owner, 'books-id', `charge ${orderCode}`)
      await assertAgreed()
      await write(owner, 'tea-id', `charge ${orderCode}`)
    })

    test('what the acquirer lists twice is a break with both amounts, and does not agree', async () => {
      const { id: checkoutId, orderCode } = await paid()
      await refunded(checkoutId, 'r', 100)
      const again: StatementLine = { orderCode, chargedYen: 1980, refunds: [{ refundId: 'r', amountYen: 99 }] }
      const charge = { kind: 'charge', orderCode } as const
      const refund = { kind: 'refund', orderCode, refundId: 'r' } as const
      const { said, discrepancies } = await compare(withLines(again))
      assert.deepEqual(discrepancies, [
        { kind: 'listed twice', movement: charge, checkoutId, listedYen: [1980, 1980] },
        { kind: 'listed twice', movement: refund, checkoutId, listedYen: [100, 99] },
      ])
      const [charges, refunds] = [agreed.charges - 1, agreed.refunds - 1]
      assert.deepEqual(said, { outcome: 'compared', charges, refunds, discrepancies: 2, inDoubt: 0, unanswered: 0 })
      assert.deepEqual((await compare(silentAbout(orderCode, withLines(again)))).discrepancies, discrepancies)
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

    /** Tampers, compares, and puts back what was there. */
    const tampered = async (how: readonly [string, ...SqlValue[]], undo: readonly [string, ...SqlValue[]]) => {
      await write(...how)
      const { said, discrepancies } = await compare()
      await write(...undo)
      await assertAgreed()
      assert.equal(said.outcome, 'compared')
      return discrepancies
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
        { kind: 'amounts differ', movement: charge, checkoutId, ourYen: 3960, acquirerYen: 1980, isBooked: true },
      ])
      assert.deepEqual(await tampered([both, 3, 1, ofRefund], [both, 1, 3, ofRefund]), [
        { kind: 'amounts differ', movement: refund, checkoutId, ourYen: 300, acquirerYen: 100, isBooked: true },
      ])
      const named = 'UPDATE ledger_lines SET entry = $1 WHERE entry = $2'
      assert.deepEqual(await tampered([named, 'gift', ofCharge], [named, ofCharge, 'gift']), [
        { kind: 'unknown entry', entry: 'gift', checkoutId, ourYen: 1980 },
        { kind: 'missing in ledger', movement: charge, checkoutId, state: 'charged', acquirerYen: 1980 },
      ])
      const other = `refund ${orderCode} other`
      assert.deepEqual(await tampered([named, other, ofRefund], [named, ofRefund, other]), [
        { kind: 'missing at acquirer', movement: { ...refund, refundId: 'other' }, checkoutId, ourYen: 100 },
        { kind: 'missing in ledger', movement: refund, checkoutId, state: 'refunded', acquirerYen: 100 },
      ])
      const owner = 'UPDATE ledger_lines SET merchant_id = $1 WHERE entry = $2'
      assert.deepEqual(await tampered([owner, 'nobody', ofRefund], [owner, 'tea-id', ofRefund]), [
        { kind: 'unknown entry', entry: ofRefund, checkoutId, ourYen: -100 },
        { kind: 'missing in ledger', movement: refund, checkoutId, state: 'refunded', acquirerYen: 100 },
      ])
      const twice = `INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at)
        SELECT 'books-id', entry, account, checkout_id, amount_yen, booked_at FROM ledger_lines WHERE entry = $1`
      const once = "DELETE FROM ledger_lines WHERE merchant_id = 'books-id' AND entry = $1"
      assert.deepEqual(await tampered([twice, ofCharge], [once, ofCharge]), [
        { kind: 'missing at acquirer', movement: charge, checkoutId, ourYen: 1980 },
      ])
    })

    test('money that moved behind our back is named with all that we know of it', async () => {
      const { id: checkoutId, orderCode } = await paid()
      const stranger = await shop.start(await shop.create())
      assert.equal((await gateway.refund({ orderCode, refundId: 'behind', amountYen: 7 })).outcome, 'refunded')
      const begun: StatementLine = { orderCode: stranger, chargedYen: 1980, refunds: [] }
      const { discrepancies } = await compare(withLines(STRANGER, begun))
      const [attempt] = await shop.parts.database.rows(
        'SELECT checkout_id FROM attempts WHERE order_code = $1',
        stranger,
      )
      assert.deepEqual(discrepancies, [
        notKnown(STRANGER),
        {
          kind: 'missing in ledger',
          movement: { kind: 'charge', orderCode: stranger },
          checkoutId: attempt?.['checkout_id'],
          state: 'started',
          acquirerYen: 1980,
        },
        {
          kind: 'unknown order',
          movement: { kind: 'refund', orderCode, refundId: 'behind' },
          checkoutId,
          acquirerYen: 7,
        },
      ])
    })

    test('an acquirer that stops answering on any page of its statement leaves nothing decided', async () => {
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
      const books: ReconciliationGateway = {
        statement: async () => ({ outcome: 'page', lines, after: null }),
        inquire: async () => assert.fail('nothing is suspect'),
        inquireRefund: async () => assert.fail('nothing is suspect'),
      }
      const { said } = await run(database, books)
      assert.deepEqual(said, {
        outcome: 'compared',
        charges: 2501,
        refunds: 0,
        discrepancies: 0,
        inDoubt: 0,
        unanswered: 0,
      })
    })
  })
})
