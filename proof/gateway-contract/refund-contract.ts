/** Refund contract: once for each refund id under every fault, in parts, never beyond what was charged. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { RefundOrder } from '#payment/ports.ts'
import { transitionRefund, type Refund, type RefundState } from '#payment/refund.ts'
import { systemClock } from '../../server/dependencies.ts'
import { CRASHES, FAULTS } from './fault-line.ts'
import {
  AMOUNT_YEN,
  charge,
  chargeNewOrder,
  connect,
  orderWithCard,
  withFault,
  type AcquirerUnderTest,
  type Connection,
} from './gateway-under-test.ts'
import { refund, refundOf, settleRefund } from './settle.ts'

const HALF_YEN = AMOUNT_YEN / 2
const PART_YEN = 980

/** Our row of a refund that was refused, in the acquirer's place: it has no next state, so it is never sent again. */
const assertRowStaysRefused = ({ orderCode, refundId, amountYen, requestedAt }: RefundOrder, reason: string): void => {
  const row: Refund = {
    merchantId: 'tea',
    checkoutId: 'checkout',
    refundId,
    orderCode,
    amountYen,
    taxes: null,
    requestedAt,
    state: { name: 'refused', reason },
  }
  const others: RefundState[] = [
    { name: 'requested', leaseUntil: requestedAt },
    { name: 'refunded', refundedAt: requestedAt },
    { name: 'refused', reason },
  ]
  for (const next of others) assert.throws(() => transitionRefund(row, next))
}

