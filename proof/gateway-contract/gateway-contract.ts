import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { EXPIRY_YEAR_MAX } from '#contract/card.ts'
import type { ChargeOrder, Gateway } from '#payment/ports.ts'
import { systemClock, systemRandom } from '../../server/parts.ts'
import { cardOf } from '../harness/cards.ts'

/** The numbers with which an acquirer's test environment can be made to behave in each of these ways. */
export interface ContractCards {
  readonly charged: string
  readonly declined: string
  /** Booked, but no answer comes. */
  readonly bookedInSilence: string
  /** The connection breaks and nothing is booked. */
  readonly dropped: string
  /** Booked, but answered with a 5xx. */
  readonly bookedThenFailed: string
  /** Answered with a 5xx, and nothing is booked. */
  readonly failed: string
  /** The connection breaks, the acquirer knows nothing of the order for a while, and then books it. */
  readonly queued: string
}

/** What stands in the acquirer's own books. */
export interface Booking {
  readonly status: string
  readonly chargedYen: number
  readonly refundedYen: number
}

export interface GatewayUnderTest {
  readonly gateway: Gateway
  readonly cards: ContractCards
  /** Read past the adapter: the witness that no answer of its can talk its way round. */
  booked(orderCode: string): Promise<Booking | undefined>
  stop(): Promise<void>
}

export const AMOUNT = 1980
export const CHARGED: Booking = { status: 'charged', chargedYen: AMOUNT, refundedYen: 0 }

export const orderWith = (number: string): ChargeOrder => ({
  orderCode: systemRandom.id(),
  amountYen: AMOUNT,
  card: cardOf(number),
  cvc: '737',
  clearance: { by: 'exemption', reason: 'not_enrolled' },
})

/** A doubt that the breaker counts: nobody answered, or somebody who could not. */
const assertSilence = (said: { readonly outcome: string }): void =>
  assert.partialDeepStrictEqual(said, { outcome: 'unknown', isSilence: true })

