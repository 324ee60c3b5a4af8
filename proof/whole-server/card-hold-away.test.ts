import assert from 'node:assert/strict'
import { beforeEach, describe, test, type TestContext } from 'node:test'
import type { HoldUnavailable } from '#payment/ports.ts'
import { fakeGateway, type FakeGateway } from '../harness/fake-gateway.ts'
import { scriptedThreeDSServer, type ScriptedThreeDSServer } from '../harness/fake-three-ds-servers.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

const AWAY: HoldUnavailable = { outcome: 'unavailable', why: 'Command timed out' }

/** A shared card hold that does not answer: nothing is charged, and what was begun goes on when it is there again. */
describe('while the card hold is away', () => {
  let server: TestServer
  let gateway: FakeGateway
  let threeDS: ScriptedThreeDSServer
  beforeEach(async () => {
    gateway = fakeGateway()
    threeDS = scriptedThreeDSServer()
    server = await openTestServer({ gateway, threeDSServer: threeDS })
  })

  const away = (t: TestContext, call: 'put' | 'find') => t.mock.method(server.deps.cardHold, call, async () => AWAY)

  test('a start is refused in words, opens no attempt and asks nobody', async (t) => {
    const checkout = await server.createCheckout()
    const hold = away(t, 'put')
    const refused = await server.submitCard(checkout)
    assert.deepEqual([refused.statusCode, refused.json().code], [503, 'gateway_unavailable'])
    assert.deepEqual([await server.countAttempts(checkout), threeDS.received.starts.length], [0, 0])
    hold.mock.restore()
    assert.equal((await server.submitCard(checkout)).statusCode, 200)
  })

  test('authenticate and pay are refused, charge nothing, and go on when it is there again', async (t) => {
    const checkout = await server.createCheckout()
    const order = await server.startAttempt(checkout)
    const authenticate = () => server.sendRequest({ method: 'PATCH', url: `/api/v1/3ds/${order}/authenticate` })
    const first = away(t, 'find')
    assert.equal((await authenticate()).statusCode, 503)
    first.mock.restore()
    assert.equal((await authenticate()).statusCode, 200)
    const second = away(t, 'find')
    const refused = await server.pay(checkout, order)
    assert.deepEqual([refused.statusCode, refused.json().code, gateway.charges.length], [503, 'unavailable', 0])
    second.mock.restore()
    assert.equal((await server.pay(checkout, order)).statusCode, 200)
    assert.equal(gateway.charges.length, 1)
  })

  test('a start whose transaction fails leaves no card held', async (t) => {
    const checkout = await server.createCheckout()
    t.mock.method(server.deps.database, 'transact', async () => {
      throw new Error('the commit failed')
    })
    assert.equal((await server.submitCard(checkout)).statusCode, 500)
    assert.equal(server.deps.cardHold.size, 0)
  })
})