export const testRefundContract = (name: string, opened: () => AcquirerUnderTest, concurrency: number): void => {
  describe(`refunds through ${name}`, { concurrency }, () => {
    let acquirer: AcquirerUnderTest
    before(() => {
      acquirer = opened()
    })

    const refundedAtAcquirer = async (orderCode: string): Promise<number> => {
      await acquirer.notify?.()
      return (await acquirer.orderAtAcquirer(orderCode)).refundedYen
    }

    test('a charge is refunded in full once, however often the refund is requested', async (t) => {
      const connection = await connect(t, acquirer)
      const sent = await chargeNewOrder(connection, acquirer)
      const full = refundOf(sent, 'full', AMOUNT_YEN)
      const first = await refund(connection, acquirer, full)
      if (first.outcome !== 'refunded') assert.fail(first.outcome)
      assert.equal(first.amountYen, AMOUNT_YEN)
      assert.ok(Math.abs(first.refundedAt - systemClock.now()) < 60_000)
      assert.deepEqual(await refund(await connect(t, acquirer), acquirer, full), first)
      assert.deepEqual(await connection.gateway.inquireRefund(full), first)
      assert.equal(await refundedAtAcquirer(sent.orderCode), AMOUNT_YEN)
      await connection.faults.repeatAll()
      assert.equal(await refundedAtAcquirer(sent.orderCode), AMOUNT_YEN)
    })

    test('a refund sends its steps and nothing else, so that a fault at each of them is a fault everywhere', async (t) => {
      const { gateway, faults } = await connect(t, acquirer)
      const sent = await chargeNewOrder({ gateway, faults }, acquirer)
      const sentBefore = faults.calls.length
      await gateway.refund(refundOf(sent, 'half', HALF_YEN))
      const calls = faults.calls.slice(sentBefore)
      for (const { name: step, matches } of acquirer.refundSteps) assert.equal(calls.filter(matches).length, 1, step)
      assert.equal(calls.length, acquirer.refundSteps.length)
    })

    test('a charge is refunded in parts up to its last yen, and not one yen further', async (t) => {
      const connection = await connect(t, acquirer)
      const sent = await chargeNewOrder(connection, acquirer)
      const part = async (id: string, yen: number) =>
        (await refund(connection, acquirer, refundOf(sent, id, yen))).outcome
      assert.equal(await part('a', 1), 'refunded')
      assert.equal(await part('b', AMOUNT_YEN), 'refused')
      assert.equal(await part('c', AMOUNT_YEN - 1), 'refunded')
      assert.equal(await part('d', 1), 'refused')
      assert.equal(await refundedAtAcquirer(sent.orderCode), AMOUNT_YEN)
    })

    test('a refund that was never requested is not found', async (t) => {
      const connection = await connect(t, acquirer)
      const sent = await chargeNewOrder(connection, acquirer)
      const asked = await connection.gateway.inquireRefund(refundOf(sent, 'never', HALF_YEN))
      assert.deepEqual(asked, { outcome: 'not_found' })
      assert.equal(await refundedAtAcquirer(sent.orderCode), 0)
    })

    test('equal refunds that are requested at once are one refund, and none of their answers is wrong', async (t) => {
      const connection = await connect(t, acquirer)
      const sent = await chargeNewOrder(connection, acquirer)
      // The charge has room for a second half: only the refund id keeps it from being refunded.
      const half = refundOf(sent, 'half', HALF_YEN)
      const answers = await Promise.all(Array.from({ length: 5 }, () => connection.gateway.refund(half)))
      for (const { outcome } of answers) assert.ok(outcome === 'refunded' || outcome === 'unknown', outcome)
      const settled = await settleRefund(connection, acquirer, half)
      assert.partialDeepStrictEqual(settled, { outcome: 'refunded', amountYen: HALF_YEN })
      for (const answer of answers) if (answer.outcome === 'refunded') assert.deepEqual(answer, settled)
      assert.equal(await refundedAtAcquirer(sent.orderCode), HALF_YEN)
    })

    for (const fault of [...FAULTS, ...CRASHES])
      test(`a refund with "${fault}" at any of its requests is refunded once, and no answer is wrong`, async (t) => {
        const refundWithFault = async (step: AcquirerUnderTest['refundSteps'][number]): Promise<void> => {
          const at = `with ${fault} at ${step.name}`
          const charged = await chargeNewOrder(await connect(t, acquirer), acquirer)
          const half = refundOf(charged, 'half', HALF_YEN)
          const { faults, result } = await withFault(t, acquirer, step, fault, (each: Connection) =>
            each.gateway.refund(half),
          )
          assert.ok(result.outcome === 'unknown' || result.outcome === 'refunded', `${result.outcome} ${at}`)
          if (result.outcome === 'refunded') assert.equal(await refundedAtAcquirer(charged.orderCode), HALF_YEN, at)
          const settled = await settleRefund(await connect(t, acquirer), acquirer, half)
          assert.partialDeepStrictEqual(settled, { outcome: 'refunded', amountYen: HALF_YEN }, at)
          assert.equal(await refundedAtAcquirer(charged.orderCode), HALF_YEN, at)
          await faults.deliverLate()
          await faults.repeatAll()
          assert.equal(await refundedAtAcquirer(charged.orderCode), HALF_YEN, `${at}, after all requests came again`)
        }
        await Promise.all(acquirer.refundSteps.map(refundWithFault))
      })

    test('a refund above the charge is refused finally, and the amount can be refunded under another id', async (t) => {
      const connection = await connect(t, acquirer)
      const sent = await chargeNewOrder(connection, acquirer)
      const above = refundOf(sent, 'above', AMOUNT_YEN + 1)
      const refused = await refund(connection, acquirer, above)
      if (refused.outcome !== 'refused') assert.fail(refused.outcome)
      assert.equal(await refundedAtAcquirer(sent.orderCode), 0)
      const kept = acquirer.keeps['a refused refund stays refused under its id']
      if (kept === true) {
        for (const yen of [AMOUNT_YEN + 1, AMOUNT_YEN, 1])
          assert.deepEqual(await refund(connection, acquirer, refundOf(sent, 'above', yen)), refused)
      } else {
        t.diagnostic(`${name} does not keep "a refused refund stays refused under its id": ${kept}`)
        assertRowStaysRefused(above, refused.reason)
      }
      assert.equal(await refundedAtAcquirer(sent.orderCode), 0)
      assert.equal((await refund(connection, acquirer, refundOf(sent, 'whole', AMOUNT_YEN))).outcome, 'refunded')
      assert.equal(await refundedAtAcquirer(sent.orderCode), AMOUNT_YEN)
      await connection.faults.repeatAll()
      assert.equal(await refundedAtAcquirer(sent.orderCode), AMOUNT_YEN)
    })

    test('a refund id under which another amount was refunded is in doubt or says that amount, for money has moved', async (t) => {
      const connection = await connect(t, acquirer)
      const sent = await chargeNewOrder(connection, acquirer)
      const first = await refund(connection, acquirer, refundOf(sent, 'a', PART_YEN))
      assert.partialDeepStrictEqual(first, { outcome: 'refunded', amountYen: PART_YEN })
      for (const yen of [PART_YEN - 1, PART_YEN + 1, AMOUNT_YEN, AMOUNT_YEN + 1]) {
        const answer = await connection.gateway.refund(refundOf(sent, 'a', yen))
        if (answer.outcome === 'refunded') assert.equal(answer.amountYen, PART_YEN)
        else assert.equal(answer.outcome, 'unknown', `${yen} yen`)
      }
      assert.equal(await refundedAtAcquirer(sent.orderCode), PART_YEN)
    })

    test('a refund of an order that was declined gives nothing back', async (t) => {
      const connection = await connect(t, acquirer)
      const { outcome, sent } = await charge(connection, orderWithCard(acquirer.cards.declined))
      assert.equal(outcome.outcome, 'declined')
      const { reference } = sent
      // Without a reference there is no charge to name.
      if (reference === null) return
      const answer = await connection.gateway.refund(refundOf({ ...sent, reference }, 'x', 1))
      assert.notEqual(answer.outcome, 'refunded')
      assert.equal(await refundedAtAcquirer(sent.orderCode), 0)
    })
  })
}