/** What an adapter must do before money may depend on it. Each acquirer's adapter runs it against that acquirer. */
export const gatewayContract = (name: string, open: () => Promise<GatewayUnderTest>): void => {
  describe(`${name} as a gateway`, { concurrency: true }, () => {
    let tested: GatewayUnderTest
    before(async () => {
      tested = await open()
    })
    after(() => tested.stop())

    const charge = async (kind: keyof ContractCards) => {
      const order = orderWith(tested.cards[kind])
      return { order, outcome: await tested.gateway.charge(order) }
    }

    const chargedOrder = async (): Promise<string> => {
      const { order, outcome } = await charge('charged')
      assert.equal(outcome.outcome, 'charged')
      return order.orderCode
    }

    const untilBooked = async (orderCode: string): Promise<void> => {
      const deadline = systemClock.now() + 20_000
      while ((await tested.booked(orderCode))?.status !== 'charged') {
        if (systemClock.now() > deadline) assert.fail('the queued charge was never booked')
        await systemClock.sleep(50)
      }
    }

    test('a charge is answered with the acquirer’s own number and time, and an inquiry says the same', async () => {
      const began = systemClock.now()
      const { order, outcome } = await charge('charged')
      if (outcome.outcome !== 'charged') assert.fail(outcome.outcome)
      assert.equal(outcome.amountYen, AMOUNT)
      assert.notEqual(outcome.transactionId, '')
      assert.ok(Math.abs(outcome.approvedAt - began) < 60_000)
      assert.deepEqual(await tested.gateway.inquire(order.orderCode), outcome)
      assert.deepEqual(await tested.booked(order.orderCode), CHARGED)
    })

    test('a card that ends in the last year we take is charged: refused as malformed, it would be in doubt', async () => {
      const order = orderWith(tested.cards.charged)
      const card = { ...order.card, expiryMonth: 12, expiryYear: EXPIRY_YEAR_MAX }
      assert.equal((await tested.gateway.charge({ ...order, card })).outcome, 'charged')
    })

    test('a declined card is declined, and stays declined when asked about', async () => {
      const { order, outcome } = await charge('declined')
      assert.equal(outcome.outcome, 'declined')
      assert.deepEqual(await tested.gateway.inquire(order.orderCode), outcome)
      assert.equal((await tested.booked(order.orderCode))?.status, 'declined')
    })

    test('an order that the acquirer never saw is not found, and asking does not make it one', async () => {
      const { orderCode } = orderWith(tested.cards.charged)
      assert.deepEqual(await tested.gateway.inquire(orderCode), { outcome: 'not_found' })
      assert.equal(await tested.booked(orderCode), undefined)
    })

    test('the same order charged twice, one after the other or at once, is one charge', async () => {
      const order = orderWith(tested.cards.charged)
      const first = await tested.gateway.charge(order)
      assert.equal(first.outcome, 'charged')
      const again = await Promise.all([tested.gateway.charge(order), tested.gateway.charge(order)])
      assert.deepEqual(again, [first, first])
      assert.deepEqual(await tested.booked(order.orderCode), CHARGED)
    })

    test('an order that was fenced can never be charged any more, and says that it is void', async () => {
      const order = orderWith(tested.cards.charged)
      assert.deepEqual(await tested.gateway.fence(order.orderCode), { outcome: 'fenced' })
      assert.deepEqual(await tested.gateway.charge(order), { outcome: 'void' })
      assert.deepEqual(await tested.gateway.inquire(order.orderCode), { outcome: 'void' })
      assert.deepEqual(await tested.gateway.fence(order.orderCode), { outcome: 'fenced' })
      assert.deepEqual(await tested.booked(order.orderCode), { status: 'void', chargedYen: 0, refundedYen: 0 })
    })

    test('an order that was charged cannot be fenced', async () => {
      const orderCode = await chargedOrder()
      assert.deepEqual(await tested.gateway.fence(orderCode), { outcome: 'exists' })
      assert.deepEqual(await tested.booked(orderCode), CHARGED)
    })

    test('a charge whose answer does not come in time is in doubt, and the inquiry finds it', async () => {
      const { order, outcome } = await charge('bookedInSilence')
      assertSilence(outcome)
      assert.equal((await tested.gateway.inquire(order.orderCode)).outcome, 'charged')
      assert.deepEqual(await tested.booked(order.orderCode), CHARGED)
    })

    test('a charge lost with its connection is in doubt, and the inquiry finds nothing', async () => {
      const { order, outcome } = await charge('dropped')
      assertSilence(outcome)
      assert.deepEqual(await tested.gateway.inquire(order.orderCode), { outcome: 'not_found' })
      assert.equal(await tested.booked(order.orderCode), undefined)
    })

    test('a charge answered with a server’s fault is in doubt, booked or not', async () => {
      const booked = await charge('bookedThenFailed')
      const lost = await charge('failed')
      assertSilence(booked.outcome)
      assertSilence(lost.outcome)
      assert.equal((await tested.gateway.inquire(booked.order.orderCode)).outcome, 'charged')
      assert.deepEqual(await tested.gateway.inquire(lost.order.orderCode), { outcome: 'not_found' })
      assert.deepEqual(await tested.booked(booked.order.orderCode), CHARGED)
      assert.equal(await tested.booked(lost.order.orderCode), undefined)
    })

    /** A busy machine may be too slow to fence an order before it leaves the queue; then another one is tried. */
    const fenceInQueue = async (triesLeft = 5): Promise<string> => {
      const { order, outcome } = await charge('queued')
      assert.equal(outcome.outcome, 'unknown')
      const inquiry = await tested.gateway.inquire(order.orderCode)
      const fencing = await tested.gateway.fence(order.orderCode)
      if (inquiry.outcome === 'not_found' && fencing.outcome === 'fenced') return order.orderCode
      if (triesLeft === 0) assert.fail(`in the queue: inquiry ${inquiry.outcome}, fence ${fencing.outcome}`)
      return fenceInQueue(triesLeft - 1)
    }

    test('a request that arrives after its order was fenced books nothing', async () => {
      const fenced = await fenceInQueue()
      // Sent later and not fenced: once this one has come through the queue, the fenced one has been and gone.
      const later = await charge('queued')
      await untilBooked(later.order.orderCode)
      assert.equal((await tested.booked(fenced))?.status, 'void')
      assert.deepEqual(await tested.gateway.inquire(fenced), { outcome: 'void' })
    })
  })

  test(`${name} is ready while it is up; once it is down nothing is decided`, async () => {
    const { gateway, cards, stop } = await open()
    try {
      // It has half a second to say so; a busy machine may need more than one.
      let readiness = await gateway.ready()
      for (let tries = 0; readiness === 'silent' && tries < 5; tries += 1) readiness = await gateway.ready()
      assert.equal(readiness, 'ready')
    } finally {
      await stop()
    }
    const order = orderWith(cards.charged)
    assert.equal(await gateway.ready(), 'refused')
    const { orderCode } = order
    const said = await Promise.all([
      gateway.charge(order),
      gateway.inquire(orderCode),
      gateway.fence(orderCode),
      gateway.refund({ orderCode, refundId: 'r', amountYen: 1 }),
      gateway.inquireRefund({ orderCode, refundId: 'r' }),
      gateway.statement(null),
    ])
    for (const each of said) assertSilence(each)
  })
}
