import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { EXPIRY_YEAR_MAX } from '#contract/card.ts'
import type { ChargeOrder, Gateway } from '#payment/ports.ts'
import { systemClock, systemRandom } from '../../server/dependencies.ts'
import { cardWithNumber } from '../harness/cards.ts'

/** Card numbers that make an acquirer's test environment behave in each of these ways. */
export interface ContractCards {
  readonly charged: string
  readonly declined: string
  /** Charged, but no answer comes. */
  readonly chargedWithoutAnswer: string
  /** The connection is lost and nothing is charged. */
  readonly connectionLost: string
  /** Charged, but answered with a 5xx. */
  readonly chargedThenServerError: string
  /** Answered with a 5xx, and nothing is charged. */
  readonly serverError: string
  /** The connection is lost, the acquirer does not find the order for a while, and then charges it. */
  readonly chargedLate: string
}

/** An order in the acquirer's own records. */
export interface OrderAtAcquirer {
  readonly status: string
  readonly chargedYen: number
  readonly refundedYen: number
}

export interface GatewayUnderTest {
  readonly gateway: Gateway
  readonly cards: ContractCards
  /** Read without the adapter, so that a wrong answer of the adapter cannot hide. */
  orderAtAcquirer(orderCode: string): Promise<OrderAtAcquirer | undefined>
  stop(): Promise<void>
}

export const AMOUNT_YEN = 1980
export const CHARGED_ORDER: OrderAtAcquirer = { status: 'charged', chargedYen: AMOUNT_YEN, refundedYen: 0 }

export const orderWithCard = (number: string): ChargeOrder => ({
  orderCode: systemRandom.id(),
  amountYen: AMOUNT_YEN,
  card: cardWithNumber(number),
  cvc: '737',
  clearance: { by: 'exemption', reason: 'not_enrolled' },
})

/** Charges a new order and returns its order code. */
export const chargeNewOrder = async ({ gateway, cards }: GatewayUnderTest): Promise<string> => {
  const order = orderWithCard(cards.charged)
  assert.equal((await gateway.charge(order)).outcome, 'charged')
  return order.orderCode
}

/** An unknown outcome that the circuit breaker counts: no answer, or a 5xx. */
const assertCountedAsUnanswered = (result: { readonly outcome: string }): void =>
  assert.partialDeepStrictEqual(result, { outcome: 'unknown', isSilence: true })

