import assert from 'node:assert/strict'
import http from 'node:http'
import { test } from 'node:test'
import { createDrain } from './stop.ts'
import { systemClock } from './dependencies.ts'
import { endApp } from '../proof/harness/end-server.ts'
import { fakeGateway } from '../proof/harness/fake-gateway.ts'
import { isPortTaken } from '../proof/harness/server-process.ts'
import { CARD, openTestServer } from '../proof/harness/test-server.ts'

test('a server that is stopped during a payment answers it and closes the connection, though the caller would keep it alive', async (t) => {
  const gateway = fakeGateway()
  const server = await openTestServer({ gateway })
  const checkout = await server.createCheckout()
  const order = await server.startAttempt(checkout)
  const [began, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { charge } = gateway
  t.mock.method(gateway, 'charge', async (...asked: Parameters<typeof charge>) => {
    began.resolve()
    await release.promise
    return charge(...asked)
  })
  t.after(() => endApp(server.app))
  const { port } = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }))
  const agent = new http.Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  const answered = Promise.withResolvers<http.IncomingMessage>()
  http
    .request(
      { host: '127.0.0.1', port, agent, method: 'PATCH', path: `/api/v1/checkouts/${checkout}/3ds/${order}/pay` },
      answered.resolve,
    )
    .setHeader('merchant', 'tea')
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify({ cvc: CARD.cvc, receiptEmail: CARD.email }))
  await began.promise
  const closed = server.app.close()
  while (await isPortTaken(port)) await systemClock.sleep(5)
  release.resolve()
  const answer = (await answered.promise).resume()
  assert.deepEqual([answer.statusCode, answer.headers.connection], [200, 'close'])
  await closed
})

test('a server that is told to stop is not ready at once, serves new payments with connection: close while it drains, and then stops listening', async () => {
  const [waited, release] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()]
  const drain = createDrain(30_000, async (ms) => {
    waited.resolve(ms)
    await release.promise
  })
  const server = await openTestServer({ gateway: fakeGateway(), isDraining: drain.isDraining })
  assert.equal((await server.app.inject('/readyz')).statusCode, 200)
  let isClosed = false
  const drained = drain.close({
    close: async () => {
      isClosed = true
    },
  })
  const refused = await server.app.inject('/readyz')
  assert.deepEqual([refused.statusCode, refused.headers.connection], [503, 'close'])
  assert.equal(await waited.promise, 30_000)
  const checkout = await server.createCheckout()
  const paid = await server.pay(checkout, await server.startAttempt(checkout))
  assert.deepEqual([paid.statusCode, paid.headers.connection, isClosed], [200, 'close', false])
  release.resolve()
  await drained
  assert.equal(isClosed, true)
})
