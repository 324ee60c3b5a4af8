/** Statement contract: what an adapter's statement of a period must contain before our ledger can be reconciled with it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Instant } from '#contract/jst.ts'
import { ledgerEntryName } from '#payment/ledger-movement.ts'
import type { Gateway, Period, StatementLine } from '#payment/ports.ts'
import { createStatementMatching, movementOfLine } from '#payment/reconcile-matching.ts'
import { systemClock } from '../../server/dependencies.ts'
import {
  AMOUNT_YEN,
  charge,
  chargeNewOrder,
  connect,
  orderWithCard,
  sentOrder,
  stepThatMovesMoney,
  withFault,
  type AcquirerUnderTest,
  type OpenAcquirer,
} from './gateway-under-test.ts'
import { refund, refundOf } from './settle.ts'

/** The most lines, or orders, that a gateway under this contract lists on one page, where the acquirer lets us choose. */
export const STATEMENT_PAGE_SIZE = 3

/** Pages that one statement of these tests has at most: a list that never ends would otherwise be read for ever. */
const PAGES_MAX = 200
/** The acquirer's clock may be behind ours. */
const CLOCKS_DIFFER_MS = 10_000

const readPages = async (gateway: Gateway, period: Period): Promise<StatementLine[][]> => {
  const pages: StatementLine[][] = []
  for (let cursor: string | null = null; pages.length < PAGES_MAX;) {
    const page: Awaited<ReturnType<Gateway['statement']>> = await gateway.statement(period, cursor)
    if (page.outcome === 'unknown') assert.fail(page.why)
    pages.push([...page.lines])
    if (page.after === null) return pages
    cursor = page.after
  }
  return assert.fail('a statement without an end')
}

/** What moved, without when: as our ledger would name it. */
const named = (line: StatementLine): string => `${ledgerEntryName(movementOfLine(line))} ${line.amountYen}`

const chargeLine = (orderCode: string): string => `${ledgerEntryName({ kind: 'charge', orderCode })} ${AMOUNT_YEN}`
const refundLine = (orderCode: string, refundId: string, yen: number): string =>
  `${ledgerEntryName({ kind: 'refund', orderCode, refundId })} ${yen}`

/** Our ledger, with exactly these movements, matches the lines in whatever order they come. */
const assertReconciles = (lines: readonly StatementLine[]): void => {
  const matching = createStatementMatching()
  for (const line of lines) matching.addStatementLine(line)
  for (const line of lines.toReversed()) {
    const movement = movementOfLine(line)
    const isMatched = matching.matchEntry({
      merchantId: 'tea',
      checkoutId: 'checkout',
      name: ledgerEntryName(movement),
      movement,
      acquirerYen: line.kind === 'charge' ? line.amountYen : -line.amountYen,
      balanceYen: 0,
    })
    assert.ok(isMatched, named(line))
  }
  assert.deepEqual([...matching.unmatchedLines()], [])
}

