import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { ChargeOutcome } from '#payment/ports.ts'
import { CARD_HOLD_MS } from '../../server/card-hold/memory.ts'
import { fakeGateway, type FakeGateway } from '../harness/fake-gateway.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'
import { decidedOutcome, scriptedThreeDSServer, type ScriptedThreeDSServer } from '../harness/fake-three-ds-servers.ts'
import { virtualClock } from '../harness/test-clocks.ts'
import { workOnce } from '../../server/background/worker.ts'
import { heldCard } from '../harness/cards.ts'

/** Card hold: a card is wiped from memory as soon as nobody can need it any more. */
describe('no card is held any more', () => {
  let server: TestServer
  let gateway: FakeGateway
  let threeDS: ScriptedThreeDSServer
  beforeEach(async () => {
    gateway = fakeGateway()
    threeDS = scriptedThreeDSServer()
    server = await openTestServer({ gateway, threeDSServer: threeDS, clock: virtualClock() })
  })

  const patch = (url: string) => server.sendRequest({ method: 'PATCH', url })

  /** A checkout whose card is held and may be charged. */
  const checkoutWithHeldCard = async (
    body: Parameters<TestServer['createCheckout']>[0] = {},
  ): Promise<{ checkout: string; order: string }> => {
    const checkout = await server.createCheckout(body)
    const order = await server.startAttempt(checkout)
    assert.equal((await patch(`/api/v1/3ds/${order}/authenticate`)).statusCode, 200)
    assert.equal(server.deps.cardHold.size, 1)
    return { checkout, order }
  }

  const outcomes: readonly (readonly [string, ChargeOutcome | null, status: number])[] = [
    ['charged', null, 200],
    ['declined', { outcome: 'declined', reason: 'card_declined' }, 402],
    ['not carried out', { outcome: 'not_charged' }, 409],
    ['left in doubt', { outcome: 'unknown', why: 'timeout' }, 409],
  ]
  for (const [name, outcome, status] of outcomes) {
    test(`after a payment that was ${name}`, async () => {
      const { checkout, order } = await checkoutWithHeldCard()
      gateway.chargeOutcome = outcome
      assert.equal((await server.pay(checkout, order)).statusCode, status)
      assert.equal(server.deps.cardHold.size, 0)
      assert.throws(() => gateway.charges[0]?.card.number.reveal(), /wiped/)
    })
  }

  test('after a payment whose adapter threw an error', async (t) => {
    const { checkout, order } = await checkoutWithHeldCard()
    t.mock.method(gateway, 'charge', async () => {
      throw new Error('the adapter failed')
    })
    assert.equal((await server.pay(checkout, order)).statusCode, 409)
    assert.equal(server.deps.cardHold.size, 0)
  })

  test('after the checkout was cancelled', async () => {
    const { checkout } = await checkoutWithHeldCard()
    assert.equal((await server.sendRequest({ method: 'DELETE', url: `/api/v1/checkouts/${checkout}` })).statusCode, 200)
    assert.equal(server.deps.cardHold.size, 0)
  })

  test('after a cancel whose commit failed it is held still, and after the next cancel it is not', async (t) => {
    const { checkout } = await checkoutWithHeldCard()
    const { database } = server.deps
    const commit = database.transact
    const failing = t.mock.method(database, 'transact', (work: Parameters<typeof commit>[0]) =>
      commit(async (sql) => {
        await work(sql)
        throw new Error('the commit failed')
      }),
    )
    const cancel = () => server.sendRequest({ method: 'DELETE', url: `/api/v1/checkouts/${checkout}` })
    assert.equal((await cancel()).statusCode, 500)
    assert.equal(server.deps.cardHold.size, 1)
    failing.mock.restore()
    assert.equal((await cancel()).statusCode, 200)
    assert.equal(server.deps.cardHold.size, 0)
  })

  test('after the checkout’s deadline', async () => {
    const deadline = server.clock.now() + 600_000
    await checkoutWithHeldCard({ validUntil: new Date(deadline).toISOString() })
    server.clock.advance(deadline - server.clock.now())
    await workOnce(server.deps)
    assert.equal(server.deps.cardHold.size, 1)
    server.clock.advance(1)
    await workOnce(server.deps)
    assert.equal(server.deps.cardHold.size, 0)
  })

  test('of an attempt that another one superseded', async () => {
    const { checkout, order } = await checkoutWithHeldCard()
    const binding = { merchantId: 'tea-id', checkoutId: checkout, amountYen: 1980 }
    const first = await heldCard(server.deps.cardHold, { ...binding, orderCode: order })
    const second = await server.startAttempt(checkout)
    assert.equal(server.deps.cardHold.size, 1)
    assert.equal(await heldCard(server.deps.cardHold, { ...binding, orderCode: order }), undefined)
    assert.notEqual(await heldCard(server.deps.cardHold, { ...binding, orderCode: second }), undefined)
    assert.throws(() => first?.number.reveal(), /wiped/)
  })

  test('after the issuer has refused it', async () => {
    const checkout = await server.createCheckout()
    const order = await server.startAttempt(checkout)
    threeDS.answers.authenticate = decidedOutcome('N')
    await patch(`/api/v1/3ds/${order}/authenticate`)
    assert.equal(server.deps.cardHold.size, 0)
  })

  for (const report of ['collect-error', 'challenge-error'] as const) {
    test(`after a ${report} was reported`, async () => {
      const checkout = await server.createCheckout()
      const order = await server.startAttempt(checkout)
      if (report === 'challenge-error') {
        threeDS.answers.authenticate = 'challenge'
        await patch(`/api/v1/3ds/${order}/authenticate`)
      }
      assert.equal((await patch(`/api/v1/3ds/${order}/${report}`)).statusCode, 200)
      assert.equal(server.deps.cardHold.size, 0)
    })
  }

  test('after another tab superseded it during authenticate: the issuer is not asked, and no alarm is logged', async () => {
    const checkout = await server.createCheckout()
    const order = await server.startAttempt(checkout)
    const binding = { merchantId: 'tea-id', checkoutId: checkout, orderCode: order, amountYen: 1980 }
    const card = await heldCard(server.deps.cardHold, binding)
    card?.number.wipe()
    const requestsBefore = threeDS.received.authentications.length
    assert.equal((await patch(`/api/v1/3ds/${order}/authenticate`)).statusCode, 503)
    assert.equal(threeDS.received.authentications.length, requestsBefore)
    assert.deepEqual(
      server.logLines.filter((line) => line.includes('"level":"error"')),
      [],
    )
  })

  test('after a start that the 3-D Secure server did not answer', async () => {
    const checkout = await server.createCheckout()
    threeDS.answers.start = { outcome: 'unavailable', why: 'timeout' }
    assert.equal((await server.submitCard(checkout)).statusCode, 503)
    assert.equal(server.deps.cardHold.size, 0)
  })

  test('after fifteen minutes; a millisecond before, it can still be paid with', async () => {
    const early = await checkoutWithHeldCard()
    server.clock.advance(CARD_HOLD_MS - 1)
    assert.equal((await server.pay(early.checkout, early.order)).statusCode, 200)
    const late = await checkoutWithHeldCard()
    server.clock.advance(CARD_HOLD_MS)
    const answer = await server.pay(late.checkout, late.order)
    assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [409, 'card_not_held'])
    assert.equal(server.deps.cardHold.size, 0)
    assert.equal(gateway.charges.length, 1)
  })

  test('after fifteen minutes without any call', async () => {
    await checkoutWithHeldCard()
    server.clock.advance(CARD_HOLD_MS - 1)
    server.deps.cardHold.sweep()
    assert.equal(server.deps.cardHold.size, 1)
    server.clock.advance(1)
    server.deps.cardHold.sweep()
    assert.equal(server.deps.cardHold.size, 0)
  })
})
