/** Charge contract: charges, inquiries and fences without a fault, and when the acquirer's reference is remembered. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { EXPIRY_YEAR_MAX } from '#contract/card.ts'
import type { Gateway, Readiness } from '#payment/ports.ts'
import { systemClock } from '../../server/dependencies.ts'
import {
  AMOUNT_YEN,
  charge,
  chargeNewOrder,
  connect,
  orderWithCard,
  sentOrder,
  stepThatMovesMoney,
  type AcquirerUnderTest,
} from './gateway-under-test.ts'
import { assertTrue, refundOf, settleCharge } from './settle.ts'

const NOTHING = { chargedYen: 0, refundedYen: 0 }
const ONE_CHARGE = { chargedYen: AMOUNT_YEN, refundedYen: 0 }

/** The readiness check has a short time limit, which every other test of this suite may use up: it is asked for half a minute. */
const readinessOf = async (gateway: Gateway): Promise<Readiness> => {
  let readiness = await gateway.ready()
  for (let tries = 0; readiness === 'silent' && tries < 60; tries += 1) readiness = await gateway.ready()
  return readiness
}

/** A test beside this one lets a pending payment end, for which a minute passes at the double. */
const CLOCKS_DIFFER_MS = 600_000

export const testChargeContract = (name: string, opened: () => AcquirerUnderTest, concurrency: number): void => {
  describe(`charges through ${name}`, { concurrency }, () => {
    let acquirer: AcquirerUnderTest
    before(() => {
      acquirer = opened()
    })

    test('a charge is answered with the acquirer’s own id and time, and an inquiry with the remembered reference returns the same', async (t) => {
      const began = systemClock.now()
      const { gateway, faults } = await connect(t, acquirer)
      const { outcome, sent } = await charge({ gateway, faults }, orderWithCard(acquirer.cards.charged))
      if (outcome.outcome !== 'charged') assert.fail(outcome.outcome)
      assert.equal(outcome.amountYen, AMOUNT_YEN)
      assert.notEqual(outcome.transactionId, '')
      assert.ok(Math.abs(outcome.approvedAt - began) < CLOCKS_DIFFER_MS)
      const asked = await (await connect(t, acquirer)).gateway.inquire(sent)
      if (asked.outcome !== 'charged') assert.fail(asked.outcome)
      // Of a receipt by inquiry the time may be that of the answer, where the acquirer tells none.
      assert.deepEqual({ ...asked, approvedAt: 0 }, { ...outcome, approvedAt: 0 })
      assert.ok(Math.abs(asked.approvedAt - outcome.approvedAt) < CLOCKS_DIFFER_MS)
      assert.deepEqual(await acquirer.orderAtAcquirer(sent.orderCode), ONE_CHARGE)
    })

    test('the reference is remembered exactly once, before any request that can move money', async (t) => {
      const { gateway, faults } = await connect(t, acquirer)
      const sentBefore: number[] = []
      const outcome = await gateway.charge(orderWithCard(acquirer.cards.charged), async () => {
        sentBefore.push(faults.calls.length)
        return true
      })
      assert.equal(outcome.outcome, 'charged')
      const [remembered = -1] = sentBefore
      assert.equal(sentBefore.length, 1)
      const moving = acquirer.chargeSteps.filter(({ movesMoney }) => movesMoney)
      assert.ok(moving.length > 0)
      for (const { name: step, matches } of moving) {
        const at = faults.calls.findIndex(matches)
        assert.ok(at >= remembered, `${step} is request ${at}, remembered before request ${remembered}`)
      }
      // The steps are all that a charge sends: a fault at each of them is a fault everywhere.
      for (const { name: step, matches } of acquirer.chargeSteps)
        assert.equal(faults.calls.filter(matches).length, 1, step)
      assert.equal(faults.calls.length, acquirer.chargeSteps.length)
    })

    test('a reference that cannot be remembered moves no money, and the answer is not charged', async (t) => {
      const { gateway, faults } = await connect(t, acquirer)
      const order = orderWithCard(acquirer.cards.charged)
      assert.partialDeepStrictEqual(await gateway.charge(order, async () => false), { outcome: 'not_charged' })
      for (const { name: step, matches, movesMoney } of acquirer.chargeSteps)
        if (movesMoney) assert.ok(!faults.calls.some(matches), step)
      await faults.repeatAll()
      await assertTrue(acquirer, order, { outcome: 'not_charged' }, 'after all requests came again')
    })

    test('a store that fails while it remembers moves no money', async (t) => {
      const { gateway, faults } = await connect(t, acquirer)
      const order = orderWithCard(acquirer.cards.charged)
      await gateway.charge(order, () => Promise.reject(new Error('the disk is full'))).catch(() => null)
      for (const { name: step, matches, movesMoney } of acquirer.chargeSteps)
        if (movesMoney) assert.ok(!faults.calls.some(matches), step)
      assert.deepEqual(await acquirer.orderAtAcquirer(order.orderCode), NOTHING)
    })

    test('a declined charge is declined, and an inquiry finds no charge', async (t) => {
      const connection = await connect(t, acquirer)
      const { outcome, sent } = await charge(connection, orderWithCard(acquirer.cards.declined))
      assert.equal(outcome.outcome, 'declined')
      const settled = await settleCharge(connection, acquirer, sent)
      assert.notEqual(settled.outcome, 'charged')
      await assertTrue(acquirer, sent, settled, 'after a decline')
    })

    test('a card that expires in the last year we accept gets a clear answer: refused as malformed, it would be in doubt', async (t) => {
      const connection = await connect(t, acquirer)
      const order = orderWithCard(acquirer.cards.charged)
      const card = { ...order.card, expiryMonth: 12, expiryYear: EXPIRY_YEAR_MAX }
      const { outcome, sent } = await charge(connection, { ...order, card })
      if (outcome.outcome === 'unknown') assert.fail(outcome.why)
      t.diagnostic(`${name}: a card that expires in ${EXPIRY_YEAR_MAX} is ${outcome.outcome}`)
      await assertTrue(acquirer, sent, outcome, 'for a card of the last year')
    })

    test('the least and the most that the acquirer takes are charged, and less or more is refused without a doubt', async (t) => {
      const { minYen, maxYen } = acquirer.limits
      const connection = await connect(t, acquirer)
      for (const amountYen of [minYen, maxYen]) {
        const sent = await chargeNewOrder(connection, acquirer, amountYen)
        assert.equal((await acquirer.orderAtAcquirer(sent.orderCode)).chargedYen, amountYen)
      }
      // Less than one yen is no amount, so it is never sent.
      if (minYen === 1) return
      const { outcome, sent } = await charge(connection, orderWithCard(acquirer.cards.charged, minYen - 1))
      assert.equal(outcome.outcome, 'declined')
      assert.deepEqual(await acquirer.orderAtAcquirer(sent.orderCode), NOTHING)
    })

    test('two charges of one order at once are one charge at most, and none of their answers is wrong', async (t) => {
      const connections = [await connect(t, acquirer), await connect(t, acquirer)]
      const order = orderWithCard(acquirer.cards.charged)
      const charges = await Promise.all(connections.map((each) => charge(each, order)))
      const reference = charges.map(({ sent }) => sent.reference).find((each) => each !== null) ?? null
      const settled = await settleCharge(await connect(t, acquirer), acquirer, sentOrder(order, reference))
      await assertTrue(acquirer, order, settled, 'after two charges at once')
      for (const { outcome } of charges)
        if (outcome.outcome === 'charged') assert.equal(settled.outcome, 'charged', 'one said charged')
    })

    test('the same order charged again, after it was charged, is not charged twice', async (t) => {
      const connection = await connect(t, acquirer)
      const order = orderWithCard(acquirer.cards.charged)
      const first = await charge(connection, order)
      const again = await charge(await connect(t, acquirer), order)
      if (first.outcome.outcome !== 'charged') assert.fail(first.outcome.outcome)
      assert.ok(again.outcome.outcome === 'charged' || again.outcome.outcome === 'unknown', again.outcome.outcome)
      await assertTrue(acquirer, order, first.outcome, 'and charged again')
    })

    test('an order that the acquirer never received is not found, and can be fenced', async (t) => {
      const { gateway } = await connect(t, acquirer)
      const sent = sentOrder(orderWithCard(acquirer.cards.charged), null)
      assert.deepEqual(await gateway.inquire(sent), { outcome: 'not_found' })
      for (let count = 0; count < 2; count += 1) assert.deepEqual(await gateway.fence(sent), { outcome: 'fenced' })
      assert.deepEqual(await acquirer.orderAtAcquirer(sent.orderCode), NOTHING)
    })

    test('an order that was fenced by its order code cannot be charged afterwards', async (t) => {
      const connection = await connect(t, acquirer)
      const order = orderWithCard(acquirer.cards.charged)
      assert.deepEqual(await connection.gateway.fence(sentOrder(order, null)), { outcome: 'fenced' })
      const kept = acquirer.keeps['a fence by our own order code']
      if (kept === true) {
        assert.deepEqual((await charge(connection, order)).outcome, { outcome: 'not_charged' })
        assert.deepEqual(await connection.gateway.inquire(sentOrder(order, null)), { outcome: 'not_charged' })
      } else {
        t.diagnostic(`${name} does not keep "a fence by our own order code": ${kept}`)
        // Our row has ended with the fence, so it remembers no reference any more, and without one no money moves.
        const late = await connection.gateway.charge(order, async () => false)
        assert.partialDeepStrictEqual(late, { outcome: 'not_charged' })
      }
      assert.deepEqual(await acquirer.orderAtAcquirer(order.orderCode), NOTHING)
    })

    test('an order that was charged cannot be fenced', async (t) => {
      const { gateway, faults } = await connect(t, acquirer)
      const sent = await chargeNewOrder({ gateway, faults }, acquirer)
      assert.deepEqual(await gateway.fence(sent), { outcome: 'exists' })
      assert.deepEqual(await acquirer.orderAtAcquirer(sent.orderCode), ONE_CHARGE)
    })

    test('a charge is found by our own order code, or nothing is charged without a stored reference', async (t) => {
      const { gateway, faults } = await connect(t, acquirer)
      const sent = await chargeNewOrder({ gateway, faults }, acquirer)
      const kept = acquirer.keeps['an inquiry by our own order code']
      const asked = await gateway.inquire({ ...sent, reference: null })
      if (kept === true) return assert.equal(asked.outcome, 'charged')
      t.diagnostic(`${name} does not keep "an inquiry by our own order code": ${kept}`)
      // That no charge is without a stored reference is the clause "remembered before any request that can move money".
      assert.notEqual(asked.outcome, 'declined')
      assert.notEqual(asked.outcome, 'not_charged')
    })

    test('a charge that is not decided at once is in doubt or charged, never refused, and cannot be fenced', async (t) => {
      const { pending } = acquirer.cards
      if (typeof pending === 'string') return t.diagnostic(`not tried with ${name}: ${pending}`)
      const connection = await connect(t, acquirer)
      const { gateway, faults } = connection
      faults.meetNext(stepThatMovesMoney(acquirer).matches, 'late')
      const { outcome, sent } = await charge(connection, orderWithCard(pending.card))
      assert.equal(outcome.outcome, 'unknown')
      // Answered when the acquirer has decided.
      const delivered = faults.deliverLate()
      let inquiry = await gateway.inquire(sent)
      while (inquiry.outcome === 'not_found') inquiry = await gateway.inquire(sent)
      assert.deepEqual(inquiry, { outcome: 'pending' })
      assert.deepEqual(await gateway.fence(sent), { outcome: 'exists' })
      await pending.end?.()
      await delivered
      const settled = await settleCharge(connection, acquirer, sent)
      assert.equal(settled.outcome, 'charged')
      await assertTrue(acquirer, sent, settled, 'after it was pending')
    })

    test('once the acquirer is down nobody is told that money moved or that it did not', async (t) => {
      const { gateway, faults } = await connect(t, acquirer)
      const kept = acquirer.keeps['readiness is asked for']
      if (kept === true) assert.equal(await readinessOf(gateway), 'ready')
      else t.diagnostic(`${name} does not keep "readiness is asked for": ${kept}`)
      const sent = await chargeNewOrder({ gateway, faults }, acquirer)
      await faults.close()
      assert.equal(await readinessOf(gateway), kept === true ? 'refused' : 'ready')
      const order = orderWithCard(acquirer.cards.charged)
      const unsent = await gateway.charge(order, async () => true)
      assert.ok(unsent.outcome === 'unknown' || unsent.outcome === 'not_charged')
      assert.equal((await gateway.inquire(sent)).outcome, 'unknown')
      assert.notEqual((await gateway.fence(sent)).outcome, 'fenced')
      const half = refundOf(sent, 'half', AMOUNT_YEN / 2)
      assert.partialDeepStrictEqual(await gateway.refund(half), { outcome: 'unknown', isSilence: true })
      assert.ok(['unknown', 'not_found'].includes((await gateway.inquireRefund(half)).outcome))
      const period = { from: 0, to: systemClock.now() + 60_000 }
      const statement = await gateway.statement(period, null)
      if (statement.outcome === 'page')
        // Read from what it has told us before: then it may not claim to be complete.
        assert.ok(statement.completeUntil !== undefined && statement.completeUntil < period.to)
    })
  })
}
