import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test, type TestContext } from 'node:test'
import type { Gateway } from '#payment/ports.ts'
import { cardTestingDependencies } from '../../../proof/harness/card-testing-parts.ts'
import { virtualClock } from '../../../proof/harness/test-clocks.ts'
import { withCircuitBreaker } from '../circuit-breaker.ts'
import { AMOUNT_YEN, orderWithCard, sentOrder } from '../../../proof/gateway-contract/gateway-under-test.ts'
import { refundOf } from '../../../proof/gateway-contract/settle.ts'
import { createSandboxGateway } from './gateway.ts'

/** An acquirer that gives this answer to every request. Answers its origin. */
const startAnswering = async (
  t: TestContext,
  answer: { readonly status: number; readonly body: string },
): Promise<string> => {
  const server = createServer((incoming, outgoing) => {
    incoming.resume()
    outgoing.writeHead(answer.status).end(answer.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the acquirer has no port')
  return `http://127.0.0.1:${address.port}`
}

const order = orderWithCard('4242424242424242')
const { orderCode } = order

test('a charge whose time and transaction id cannot be read is charged at the time of its answer, by charge and by inquiry', async (t) => {
  const clock = virtualClock()
  const odd = { transactionId: 20261115, approvedAt: 20260801120000 }
  const body = JSON.stringify({ orderId: orderCode, status: 'charged', amount: AMOUNT_YEN, currency: 'JPY', ...odd })
  const gateway = createSandboxGateway(await startAnswering(t, { status: 200, body }), 1000, { clock })
  const charged = { outcome: 'charged', transactionId: `order_${orderCode}`, amountYen: AMOUNT_YEN }
  assert.deepEqual(await gateway.charge(order, async () => true), { ...charged, approvedAt: clock.now() })
  clock.advance(1234)
  assert.deepEqual(await gateway.inquire(sentOrder(order, orderCode)), { ...charged, approvedAt: clock.now() })
})

const readyAfterFiveCharges = async (t: TestContext, status: number): Promise<string> => {
  const clock = virtualClock()
  const origin = await startAnswering(t, { status, body: '{"error":"invalid_request"}' })
  const adapter: Gateway = { ...createSandboxGateway(origin, 1000), ready: async () => 'ready' }
  const gateway = withCircuitBreaker(adapter, { elapsed: clock.now, ...cardTestingDependencies(clock.now) })
  const numbers = ['4242424242424242', '5555555555554444', '3530111333300000', '378282246310005', '6011111111111117']
  for (const number of numbers)
    assert.equal((await gateway.charge(orderWithCard(number), async () => true)).outcome, 'unknown')
  return gateway.ready()
}

test('five charges that the acquirer refuses as malformed do not open the circuit breaker', async (t) => {
  for (const status of [400, 404, 409, 422, 429])
    assert.equal(await readyAfterFiveCharges(t, status), 'ready', String(status))
})

test('five charges that fail on the acquirer’s side open the circuit breaker', async (t) => {
  for (const status of [500, 503]) assert.equal(await readyAfterFiveCharges(t, status), 'refused', String(status))
})

test('a refund that is sent too fast is in doubt, not refused', async (t) => {
  for (const error of ['request_in_progress', 'rate_limited', 'try_again_later']) {
    const gateway = createSandboxGateway(
      await startAnswering(t, { status: 409, body: JSON.stringify({ error }) }),
      1000,
    )
    const outcome = await gateway.refund(refundOf({ orderCode, reference: orderCode }, 'r', 1))
    assert.deepEqual(outcome, { outcome: 'unknown', why: `HTTP 409, ${error}` })
  }
})
