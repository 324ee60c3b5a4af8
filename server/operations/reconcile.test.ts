import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Gateway, StatementLine } from '#payment/ports.ts'
import type { Discrepancy, Unresolved } from '#payment/reconcile.ts'
import { createSandboxGateway } from '../gateways/sandbox/gateway.ts'
import { accountOfAll } from '../../proof/promises/shared-account.ts'
import type { ReconciliationGateway } from './reconcile-second-pass.ts'
import { ALL_TIME } from '#payment/reconciliation-period.ts'
import { reconcile, type Reconciliation } from './reconcile.ts'
import type { Sql, SqlValue } from '../store/engine/database.ts'
import { integer, text } from '../store/engine/columns.ts'
import { startSandbox, type SandboxProcess } from '../../proof/harness/sandbox-process.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { API_KEYS, MERCHANT_SETTINGS } from '../../proof/harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { saveMerchant } from '../../proof/harness/save-records.ts'

const BOOKED_THEN_FAILED = '4100000000756008'
const DECLINED = '4100000000750001'
const NO_CHARGEBACKS = { chargebacks: 0, chargebackReversals: 0 }
const LOST = { outcome: 'unknown', why: 'connection lost' } as const

interface ReconcileRun {
  readonly result: Reconciliation
  readonly discrepancies: Discrepancy[]
  readonly unresolved: Unresolved[]
}

const runReconcile = async (sql: Sql, acquirerGateway: ReconciliationGateway): Promise<ReconcileRun> => {
  const discrepancies: Discrepancy[] = []
  const unresolved: Unresolved[] = []
  const onDiscrepancy = (found: Discrepancy): void => {
    assert.deepEqual(unresolved, [], 'what is unresolved is reported after the discrepancies')
    discrepancies.push(found)
  }
  const result = await reconcile(sql, [await accountOfAll(sql, acquirerGateway)], ALL_TIME, onDiscrepancy, (open) =>
    unresolved.push(open),
  )
  if (result.outcome === 'compared') {
    assert.equal(result.discrepancies, discrepancies.length)
    assert.equal(result.inDoubt + result.unanswered, unresolved.length)
  }
  return { result, discrepancies, unresolved }
}

