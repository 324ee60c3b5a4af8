/** Refund contract: the tests that every acquirer's adapter must pass before it may refund. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { AMOUNT_YEN, CHARGED_ORDER, chargeNewOrder, orderWithCard, type GatewayUnderTest } from './gateway-contract.ts'

export const testRefundContract = (name: string, open: () => Promise<GatewayUnderTest>): void => {
  describe(`refunds through ${name}`, { concurrency: true }, () => {
    let tested: GatewayUnderTest
    before(async () => {
      tested = await open()
    })
    after(() => tested.stop())

    test('a charge is refunded in full once, however often the refund is requested', async () => {
      const orderCode = await chargeNewOrder(tested)
      const refund = { orderCode, refundId: 'full', amountYen: AMOUNT_YEN }
      const first = await tested.gateway.refund(refund)
      if (first.outcome !== 'refunded') assert.fail(first.outcome)
      assert.equal(first.amountYen, AMOUNT_YEN)
      assert.deepEqual(await tested.gateway.refund(refund), first)
      assert.deepEqual(await tested.gateway.inquireRefund(refund), first)
      assert.equal((await tested.orderAtAcquirer(orderCode))?.refundedYen, AMOUNT_YEN)
    })

    test('a charge is refunded in parts up to its last yen, and not one yen further', async () => {
      const orderCode = await chargeNewOrder(tested)
      const part = (refundId: string, amountYen: number) => tested.gateway.refund({ orderCode, refundId, amountYen })
      assert.equal((await part('a', 1)).outcome, 'refunded')
      assert.equal((await part('b', AMOUNT_YEN)).outcome, 'refused')
      assert.equal((await part('c', AMOUNT_YEN - 1)).outcome, 'refunded')
      assert.equal((await part('d', 1)).outcome, 'refused')
      assert.equal((await tested.orderAtAcquirer(orderCode))?.refundedYen, AMOUNT_YEN)
    })

    test('equal refunds that are requested at once are one refund, and all get the same answer', async () => {
      const orderCode = await chargeNewOrder(tested)
      // The charge has room for a second half: only the refund id keeps it from being refunded.
      const half = { orderCode, refundId: 'half', amountYen: AMOUNT_YEN / 2 }
      const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => tested.gateway.refund(half)))
      assert.equal(first?.outcome, 'refunded')
      for (const other of others) assert.deepEqual(other, first)
      assert.deepEqual(await tested.gateway.inquireRefund(half), first)
      assert.equal((await tested.orderAtAcquirer(orderCode))?.refundedYen, AMOUNT_YEN / 2)
    })

    test('a refund that was refused is refused for ever under that id, so that the amount can be refunded under another id', async () => {
      const orderCode = await chargeNewOrder(tested)
      const part = (refundId: string, amountYen: number) => tested.gateway.refund({ orderCode, refundId, amountYen })
      const refused = await part('a', AMOUNT_YEN + 1)
      assert.equal(refused.outcome, 'refused')
      for (const amountYen of [AMOUNT_YEN + 1, AMOUNT_YEN, 1]) assert.deepEqual(await part('a', amountYen), refused)
      assert.deepEqual(await tested.gateway.inquireRefund({ orderCode, refundId: 'a' }), { outcome: 'not_found' })
      assert.deepEqual(await tested.orderAtAcquirer(orderCode), CHARGED_ORDER)
      assert.equal((await part('b', AMOUNT_YEN)).outcome, 'refunded')
      assert.deepEqual(await part('a', 1), refused)
      assert.equal((await tested.orderAtAcquirer(orderCode))?.refundedYen, AMOUNT_YEN)
    })

    test('a refund id under which another amount was refunded is in doubt, for money has moved', async () => {
      const orderCode = await chargeNewOrder(tested)
      const part = (amountYen: number) => tested.gateway.refund({ orderCode, refundId: 'a', amountYen })
      const first = await part(980)
      assert.equal(first.outcome, 'refunded')
      for (const amountYen of [979, 981, AMOUNT_YEN, AMOUNT_YEN + 1])
        assert.equal((await part(amountYen)).outcome, 'unknown')
      assert.deepEqual(await tested.gateway.inquireRefund({ orderCode, refundId: 'a' }), first)
      assert.equal((await tested.orderAtAcquirer(orderCode))?.refundedYen, 980)
    })

    test('a refund above the charge is refused, and so is one of an order that was never charged', async () => {
      const orderCode = await chargeNewOrder(tested)
      const above = { orderCode, refundId: 'above', amountYen: AMOUNT_YEN + 1 }
      assert.equal((await tested.gateway.refund(above)).outcome, 'refused')
      assert.deepEqual(await tested.gateway.inquireRefund(above), { outcome: 'not_found' })
      assert.deepEqual(await tested.orderAtAcquirer(orderCode), CHARGED_ORDER)
      const declined = orderWithCard(tested.cards.declined)
      assert.equal((await tested.gateway.charge(declined)).outcome, 'declined')
      const ofNothing = { orderCode: declined.orderCode, refundId: 'x', amountYen: 1 }
      assert.equal((await tested.gateway.refund(ofNothing)).outcome, 'refused')
    })
  })
}
