import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { StatementLine } from '#payment/ports.ts'
import { AMOUNT, orderWith, type ContractCards, type GatewayUnderTest } from './gateway-contract.ts'

/** A gateway under this contract lists so many orders on one page at most. */
export const STATEMENT_PAGE = 3

const charged = (orderCode: string, ...refunds: [refundId: string, amountYen: number][]): StatementLine => ({
  orderCode,
  chargedYen: AMOUNT,
  refunds: refunds.map(([refundId, amountYen]) => ({ refundId, amountYen })),
})

/** What an adapter's statement must hold before our ledger can be compared with it. */
export const statementContract = (name: string, open: () => Promise<GatewayUnderTest>): void => {
  describe(`the statement of ${name}`, () => {
    let tested: GatewayUnderTest
    before(async () => {
      tested = await open()
    })
    after(() => tested.stop())

    const charge = async (kind: keyof ContractCards): Promise<string> => {
      const order = orderWith(tested.cards[kind])
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

    test('has every charge once, over more than one page, with what was given back of each', async () => {
      const orders: string[] = []
      for (let count = 0; count <= STATEMENT_PAGE; count += 1) orders.push(await charge('charged'))
      const [partly = '', wholly = '', ...untouched] = orders
      const part = (refundId: string, amountYen: number) =>
        tested.gateway.refund({ orderCode: partly, refundId, amountYen })
      assert.equal((await part('a', 1)).outcome, 'refunded')
      assert.equal((await part('b', 979)).outcome, 'refunded')
      assert.equal((await part('above', AMOUNT)).outcome, 'refused')
      await tested.gateway.refund({ orderCode: wholly, refundId: 'all', amountYen: AMOUNT })
      const pages = await readPages()
      assert.ok(pages.length > 1, 'one page shows nothing about paging')
      for (const page of pages) assert.ok(page.length <= STATEMENT_PAGE)
      assert.deepEqual(pages.flat(), [
        charged(partly, ['a', 1], ['b', 979]),
        charged(wholly, ['all', AMOUNT]),
        ...untouched.map((orderCode) => charged(orderCode)),
      ])
    })

    test('has what was charged in silence, and nothing that moved no money', async () => {
      const known = (await readPages()).flat()
      await charge('declined')
      await charge('dropped')
      const booked = await charge('bookedThenFailed')
      await charge('failed')
      await tested.gateway.fence(orderWith(tested.cards.charged).orderCode)
      assert.deepEqual((await readPages()).flat(), [...known, charged(booked)])
    })
  })
}
