import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal } from '#contract/errors.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { openTestServer } from '../../../proof/harness/test-server.ts'
import { TEA_MERCHANT } from '../../../proof/harness/test-merchants.ts'
import { cancel } from '../cancel.ts'

const DAY_MS = 86_400_000

test('a clock that is set back by a day while a call waits for a charge does not make it wait for a day', async (t) => {
  const gateway = fakeGateway()
  const server = await openTestServer({ gateway })
  const id = await server.createCheckout()
  const order = await server.startAttempt(id)
  const [asked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { charge } = gateway
  t.mock.method(gateway, 'charge', async (...given: Parameters<typeof charge>) => {
    asked.resolve()
    await release.promise
    return charge(...given)
  })
  const paying = server.pay(id, order)
  await asked.promise

  let waitedMs = 0
  const deps = {
    ...server.deps,
    elapsed: () => waitedMs,
    clock: {
      now: () => server.clock.now() - (waitedMs > 0 ? DAY_MS : 0),
      sleep: async (ms: number) => {
        waitedMs += ms
        assert.ok(waitedMs < 60_000, 'it waits for ever')
      },
    },
  }
  const cancelled = await cancel(deps, { merchantId: TEA_MERCHANT.id, checkoutId: id })
  assert.ok(isRefusal(cancelled) && cancelled.refused === 'payment_in_progress')
  release.resolve()
  assert.equal((await paying).statusCode, 200)
})