describe('our ledger compared with the acquirer’s statement', () => {
  onBothDatabases(({ open }) => {
    let acquirer: SandboxProcess
    let gateway: Gateway
    let server: TestServer
    let beforeMoneyMoves = async (): Promise<void> => undefined
    /** What both sides agree on so far: each test adds to it. */
    const agreed = { charges: 0, refunds: 0, ...NO_CHARGEBACKS }
    before(async () => {
      acquirer = await startSandbox()
      gateway = { ...createSandboxGateway(acquirer.origin, 10_000, { statementPage: 3 }), ready: async () => 'ready' }
      const charge: Gateway['charge'] = async (order, remember) => {
        await beforeMoneyMoves()
        return gateway.charge(order, remember)
      }
      const refund: Gateway['refund'] = async (order) => {
        await beforeMoneyMoves()
        return gateway.refund(order)
      }
      server = await openTestServer({ database: await open(), gateway: { ...gateway, charge, refund } })
    })
    after(() => acquirer.stop())

    interface Paid {
      readonly id: string
      readonly orderCode: string
    }
    const pay = async (number?: string): Promise<Paid & { readonly statusCode: number }> => {
      const id = await server.createCheckout()
      const orderCode = await server.startAttempt(id, number)
      const { statusCode } = await server.pay(id, orderCode)
      return { id, orderCode, statusCode }
    }
    const paid = async (): Promise<Paid> => {
      const { statusCode, ...order } = await pay()
      assert.equal(statusCode, 200)
      agreed.charges += 1
      return order
    }
    const requestRefund = async (id: string, refundId: string, amount: number): Promise<void> => {
      const answer = await server.app.inject({
        method: 'POST',
        url: `/merchant/v1/checkouts/${id}/refunds`,
        headers: { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` },
        payload: { refundId, amount },
      })
      assert.equal(answer.statusCode, 201, answer.body)
    }
    const refunded = async (id: string, refundId: string, amount: number): Promise<void> => {
      await requestRefund(id, refundId, amount)
      agreed.refunds += 1
    }
    const write = async (statement: string, ...values: SqlValue[]): Promise<void> => {
      await server.deps.database.transact((sql) => sql.rows(statement, ...values))
    }
    const compare = (acquirerGateway: ReconciliationGateway = gateway) =>
      runReconcile(server.deps.database, acquirerGateway)
    const assertAgreed = async (acquirerGateway: ReconciliationGateway = gateway): Promise<void> => {
      const { result, discrepancies } = await compare(acquirerGateway)
      assert.deepEqual(discrepancies, [])
      assert.deepEqual(result, { outcome: 'compared', ...agreed, discrepancies: 0, inDoubt: 0, unanswered: 0 })
    }

    test('payments, declines and refunds of one day without a mistake agree to the last yen', async () => {
      await assertAgreed()
      for (let count = 0; count < 4; count += 1) await paid()
      const [partly, wholly] = [await paid(), await paid()]
      await refunded(partly.id, 'a', 1)
      await refunded(partly.id, 'b', 2)
      await refunded(wholly.id, 'a', 1980)
      assert.equal((await pay(DECLINED)).statusCode, 402)
      await server.createCheckout()
      await assertAgreed()
    })

    const chargeLine = (orderCode: string, amountYen: number): StatementLine => ({
      kind: 'charge',
      orderCode,
      reference: orderCode,
      amountYen,
      movedAt: server.clock.now(),
    })
    const NEVER_STARTED: StatementLine = {
      kind: 'charge',
      orderCode: 'stranger',
      reference: 'stranger',
      amountYen: 11,
      movedAt: 0,
    }
    /** The acquirer with more lines at the end of its statement, which an inquiry answers as charged. */
    const withLines = (...more: StatementLine[]): ReconciliationGateway => ({
      ...gateway,
      statement: async (period, cursor) => {
        const page = await gateway.statement(period, cursor)
        return page.outcome === 'page' && page.after === null ? { ...page, lines: [...page.lines, ...more] } : page
      },
      inquire: async (order) => {
        const line = more.find(({ kind, orderCode }) => kind === 'charge' && orderCode === order.orderCode)
        return line === undefined
          ? gateway.inquire(order)
          : { outcome: 'charged', transactionId: 't', approvedAt: 0, amountYen: line.amountYen }
      },
    })
    /** The same acquirer, without an answer about this order. */
    const unansweredAbout = (orderCode: string, acquirerGateway: ReconciliationGateway): ReconciliationGateway => ({
      ...acquirerGateway,
      inquire: async (order) => (order.orderCode === orderCode ? LOST : acquirerGateway.inquire(order)),
      inquireRefund: async (refund) => (refund.orderCode === orderCode ? LOST : acquirerGateway.inquireRefund(refund)),
    })
    const unknownOrder = ({ orderCode, amountYen }: StatementLine): Discrepancy => ({
      kind: 'unknown order',
      movement: { kind: 'charge', orderCode },
      checkoutId: null,
      acquirerYen: amountYen,
    })

    test('a charge in doubt is reported with its yen and since when, whether the acquirer answers or not, and hides no discrepancy after it', async () => {
      const earliest = server.clock.now()
      const { id: checkoutId, orderCode, statusCode } = await pay(BOOKED_THEN_FAILED)
      const latest = server.clock.now()
      assert.equal(statusCode, 409)
      const place = { movement: { kind: 'charge', orderCode }, checkoutId } as const
      for (const acquirerGateway of [withLines(NEVER_STARTED), unansweredAbout(orderCode, withLines(NEVER_STARTED))]) {
        const { result, discrepancies, unresolved } = await compare(acquirerGateway)
        assert.deepEqual(discrepancies, [unknownOrder(NEVER_STARTED)])
        assert.deepEqual(result, { outcome: 'compared', ...agreed, discrepancies: 1, inDoubt: 1, unanswered: 0 })
        const [doubt] = unresolved
        if (doubt?.kind !== 'in doubt') assert.fail(doubt?.kind)
        const { since } = doubt
        assert.deepEqual(doubt, { kind: 'in doubt', ...place, amountYen: 1980, state: 'unknown', since })
        assert.ok(earliest <= since && since <= latest)
      }
      server.clock.advance(2000)
      assert.equal((await server.readCheckout(checkoutId)).json<{ status: string }>().status, 'paid')
      agreed.charges += 1
      await assertAgreed()
    })

    test('a charge and a refund under way are reported with the time from which they are in doubt', async () => {
      const checkoutId = await server.createCheckout()
      const orderCode = await server.startAttempt(checkoutId)
      const dueIn = async (table: 'attempts' | 'refunds'): Promise<number> => {
        const [row = {}] = await server.deps.database.rows(
          `SELECT due_at FROM ${table} WHERE order_code = $1`,
          orderCode,
        )
        return integer(row, 'due_at')
      }
      /** Compares when it is recorded here and has not yet reached the acquirer. */
      const compareDuring = async (table: 'attempts' | 'refunds', send: () => Promise<unknown>) => {
        const begun = Promise.withResolvers<void>()
        const proceed = Promise.withResolvers<void>()
        beforeMoneyMoves = async () => {
          begun.resolve()
          await proceed.promise
        }
        const request = send()
        try {
          await begun.promise
          return { since: await dueIn(table), unresolved: (await compare()).unresolved }
        } finally {
          beforeMoneyMoves = async () => undefined
          proceed.resolve()
          await request
        }
      }
      const paying = await compareDuring('attempts', () => server.pay(checkoutId, orderCode))
      agreed.charges += 1
      const refunding = await compareDuring('refunds', () => refunded(checkoutId, 'held', 3))

      const charge = { kind: 'charge', orderCode } as const
      const refund = { kind: 'refund', orderCode, refundId: 'held' } as const
      const doubt = { kind: 'in doubt', checkoutId } as const
      assert.deepEqual(paying.unresolved, [
        { ...doubt, movement: charge, amountYen: 1980, state: 'charging', since: paying.since },
      ])
      assert.deepEqual(refunding.unresolved, [
        { ...doubt, movement: refund, amountYen: 3, state: 'requested', since: refunding.since },
      ])
      await assertAgreed()
    })

    test('a movement that the acquirer does not answer about is reported as unanswered, and every other discrepancy is reported too', async () => {
      const { id: checkoutId, orderCode } = await paid()
      await refunded(checkoutId, 'r', 100)
      const both = 'UPDATE ledger_lines SET amount_yen = amount_yen * $1 / $2 WHERE checkout_id = $3'
      await write(both, 2, 1, checkoutId)
      const { result, discrepancies, unresolved } = await compare(unansweredAbout(orderCode, withLines(NEVER_STARTED)))
      await write(both, 1, 2, checkoutId)
      assert.deepEqual(discrepancies, [unknownOrder(NEVER_STARTED)])
      const [charges, refunds] = [agreed.charges - 1, agreed.refunds - 1]
      assert.deepEqual(result, {
        outcome: 'compared',
        charges,
        refunds,
        ...NO_CHARGEBACKS,
        discrepancies: 1,
        inDoubt: 0,
        unanswered: 2,
      })
      const open = { kind: 'unanswered', checkoutId, why: LOST.why } as const
      assert.deepEqual(unresolved, [
        { ...open, movement: { kind: 'charge', orderCode } },
        { ...open, movement: { kind: 'refund', orderCode, refundId: 'r' } },
      ])
      await assertAgreed()
    })

    test('a charge and a refund that only their own records have, neither the ledger nor the acquirer, are discrepancies', async () => {
      const { id: checkoutId, orderCode } = await paid()
      await refunded(checkoutId, 'r', 100)
      const [charge, refund] = [`charge ${orderCode}`, `refund ${orderCode} r`]
      const acquirerGateway: ReconciliationGateway = {
        statement: async (period, cursor) => {
          const page = await gateway.statement(period, cursor)
          if (page.outcome === 'unknown') return page
          return { ...page, lines: page.lines.filter((line) => line.orderCode !== orderCode) }
        },
        inquire: async (order) => (order.orderCode === orderCode ? { outcome: 'not_found' } : gateway.inquire(order)),
        inquireRefund: async (order) =>
          order.orderCode === orderCode ? { outcome: 'not_found' } : gateway.inquireRefund(order),
        disputes: gateway.disputes,
      }
      const lines = await server.deps.database.rows('SELECT * FROM ledger_lines WHERE checkout_id = $1', checkoutId)
      assert.equal(lines.length, 4)
      await write('DELETE FROM ledger_lines WHERE entry IN ($1, $2)', charge, refund)
      const { result, discrepancies } = await compare(acquirerGateway)
      const kind = 'missing on both sides'
      assert.deepEqual(discrepancies, [
        { kind, movement: { kind: 'charge', orderCode }, checkoutId, state: 'charged', ourYen: 1980 },
        { kind, movement: { kind: 'refund', orderCode, refundId: 'r' }, checkoutId, state: 'refunded', ourYen: 100 },
      ])
      const [charges, refunds] = [agreed.charges - 1, agreed.refunds - 1]
      assert.deepEqual(result, {
        outcome: 'compared',
        charges,
        refunds,
        ...NO_CHARGEBACKS,
        discrepancies: 2,
        inDoubt: 0,
        unanswered: 0,
      })
      for (const line of lines)
        await write(
          `INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at)
           VALUES ($1, $2, $3, $4, $5, $6)`,
          ...['merchant_id', 'entry', 'account', 'checkout_id'].map((column) => text(line, column)),
          ...['amount_yen', 'booked_at'].map((column) => integer(line, column)),
        )
      await assertAgreed()
    })

    test('a charge that the ledger has under another merchant of ours counts as booked, and once', async () => {
      const { orderCode } = await paid()
      const owner = 'UPDATE ledger_lines SET merchant_id = $1 WHERE entry = $2'
      await write(owner, 'books-id', `charge ${orderCode}`)
      await assertAgreed()
      await write(owner, 'tea-id', `charge ${orderCode}`)
    })

    test('a movement that the acquirer lists twice is a discrepancy with both amounts, and does not agree', async () => {
      const { id: checkoutId, orderCode } = await paid()
      await refunded(checkoutId, 'r', 100)
      const charge = { kind: 'charge', orderCode } as const
      const refund = { kind: 'refund', orderCode, refundId: 'r' } as const
      const again: StatementLine[] = [
        chargeLine(orderCode, 1980),
        { ...refund, amountYen: 99, movedAt: server.clock.now() },
      ]
      const { result, discrepancies } = await compare(withLines(...again))
      assert.deepEqual(discrepancies, [
        { kind: 'listed twice', movement: charge, checkoutId, listedYen: [1980, 1980] },
        { kind: 'listed twice', movement: refund, checkoutId, listedYen: [100, 99] },
      ])
      const [charges, refunds] = [agreed.charges - 1, agreed.refunds - 1]
      assert.deepEqual(result, {
        outcome: 'compared',
        charges,
        refunds,
        ...NO_CHARGEBACKS,
        discrepancies: 2,
        inDoubt: 0,
        unanswered: 0,
      })
      assert.deepEqual((await compare(unansweredAbout(orderCode, withLines(...again)))).discrepancies, discrepancies)
    })

    test('a charge and a refund made while the statement is read are no discrepancy', async () => {
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
        statement: async (period, cursor) => {
          const page = await gateway.statement(period, cursor)
          if (page.outcome === 'page' && page.after === null) await meanwhile()
          return page
        },
      })
      assert.ok(isDone)
    })

    /** Tampers with the ledger, compares, and undoes it. */
    const tampered = async (how: readonly [string, ...SqlValue[]], undo: readonly [string, ...SqlValue[]]) => {
      await write(...how)
      const { result, discrepancies } = await compare()
      await write(...undo)
      await assertAgreed()
      assert.equal(result.outcome, 'compared')
      return discrepancies
    }

    test('a ledger that was tampered with is reported, line by line', async () => {
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
        { kind: 'missing in ledger', movement: refund, checkoutId, state: 'refunded', acquirerYen: 100 },
        { kind: 'missing at acquirer', movement: { ...refund, refundId: 'other' }, checkoutId, ourYen: 100 },
      ])
      const owner = 'UPDATE ledger_lines SET merchant_id = $1 WHERE entry = $2'
      assert.deepEqual(await tampered([owner, 'nobody', ofRefund], [owner, 'tea-id', ofRefund]), [
        { kind: 'missing in ledger', movement: refund, checkoutId, state: 'refunded', acquirerYen: 100 },
        { kind: 'unknown entry', entry: ofRefund, checkoutId, ourYen: -100 },
      ])
      const twice = `INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at)
        SELECT 'books-id', entry, account, checkout_id, amount_yen, booked_at FROM ledger_lines WHERE entry = $1`
      const once = "DELETE FROM ledger_lines WHERE merchant_id = 'books-id' AND entry = $1"
      assert.deepEqual(await tampered([twice, ofCharge], [once, ofCharge]), [
        { kind: 'missing at acquirer', movement: charge, checkoutId, ourYen: 1980 },
      ])
    })

    test('money that moved without our request is reported with all that we know of it', async () => {
      const { id: checkoutId, orderCode } = await paid()
      const behind = { orderCode, refundId: 'behind' }
      const startedOrder = await server.startAttempt(await server.createCheckout())
      assert.equal(
        (await gateway.refund({ ...behind, reference: orderCode, amountYen: 7, requestedAt: 0 })).outcome,
        'refunded',
      )
      const { discrepancies } = await compare(withLines(NEVER_STARTED, chargeLine(startedOrder, 1980)))
      const [attempt] = await server.deps.database.rows(
        'SELECT checkout_id FROM attempts WHERE order_code = $1',
        startedOrder,
      )
      assert.deepEqual(discrepancies, [
        {
          kind: 'unknown order',
          movement: { kind: 'refund', ...behind },
          checkoutId,
          acquirerYen: 7,
        },
        unknownOrder(NEVER_STARTED),
        {
          kind: 'missing in ledger',
          movement: { kind: 'charge', orderCode: startedOrder },
          checkoutId: attempt?.['checkout_id'],
          state: 'started',
          acquirerYen: 1980,
        },
      ])
    })

    test('an acquirer that stops answering on any page of its statement ends reconciliation without a result', async () => {
      for (let silentFrom = 1; silentFrom <= 2; silentFrom += 1) {
        let pages = 0
        const { result } = await compare({
          ...gateway,
          statement: async (period, cursor) => {
            pages += 1
            return pages < silentFrom ? gateway.statement(period, cursor) : LOST
          },
        })
        assert.deepEqual(result, LOST)
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
        await saveMerchant(database, { id: merchantId, label: merchantId, settings: MERCHANT_SETTINGS }, 0)
        const codes = Array.from({ length: entries }, (_, place) => `${merchantId}-${place}`)
        lines.push(...codes.map((orderCode) => chargeLine(orderCode, 1980)))
        await database.rows(
          `INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at) VALUES ${codes
            .flatMap((code) => [
              `('${merchantId}', 'charge ${code}', 'acquirer', 'x', 1980, 0)`,
              `('${merchantId}', 'charge ${code}', 'merchant', 'x', -1980, 0)`,
            ])
            .join()}`,
        )
      }
      const acquirerGateway: ReconciliationGateway = {
        statement: async () => ({ outcome: 'page', lines, after: null }),
        inquire: async () => assert.fail('nothing is suspect'),
        inquireRefund: async () => assert.fail('nothing is suspect'),
        disputes: async () => assert.fail('nothing is suspect'),
      }
      const { result } = await runReconcile(database, acquirerGateway)
      assert.deepEqual(result, {
        outcome: 'compared',
        charges: 2501,
        refunds: 0,
        ...NO_CHARGEBACKS,
        discrepancies: 0,
        inDoubt: 0,
        unanswered: 0,
      })
    })
  })
})
