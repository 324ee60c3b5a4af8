import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { AMOUNT, CHARGED, orderWith, type GatewayUnderTest } from './gateway-contract.ts'

/** What an adapter must do before money may go back through it. */
export const refundContract = (name: string, open: () => Promise<GatewayUnderTest>): void => {
  describe(`refunds through ${name}`, { concurrency: true }, () => {
    let tested: GatewayUnderTest
    before(async () => {
      tested = await open()
    })
    after(() => tested.stop())

    const chargedOrder = async (): Promise<string> => {
      const order = orderWith(tested.cards.charged)
      assert.equal((await tested.gateway.charge(order)).outcome, 'charged')
      return order.orderCode
    }

    test('a charge is refunded in full once, however often it is asked for', async () => {
      const orderCode = await chargedOrder()
      const refund = { orderCode, refundId: 'full', amountYen: AMOUNT }
      const first = await tested.gateway.refund(refund)
      if (first.outcome !== 'refunded') assert.fail(first.outcome)
      assert.equal(first.amountYen, AMOUNT)
      assert.deepEqual(await tested.gateway.refund(refund), first)
      assert.deepEqual(await tested.gateway.inquireRefund(refund), first)
      assert.equal((await tested.booked(orderCode))?.refundedYen, AMOUNT)
    })

    test('a charge is refunded in parts up to its last yen, and not one yen further', async () => {
      const orderCode = await chargedOrder()
      const part = (refundId: string, amountYen: number) => tested.gateway.refund({ orderCode, refundId, amountYen })
      assert.equal((await part('a', 1)).outcome, 'refunded')
      assert.equal((await part('b', AMOUNT)).outcome, 'refused')
      assert.equal((await part('c', AMOUNT - 1)).outcome, 'refunded')
      assert.equal((await part('d', 1)).outcome, 'refused')
      assert.equal((await tested.booked(orderCode))?.refundedYen, AMOUNT)
    })

    test('equal refunds that are asked for at once are one refund, and all are told the same', async () => {
      const orderCode = await chargedOrder()
      // There is room for a second one: only its id can keep it from being given back.
      const half = { orderCode, refundId: 'half', amountYen: AMOUNT / 2 }
      const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => tested.gateway.refund(half)))
      assert.equal(first?.outcome, 'refunded')
      for (const other of others) assert.deepEqual(other, first)
      assert.deepEqual(await tested.gateway.inquireRefund(half), first)
      assert.equal((await tested.booked(orderCode))?.refundedYen, AMOUNT / 2)
    })

    test('a refund that was refused is refused for ever under that id, so that its money can go back under another', async () => {
      const orderCode = await chargedOrder()
      const part = (refundId: string, amountYen: number) => tested.gateway.refund({ orderCode, refundId, amountYen })
      const refused = await part('a', AMOUNT + 1)
      assert.equal(refused.outcome, 'refused')
      for (const amountYen of [AMOUNT + 1, AMOUNT, 1]) assert.deepEqual(await part('a', amountYen), refused)
      assert.deepEqual(await tested.gateway.inquireRefund({ orderCode, refundId: 'a' }), { outcome: 'not_found' })
      assert.deepEqual(await tested.booked(orderCode), CHARGED)
      assert.equal((await part('b', AMOUNT)).outcome, 'refunded')
      assert.deepEqual(await part('a', 1), refused)
      assert.equal((await tested.booked(orderCode))?.refundedYen, AMOUNT)
    })

    test('a refund id under which another amount went back is in doubt, for its money has moved', async () => {
      const orderCode = await chargedOrder()
      const part = (amountYen: number) => tested.gateway.refund({ orderCode, refundId: 'a', amountYen })
      const first = await part(980)
      assert.equal(first.outcome, 'refunded')
      for (const amountYen of [979, 981, AMOUNT, AMOUNT + 1]) assert.equal((await part(amountYen)).outcome, 'unknown')
      assert.deepEqual(await tested.gateway.inquireRefund({ orderCode, refundId: 'a' }), first)
      assert.equal((await tested.booked(orderCode))?.refundedYen, 980)
    })

    test('a refund above the charge is refused, and so is one of a charge that never was', async () => {
      const orderCode = await chargedOrder()
      const above = { orderCode, refundId: 'above', amountYen: AMOUNT + 1 }
      assert.equal((await tested.gateway.refund(above)).outcome, 'refused')
      assert.deepEqual(await tested.gateway.inquireRefund(above), { outcome: 'not_found' })
      assert.deepEqual(await tested.booked(orderCode), CHARGED)
      const declined = orderWith(tested.cards.declined)
      assert.equal((await tested.gateway.charge(declined)).outcome, 'declined')
      const ofNothing = { orderCode: declined.orderCode, refundId: 'x', amountYen: 1 }
      assert.equal((await tested.gateway.refund(ofNothing)).outcome, 'refused')
    })
  })
}
