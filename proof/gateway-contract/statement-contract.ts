/** Statement contract: what an adapter's statement must contain before our ledger can be reconciled with it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { StatementLine } from '#payment/ports.ts'
import { AMOUNT_YEN, orderWithCard, type ContractCards, type GatewayUnderTest } from './gateway-contract.ts'

/** The most orders that a gateway under this contract lists on one page. */
export const STATEMENT_PAGE_SIZE = 3

const charged = (orderCode: string, ...refunds: [refundId: string, amountYen: number][]): StatementLine => ({
  orderCode,
  chargedYen: AMOUNT_YEN,
  refunds: refunds.map(([refundId, amountYen]) => ({ refundId, amountYen })),
})

export const testStatementContract = (name: string, open: () => Promise<GatewayUnderTest>): void => {
  describe(`the statement of ${name}`, () => {
    let tested: GatewayUnderTest
    before(async () => {
      tested = await open()
    })
    after(() => tested.stop())

    const charge = async (kind: keyof ContractCards): Promise<string> => {
      const order = orderWithCard(tested.cards[kind])
      await tested.gateway.charge(order)
      return order.orderCode
    }

    const readPages = async (): Promise<StatementLine[][]> => {
      const pages: StatementLine[][] = []
      let cursor: string | null = null
      do {
        const page = await tested.gateway.statement(cursor)
        if (page.outcome === 'unknown') assert.fail(page.why)
        pages.push([...page.lines])
        cursor = page.after
      } while (cursor !== null)
      return pages
    }

    test('is one empty page before anything was charged', async () => {
      assert.deepEqual(await readPages(), [[]])
    })

    test('lists every charge once, over more than one page, with its refunds', async () => {
      const orders: string[] = []
      for (let count = 0; count <= STATEMENT_PAGE_SIZE; count += 1) orders.push(await charge('charged'))
      const [partly = '', wholly = '', ...untouched] = orders
      const part = (refundId: string, amountYen: number) =>
        tested.gateway.refund({ orderCode: partly, refundId, amountYen })
      assert.equal((await part('a', 1)).outcome, 'refunded')
      assert.equal((await part('b', 979)).outcome, 'refunded')
      assert.equal((await part('above', AMOUNT_YEN)).outcome, 'refused')
      await tested.gateway.refund({ orderCode: wholly, refundId: 'all', amountYen: AMOUNT_YEN })
      const pages = await readPages()
      assert.ok(pages.length > 1, 'one page shows nothing about paging')
      for (const page of pages) assert.ok(page.length <= STATEMENT_PAGE_SIZE)
      assert.deepEqual(pages.flat(), [
        charged(partly, ['a', 1], ['b', 979]),
        charged(wholly, ['all', AMOUNT_YEN]),
        ...untouched.map((orderCode) => charged(orderCode)),
      ])
    })

    test('lists a charge whose answer was lost, and nothing that moved no money', async () => {
      const known = (await readPages()).flat()
      await charge('declined')
      await charge('connectionLost')
      const unanswered = await charge('chargedThenServerError')
      await charge('serverError')
      await tested.gateway.fence(orderWithCard(tested.cards.charged).orderCode)
      assert.deepEqual((await readPages()).flat(), [...known, charged(unanswered)])
    })
  })
}
