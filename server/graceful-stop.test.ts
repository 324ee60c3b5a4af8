import assert from 'node:assert/strict'
import http from 'node:http'
import { test } from 'node:test'
import { systemClock } from './parts.ts'
import { countingGateway } from '../proof/harness/counting-gateway.ts'
import { isTaken } from '../proof/harness/server-process.ts'
import { CARD, openShop } from '../proof/harness/shop.ts'

test('a server that is told to end during a payment ends with its answer, however long the caller would stay', async (t) => {
  const gateway = countingGateway()
  const shop = await openShop({ gateway })
  const checkout = await shop.create()
  const order = await shop.start(checkout)
  const [began, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { charge } = gateway
  t.mock.method(gateway, 'charge', async (...asked: Parameters<typeof charge>) => {
    began.resolve()
    await release.promise
    return charge(...asked)
  })
  const { port } = new URL(await shop.app.listen({ port: 0, host: '127.0.0.1' }))
  const agent = new http.Agent({ keepAlive: true })
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
  const closed = shop.app.close()
  while (await isTaken(port)) await systemClock.sleep(5)
  release.resolve()
  const answer = (await answered.promise).resume()
  assert.deepEqual([answer.statusCode, answer.headers.connection], [200, 'close'])
  await closed
  agent.destroy()
})