export const testStatementContract = (name: string, open: OpenAcquirer): void => {
  // One test after another: each builds on what moved before.
  describe(`the statement of ${name}`, { concurrency: false }, () => {
    let acquirer: AcquirerUnderTest
    let from: Instant
    let completeUntil: Instant | undefined
    /** What moved, by the test's own account. */
    const expected: string[] = []
    const ours = new Set<string>()
    before(async () => {
      acquirer = await open()
      from = systemClock.now() - CLOCKS_DIFFER_MS
    })
    after(() => acquirer.stop())

    /** An account may be shared: of a statement only our orders are looked at. */
    const isOurs = ({ orderCode }: StatementLine): boolean => ours.has(orderCode)
    const settle = async (): Promise<void> => {
      completeUntil = await acquirer.settle?.()
    }
    const wholePeriod = (): Period => ({ from, to: completeUntil ?? systemClock.now() + 60_000 })
    const read = async (gateway: Gateway, period = wholePeriod()): Promise<StatementLine[]> =>
      (await readPages(gateway, period)).flat().filter(isOurs)

    test('lists every charge and every refund of the period once, over more than one page, and nothing that moved no money', async (t) => {
      const connection = await connect(t, acquirer)
      const chargeOne = async () => {
        const sent = await chargeNewOrder(connection, acquirer)
        ours.add(sent.orderCode)
        expected.push(chargeLine(sent.orderCode))
        return sent
      }
      const refundPart = async (sent: Parameters<typeof refundOf>[0], refundId: string, yen: number) => {
        const { outcome } = await refund(connection, acquirer, refundOf(sent, refundId, yen))
        if (outcome === 'refunded') expected.push(refundLine(sent.orderCode, refundId, yen))
        return outcome
      }
      const partly = await chargeOne()
      const wholly = await chargeOne()
      assert.equal(await refundPart(partly, 'a', 1), 'refunded')
      await settle()
      for (let count = 0; count < STATEMENT_PAGE_SIZE; count += 1) await chargeOne()
      assert.equal(await refundPart(partly, 'b', 979), 'refunded')
      assert.equal(await refundPart(partly, 'above', AMOUNT_YEN), 'refused')
      assert.equal(await refundPart(wholly, 'all', AMOUNT_YEN), 'refunded')
      const declined = await charge(connection, orderWithCard(acquirer.cards.declined))
      ours.add(declined.sent.orderCode)
      const fenced = orderWithCard(acquirer.cards.charged)
      await connection.gateway.fence(sentOrder(fenced, null))
      ours.add(fenced.orderCode)
      await settle()

      const pages = await readPages(connection.gateway, wholePeriod())
      assert.ok(pages.length > 1, 'one page shows nothing about paging')
      const lines = pages.flat().filter(isOurs)
      assert.deepEqual(lines.map(named).toSorted(), expected.toSorted())
      const kept = acquirer.keeps['a statement comes in ascending order']
      const times = lines.map(({ movedAt }) => movedAt)
      if (kept !== true) t.diagnostic(`${name} does not keep "a statement comes in ascending order": ${kept}`)
      else {
        const charges = lines.filter(({ kind }) => kind === 'charge').map(({ movedAt }) => movedAt)
        assert.deepEqual(
          charges,
          charges.toSorted((a, b) => a - b),
        )
      }
      assert.ok(times.every((at) => at >= from && at <= systemClock.now() + 60_000))
      assertReconciles(lines)
    })

    test('lists each charge with the reference that was remembered', async (t) => {
      const { gateway, faults } = await connect(t, acquirer)
      const sent = await chargeNewOrder({ gateway, faults }, acquirer)
      ours.add(sent.orderCode)
      expected.push(chargeLine(sent.orderCode))
      await settle()
      const lines = (await read(gateway)).filter(({ orderCode }) => orderCode === sent.orderCode)
      assert.deepEqual(
        lines.map((line) => (line.kind === 'charge' ? line.reference : null)),
        [sent.reference],
      )
    })

    test('lists a charge whose answer was lost', async (t) => {
      const { result } = await withFault(t, acquirer, stepThatMovesMoney(acquirer), 'answer swallowed', (each) =>
        charge(each, orderWithCard(acquirer.cards.charged)),
      )
      const { orderCode } = result.sent
      ours.add(orderCode)
      expected.push(chargeLine(orderCode))
      await settle()
      const { gateway } = await connect(t, acquirer)
      assert.deepEqual((await read(gateway)).map(named).toSorted(), expected.toSorted())
    })

    test('the statements of two periods that meet have every movement once, wherever they meet', async (t) => {
      const { gateway } = await connect(t, acquirer)
      const whole = wholePeriod()
      const lines = await read(gateway, whole)
      const meetings = [...new Set(lines.map(({ movedAt }) => movedAt))].toSorted((a, b) => a - b)
      assert.ok(meetings.length > 0, 'an empty statement')
      for (const at of meetings) {
        const earlier = await read(gateway, { from: whole.from, to: at })
        const later = await read(gateway, { from: at, to: whole.to })
        for (const { movedAt } of earlier) assert.ok(movedAt < at)
        for (const { movedAt } of later) assert.ok(movedAt >= at)
        assert.deepEqual([...earlier, ...later].map(named).toSorted(), lines.map(named).toSorted())
      }
      assert.deepEqual(await read(gateway, { from: whole.from - 60_000, to: whole.from }), [])
    })

    test('a page that fails is unknown, and is the same page when it is asked for again', async (t) => {
      const { gateway, faults } = await connect(t, acquirer)
      const period = wholePeriod()
      const whole = (await readPages(gateway, period)).flat().map(named)
      for (const fault of ['dropped before the acquirer', 'answer swallowed', '5xx before booking'] as const)
        for (const failing of [0, 1]) {
          const lines: string[] = []
          for (let [cursor, page]: [string | null, number] = [null, 0]; ; page += 1) {
            if (page === failing) {
              faults.meetNext(() => true, fault)
              const failed = await gateway.statement(period, cursor)
              assert.ok(faults.isMet(), 'the page was not asked for')
              assert.equal(failed.outcome, 'unknown', `${fault} at page ${page}`)
            }
            const answered: Awaited<ReturnType<Gateway['statement']>> = await gateway.statement(period, cursor)
            if (answered.outcome === 'unknown') assert.fail(answered.why)
            lines.push(...answered.lines.map(named))
            if (answered.after === null) break
            cursor = answered.after
          }
          assert.deepEqual(lines, whole)
        }
    })
  })
}
