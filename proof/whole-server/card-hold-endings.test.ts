import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { ChargeOutcome } from '#payment/ports.ts'
import { CARD_HOLD_MS } from '../../server/operations/card-hold.ts'
import { countingGateway, type CountingGateway } from '../harness/counting-gateway.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { decided, scriptedThreeDS, type ScriptedThreeDS } from '../harness/three-ds-stand-ins.ts'
import { virtualClock } from '../harness/virtual-clock.ts'
import { workOnce } from '../../server/background/worker.ts'

describe('no card is held any more', () => {
  let shop: Shop
  let gateway: CountingGateway
  let threeDS: ScriptedThreeDS
  beforeEach(async () => {
    gateway = countingGateway()
    threeDS = scriptedThreeDS()
    shop = await openShop({ gateway, threeDSServer: threeDS, clock: virtualClock() })
  })

  const patch = (url: string) => shop.call({ method: 'PATCH', url })

  /** A checkout whose card is held and may be charged. */
  const held = async (body: Parameters<Shop['create']>[0] = {}): Promise<{ checkout: string; order: string }> => {
    const checkout = await shop.create(body)
    const order = await shop.start(checkout)
    assert.equal((await patch(`/api/v1/3ds/${order}/authenticate`)).statusCode, 200)
    assert.equal(shop.parts.cardHold.size, 1)
    return { checkout, order }
  }

  const outcomes: readonly (readonly [string, ChargeOutcome | null, status: number])[] = [
    ['charged', null, 200],
    ['declined', { outcome: 'declined', reason: 'card_declined' }, 402],
    ['not carried out', { outcome: 'void' }, 409],
    ['left in doubt', { outcome: 'unknown', why: 'timeout' }, 409],
  ]
  for (const [name, outcome, status] of outcomes) {
    test(`after a payment that was ${name}`, async () => {
      const { checkout, order } = await held()
      gateway.next = outcome
      assert.equal((await shop.pay(checkout, order)).statusCode, status)
      assert.equal(shop.parts.cardHold.size, 0)
      assert.throws(() => gateway.charges[0]?.card.number.reveal(), /wiped/)
    })
  }

  test('after a payment whose adapter failed', async (t) => {
    const { checkout, order } = await held()
    t.mock.method(gateway, 'charge', async () => {
      throw new Error('the adapter failed')
    })
    assert.equal((await shop.pay(checkout, order)).statusCode, 409)
    assert.equal(shop.parts.cardHold.size, 0)
  })

  test('after the checkout was cancelled', async () => {
    const { checkout } = await held()
    assert.equal((await shop.call({ method: 'DELETE', url: `/api/v1/checkouts/${checkout}` })).statusCode, 200)
    assert.equal(shop.parts.cardHold.size, 0)
  })

  test('after the checkout’s deadline', async () => {
    const deadline = shop.clock.now() + 600_000
    await held({ validUntil: new Date(deadline).toISOString() })
    shop.clock.advance(deadline - shop.clock.now())
    await workOnce(shop.parts)
    assert.equal(shop.parts.cardHold.size, 1)
    shop.clock.advance(1)
    await workOnce(shop.parts)
    assert.equal(shop.parts.cardHold.size, 0)
  })

  test('of an attempt that another one superseded', async () => {
    const { checkout, order } = await held()
    const binding = { merchantId: 'tea-id', checkoutId: checkout, amountYen: 1980 }
    const first = shop.parts.cardHold.find({ ...binding, orderCode: order })
    const second = await shop.start(checkout)
    assert.equal(shop.parts.cardHold.size, 1)
    assert.equal(shop.parts.cardHold.find({ ...binding, orderCode: order }), undefined)
    assert.notEqual(shop.parts.cardHold.find({ ...binding, orderCode: second }), undefined)
    assert.throws(() => first?.number.reveal(), /wiped/)
  })

  test('after the issuer has refused it', async () => {
    const checkout = await shop.create()
    const order = await shop.start(checkout)
    threeDS.says.authenticate = decided('N')
    await patch(`/api/v1/3ds/${order}/authenticate`)
    assert.equal(shop.parts.cardHold.size, 0)
  })

  for (const report of ['collect-error', 'challenge-error'] as const) {
    test(`after a ${report} was reported`, async () => {
      const checkout = await shop.create()
      const order = await shop.start(checkout)
      if (report === 'challenge-error') {
        threeDS.says.authenticate = 'challenge'
        await patch(`/api/v1/3ds/${order}/authenticate`)
      }
      assert.equal((await patch(`/api/v1/3ds/${order}/${report}`)).statusCode, 200)
      assert.equal(shop.parts.cardHold.size, 0)
    })
  }

  test('after another tab has taken its place in the middle of a call, whose issuer is then not asked, and nobody is alarmed', async () => {
    const checkout = await shop.create()
    const order = await shop.start(checkout)
    const binding = { merchantId: 'tea-id', checkoutId: checkout, orderCode: order, amountYen: 1980 }
    shop.parts.cardHold.find(binding)?.number.wipe()
    const asked = threeDS.asked.authentications.length
    assert.equal((await patch(`/api/v1/3ds/${order}/authenticate`)).statusCode, 503)
    assert.equal(threeDS.asked.authentications.length, asked)
    assert.deepEqual(
      shop.logged.filter((line) => line.includes('"level":"error"')),
      [],
    )
  })

  test('after a start that nobody could answer', async () => {
    const checkout = await shop.create()
    threeDS.says.start = { outcome: 'unavailable', why: 'timeout' }
    assert.equal((await shop.submit(checkout)).statusCode, 503)
    assert.equal(shop.parts.cardHold.size, 0)
  })

  test('after fifteen minutes; a millisecond before, it can still be paid with', async () => {
    const early = await held()
    shop.clock.advance(CARD_HOLD_MS - 1)
    assert.equal((await shop.pay(early.checkout, early.order)).statusCode, 200)
    const late = await held()
    shop.clock.advance(CARD_HOLD_MS)
    const answer = await shop.pay(late.checkout, late.order)
    assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [409, 'card_not_held'])
    assert.equal(shop.parts.cardHold.size, 0)
    assert.equal(gateway.charges.length, 1)
  })

  test('after fifteen minutes in which nobody asked', async () => {
    await held()
    shop.clock.advance(CARD_HOLD_MS - 1)
    shop.parts.cardHold.sweep()
    assert.equal(shop.parts.cardHold.size, 1)
    shop.clock.advance(1)
    shop.parts.cardHold.sweep()
    assert.equal(shop.parts.cardHold.size, 0)
  })
})
