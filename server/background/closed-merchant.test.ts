import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { statusAndCode, type ErrorBody } from '../../proof/harness/error-answers.ts'
import { fakeGateway, type FakeGateway } from '../../proof/harness/fake-gateway.ts'
import { virtualClock } from '../../proof/harness/test-clocks.ts'
import { API_KEYS, TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { readPageBuild, type PageBuild } from '../http/page-build.ts'
import { closeMerchant } from '../store/merchant/merchants.ts'
import { refundsOfCheckout } from '../store/checkout/refunds.ts'
import { workOnce } from './worker.ts'

const MINUTE_MS = 60_000

describe('a merchant that is closed', () => {
  onBothDatabases(({ open }) => {
    let server: TestServer
    let build: PageBuild
    let gateway: FakeGateway
    before(async () => {
      build = await readPageBuild()
    })
    beforeEach(async () => {
      gateway = fakeGateway()
      server = await openTestServer({ database: await open(), gateway, clock: virtualClock(), build })
    })

    /** The merchant's row is remembered for a second. */
    const close = async (): Promise<void> => {
      await closeMerchant(server.deps.database, TEA_MERCHANT.id, server.clock.now())
      server.clock.advance(1000)
    }
    const statusOf = async (id: string): Promise<string> =>
      (await server.readCheckout(id)).json<{ status: string }>().status
    /** Where its link leads: to a screen, or to the not found page. */
    const linkLeadsTo = async (path: string): Promise<string> => {
      const { statusCode, headers } = await server.app.inject({ url: path, headers: { host: 'tea.localhost:3000' } })
      return statusCode === 303 ? (headers.location ?? '') : String(statusCode)
    }
    const refund = (id: string): Promise<LightMyRequestResponse> =>
      server.app.inject({
        method: 'POST',
        url: `/merchant/v1/checkouts/${id}/refunds`,
        headers: { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` },
        payload: { refundId: 'r1' },
      })

    test('takes no new payment: a start is refused, nothing is asked of anybody, and a page that is already open reads the truth', async () => {
      const id = await server.createCheckout()
      await close()
      const answer = await server.submitCard(id)
      assert.deepEqual(statusAndCode(answer), [503, 'gateway_unavailable'])
      assert.match(answer.json<ErrorBody>().message, /takes no payments any more. Nothing was charged/)
      assert.equal(await server.countAttempts(id), 0)
      assert.equal(await statusOf(id), 'open')
      assert.deepEqual(statusAndCode(await server.submitCard('a'.repeat(32))), [404, 'checkout_not_found'])
    })

    test('shows no form that cannot be paid: a link is not found, unless its payment is made, ended or being decided', async () => {
      const open1 = await server.createCheckout()
      const cancelled = await server.createCheckout()
      await server.sendRequest({ method: 'DELETE', url: `/api/v1/checkouts/${cancelled}` })
      const paid = await server.createCheckout()
      await server.pay(paid, await server.startAttempt(paid))
      gateway.inquire = async () => ({ outcome: 'pending' })
      const inDoubt = await server.createCheckout()
      gateway.chargeOutcome = { outcome: 'unknown', why: 'no answer' }
      await server.pay(inDoubt, await server.startAttempt(inDoubt))
      const links = async (): Promise<string[]> =>
        Promise.all([open1, cancelled, paid, inDoubt].map((id) => linkLeadsTo(`/${id}`)))
      const shown = [`/${cancelled}/error`, `/${paid}/complete`, `/${inDoubt}/creditcard`]
      assert.deepEqual(await links(), [`/${open1}/creditcard`, ...shown])
      await close()
      assert.deepEqual(await links(), ['/404', ...shown])
      assert.equal(await linkLeadsTo(`/${open1}/creditcard`), '/404')
      assert.equal(await linkLeadsTo(`/${inDoubt}/creditcard`), '200')
      assert.equal(await linkLeadsTo(`/${paid}/complete`), '200')
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
      await workOnce(server.deps)
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
      await workOnce(server.deps)
      const [settled] = await refundsOfCheckout(server.deps.database, { merchantId: TEA_MERCHANT.id, checkoutId: id })
      assert.equal(settled?.state.name, 'refunded')
      assert.equal(await statusOf(id), 'refunded')
    })
  })
})
