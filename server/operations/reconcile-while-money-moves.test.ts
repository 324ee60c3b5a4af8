import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Gateway } from '#payment/ports.ts'
import type { Discrepancy } from '#payment/reconcile.ts'
import { accountOfAll } from '../../proof/promises/shared-account.ts'
import type { ReconciliationGateway } from './reconcile-second-pass.ts'
import { ALL_TIME } from '#payment/reconciliation-period.ts'
import { reconcile } from './reconcile.ts'
import { startSandbox, type SandboxProcess } from '../../proof/harness/sandbox-process.ts'
import { longTimeoutGateway } from '../../proof/harness/long-timeout-gateway.ts'
import { openTestServer, type TestServer } from '../../proof/harness/test-server.ts'

/** Reconciliation of payments that end while it runs. The database engine makes no difference to them. */

const BOOKED_THEN_FAILED = '4100000000756008'

let acquirer: SandboxProcess
let gateway: Gateway
let server: TestServer
let beforeCharge = async (): Promise<void> => undefined
before(async () => {
  acquirer = await startSandbox()
  gateway = longTimeoutGateway(acquirer.origin)
  const charge: Gateway['charge'] = async (order, remember) => {
    await beforeCharge()
    return gateway.charge(order, remember)
  }
  server = await openTestServer({ gateway: { ...gateway, charge } })
})
after(() => acquirer.stop())

const assertAgreed = async (charges: number, inquire: ReconciliationGateway['inquire']): Promise<void> => {
  const discrepancies: Discrepancy[] = []
  const { database } = server.deps
  const account = await accountOfAll(database, { ...gateway, inquire })
  const result = await reconcile(database, [account], ALL_TIME, (found) => discrepancies.push(found))
  assert.deepEqual(discrepancies, [])
  assert.deepEqual(result, {
    outcome: 'compared',
    charges,
    refunds: 0,
    chargebacks: 0,
    chargebackReversals: 0,
    discrepancies: 0,
    inDoubt: 0,
    unanswered: 0,
  })
}

test('a charge that is booked while reconciliation runs is no discrepancy', async () => {
  const id = await server.createCheckout()
  assert.equal((await server.pay(id, await server.startAttempt(id, BOOKED_THEN_FAILED))).statusCode, 409)
  let inquiries = 0
  await assertAgreed(1, async (order) => {
    const outcome = await gateway.inquire(order)
    inquiries += 1
    if (inquiries === 1) {
      server.clock.advance(2000)
      await server.readCheckout(id)
    }
    return outcome
  })
  assert.equal(inquiries, 2, 'it was inquired again, because its state had changed')
})

test('a charge that is booked while its inquiry gets no answer is inquired again', async () => {
  const id = await server.createCheckout()
  assert.equal((await server.pay(id, await server.startAttempt(id, BOOKED_THEN_FAILED))).statusCode, 409)
  let inquiries = 0
  await assertAgreed(2, async (order) => {
    inquiries += 1
    if (inquiries > 1) return gateway.inquire(order)
    server.clock.advance(2000)
    await server.readCheckout(id)
    return { outcome: 'unknown', why: 'no answer in time' }
  })
})

test('a charge that is made and booked after our records were read and before the inquiry is no discrepancy', async () => {
  const id = await server.createCheckout()
  const orderCode = await server.startAttempt(id)
  const claimed = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  beforeCharge = async () => {
    claimed.resolve()
    await goOn.promise
  }
  const paying = server.pay(id, orderCode)
  await claimed.promise
  await assertAgreed(3, async (order) => {
    goOn.resolve()
    assert.equal((await paying).statusCode, 200)
    return gateway.inquire(order)
  })
})