/** Gateway contract: the tests that every acquirer's adapter must pass against that acquirer before money depends on it. */
export const testGatewayContract = (name: string, open: () => Promise<GatewayUnderTest>): void => {
  describe(`${name} as a gateway`, { concurrency: true }, () => {
    let tested: GatewayUnderTest
    before(async () => {
      tested = await open()
    })
    after(() => tested.stop())

    const charge = async (kind: keyof ContractCards) => {
      const order = orderWithCard(tested.cards[kind])
      return { order, outcome: await tested.gateway.charge(order) }
    }

    const waitUntilCharged = async (orderCode: string): Promise<void> => {
      const deadline = systemClock.now() + 20_000
      while ((await tested.orderAtAcquirer(orderCode))?.status !== 'charged') {
        if (systemClock.now() > deadline) assert.fail('the late charge was never made')
        await systemClock.sleep(50)
      }
    }

    test('a charge is answered with the acquirer’s own transaction id and time, and an inquiry returns the same', async () => {
      const began = systemClock.now()
      const { order, outcome } = await charge('charged')
      if (outcome.outcome !== 'charged') assert.fail(outcome.outcome)
      assert.equal(outcome.amountYen, AMOUNT_YEN)
      assert.notEqual(outcome.transactionId, '')
      assert.ok(Math.abs(outcome.approvedAt - began) < 60_000)
      assert.deepEqual(await tested.gateway.inquire(order.orderCode), outcome)
      assert.deepEqual(await tested.orderAtAcquirer(order.orderCode), CHARGED_ORDER)
    })

    test('a card that expires in the last year we accept is charged: refused as malformed, it would be in doubt', async () => {
      const order = orderWithCard(tested.cards.charged)
      const card = { ...order.card, expiryMonth: 12, expiryYear: EXPIRY_YEAR_MAX }
      assert.equal((await tested.gateway.charge({ ...order, card })).outcome, 'charged')
    })

    test('a declined charge is declined, and an inquiry finds it declined', async () => {
      const { order, outcome } = await charge('declined')
      assert.equal(outcome.outcome, 'declined')
      assert.deepEqual(await tested.gateway.inquire(order.orderCode), outcome)
      assert.equal((await tested.orderAtAcquirer(order.orderCode))?.status, 'declined')
    })

    test('an order that the acquirer never received is not found, and an inquiry does not create it', async () => {
      const { orderCode } = orderWithCard(tested.cards.charged)
      assert.deepEqual(await tested.gateway.inquire(orderCode), { outcome: 'not_found' })
      assert.equal(await tested.orderAtAcquirer(orderCode), undefined)
    })

    test('the same order charged twice, one after the other or at once, is one charge', async () => {
      const order = orderWithCard(tested.cards.charged)
      const first = await tested.gateway.charge(order)
      assert.equal(first.outcome, 'charged')
      const again = await Promise.all([tested.gateway.charge(order), tested.gateway.charge(order)])
      assert.deepEqual(again, [first, first])
      assert.deepEqual(await tested.orderAtAcquirer(order.orderCode), CHARGED_ORDER)
    })

    test('a fenced order can never be charged, and an inquiry finds it void', async () => {
      const order = orderWithCard(tested.cards.charged)
      assert.deepEqual(await tested.gateway.fence(order.orderCode), { outcome: 'fenced' })
      assert.deepEqual(await tested.gateway.charge(order), { outcome: 'not_charged' })
      assert.deepEqual(await tested.gateway.inquire(order.orderCode), { outcome: 'not_charged' })
      assert.deepEqual(await tested.gateway.fence(order.orderCode), { outcome: 'fenced' })
      assert.deepEqual(await tested.orderAtAcquirer(order.orderCode), { status: 'void', chargedYen: 0, refundedYen: 0 })
    })

    test('an order that was charged cannot be fenced', async () => {
      const orderCode = await chargeNewOrder(tested)
      assert.deepEqual(await tested.gateway.fence(orderCode), { outcome: 'exists' })
      assert.deepEqual(await tested.orderAtAcquirer(orderCode), CHARGED_ORDER)
    })

    test('a charge whose answer does not come in time is in doubt, and the inquiry finds it', async () => {
      const { order, outcome } = await charge('chargedWithoutAnswer')
      assertCountedAsUnanswered(outcome)
      assert.equal((await tested.gateway.inquire(order.orderCode)).outcome, 'charged')
      assert.deepEqual(await tested.orderAtAcquirer(order.orderCode), CHARGED_ORDER)
    })

    test('a charge whose connection is lost is in doubt, and the inquiry finds nothing', async () => {
      const { order, outcome } = await charge('connectionLost')
      assertCountedAsUnanswered(outcome)
      assert.deepEqual(await tested.gateway.inquire(order.orderCode), { outcome: 'not_found' })
      assert.equal(await tested.orderAtAcquirer(order.orderCode), undefined)
    })

    test('a charge answered with a 5xx is in doubt, whether the acquirer charged it or not', async () => {
      const charged = await charge('chargedThenServerError')
      const lost = await charge('serverError')
      assertCountedAsUnanswered(charged.outcome)
      assertCountedAsUnanswered(lost.outcome)
      assert.equal((await tested.gateway.inquire(charged.order.orderCode)).outcome, 'charged')
      assert.deepEqual(await tested.gateway.inquire(lost.order.orderCode), { outcome: 'not_found' })
      assert.deepEqual(await tested.orderAtAcquirer(charged.order.orderCode), CHARGED_ORDER)
      assert.equal(await tested.orderAtAcquirer(lost.order.orderCode), undefined)
    })

    /** A busy machine may be too slow to fence an order before its late charge; then another one is tried. */
    const fenceBeforeLateCharge = async (triesLeft = 5): Promise<string> => {
      const { order, outcome } = await charge('chargedLate')
      assert.equal(outcome.outcome, 'unknown')
      const inquiry = await tested.gateway.inquire(order.orderCode)
      const fencing = await tested.gateway.fence(order.orderCode)
      if (inquiry.outcome === 'not_found' && fencing.outcome === 'fenced') return order.orderCode
      if (triesLeft === 0) assert.fail(`before the late charge: inquiry ${inquiry.outcome}, fence ${fencing.outcome}`)
      return fenceBeforeLateCharge(triesLeft - 1)
    }

    test('a charge request that reaches the acquirer after its order was fenced charges nothing', async () => {
      const fenced = await fenceBeforeLateCharge()
      // Sent later and not fenced: once this one is charged, the acquirer has also worked through the fenced one.
      const later = await charge('chargedLate')
      await waitUntilCharged(later.order.orderCode)
      assert.equal((await tested.orderAtAcquirer(fenced))?.status, 'void')
      assert.deepEqual(await tested.gateway.inquire(fenced), { outcome: 'not_charged' })
    })
  })

  test(`${name} is ready while it is up; once it is down every outcome is unknown`, async () => {
    const { gateway, cards, stop } = await open()
    try {
      // The readiness check has half a second; a busy machine may need more than one check.
      let readiness = await gateway.ready()
      for (let tries = 0; readiness === 'silent' && tries < 5; tries += 1) readiness = await gateway.ready()
      assert.equal(readiness, 'ready')
    } finally {
      await stop()
    }
    const order = orderWithCard(cards.charged)
    assert.equal(await gateway.ready(), 'refused')
    const { orderCode } = order
    const results = await Promise.all([
      gateway.charge(order),
      gateway.inquire(orderCode),
      gateway.fence(orderCode),
      gateway.refund({ orderCode, refundId: 'r', amountYen: 1 }),
      gateway.inquireRefund({ orderCode, refundId: 'r' }),
      gateway.statement(null),
    ])
    for (const each of results) assertCountedAsUnanswered(each)
  })
}
