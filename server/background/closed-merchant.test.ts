import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { statusAndCode, type ErrorBody } from '../../proof/harness/error-answers.ts'
import { fakeGateway, type FakeGateway } from '../../proof/harness/fake-gateway.ts'
import { virtualClock } from '../../proof/harness/test-clocks.ts'
import { API_KEYS, openTestServer, TEA_MERCHANT, type TestServer } from '../../proof/harness/test-server.ts'
import { closeMerchant } from '../store/merchants.ts'
import { refundsOfCheckout } from '../store/refunds.ts'
import { workOnce } from './worker.ts'

const MINUTE_MS = 60_000

describe('a merchant that is closed', () => {
  onBothDatabases(({ open }) => {
    let server: TestServer
    let gateway: FakeGateway
    beforeEach(async () => {
      gateway = fakeGateway()
      server = await openTestServer({ database: await open(), gateway, clock: virtualClock() })
    })

    /** The merchant's row is remembered for a second. */
    const close = async (): Promise<void> => {
      await closeMerchant(server.parts.database, TEA_MERCHANT.id, server.clock.now())
      server.clock.advance(1000)
    }
    const statusOf = async (id: string): Promise<string> =>
      (await server.readCheckout(id)).json<{ status: string }>().status
    const refund = (id: string): Promise<LightMyRequestResponse> =>
      server.app.inject({
        method: 'POST',
        url: `/merchant/v1/checkouts/${id}/refunds`,
        headers: { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` },
        payload: { refundId: 'r1' },
      })

    test('takes no new payment: a start is refused, nothing is asked of anybody, and the checkout stays readable', async () => {
      const id = await server.createCheckout()
      await close()
      const answer = await server.submitCard(id)
      assert.deepEqual(statusAndCode(answer), [404, 'checkout_closed'])
      assert.deepEqual(answer.json<ErrorBody>().params, { status: 'merchant_closed' })
      assert.equal(await server.countAttempts(id), 0)
      assert.equal(await statusOf(id), 'open')
      assert.deepEqual(statusAndCode(await server.submitCard('a'.repeat(32))), [404, 'checkout_not_found'])
    })

    test('does not stop a payment that was started before', async () => {
      const id = await server.createCheckout()
      const orderCode = await server.startAttempt(id)
      await close()
      assert.equal((await server.pay(id, orderCode)).statusCode, 200)
      assert.equal(await statusOf(id), 'paid')
    })

    test('has its payments in doubt settled', async () => {
      const id = await server.createCheckout()
      const orderCode = await server.startAttempt(id)
      gateway.chargeOutcome = { outcome: 'unknown', why: 'no answer' }
      assert.equal((await server.pay(id, orderCode)).statusCode, 409)
      await close()
      gateway.inquire = async () => ({ outcome: 'charged', transactionId: 't', approvedAt: 1, amountYen: 1980 })
      server.clock.advance(MINUTE_MS)
      await workOnce(server.parts)
      assert.equal(await statusOf(id), 'paid')
    })

    test('has its refunds in doubt settled, and begins no new one', async () => {
      const id = await server.createCheckout()
      assert.equal((await server.pay(id, await server.startAttempt(id))).statusCode, 200)
      assert.equal((await refund(id)).json<{ status: string }>().status, 'pending')
      await close()
      assert.deepEqual(statusAndCode(await refund(id)), [401, 'invalid_api_key'])
      gateway.inquireRefund = async () => ({ outcome: 'refunded', amountYen: 1980, refundedAt: 1 })
      server.clock.advance(MINUTE_MS)
      await workOnce(server.parts)
      const [settled] = await refundsOfCheckout(server.parts.database, { merchantId: TEA_MERCHANT.id, checkoutId: id })
      assert.equal(settled?.state.name, 'refunded')
      assert.equal(await statusOf(id), 'refunded')
    })
  })
})
