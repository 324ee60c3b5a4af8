import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Gateway } from '#payment/ports.ts'
import type { Discrepancy } from '#payment/reconcile.ts'
import { reconcile, type ReconciliationGateway } from './reconcile.ts'
import { startAcquirer, type Acquirer } from '../../proof/harness/acquirer-process.ts'
import { patientGateway } from '../../proof/harness/patient-gateway.ts'
import { openShop, type Shop } from '../../proof/harness/shop.ts'

/** Payments that end while they are compared. The engine makes no difference to them. */

const BOOKED_THEN_FAILED = '4100000000756008'

let acquirer: Acquirer
let gateway: Gateway
let shop: Shop
let beforeCharge = async (): Promise<void> => undefined
before(async () => {
  acquirer = await startAcquirer()
  gateway = patientGateway(acquirer.origin)
  const charge: Gateway['charge'] = async (order) => {
    await beforeCharge()
    return gateway.charge(order)
  }
  shop = await openShop({ gateway: { ...gateway, charge } })
})
after(() => acquirer.stop())

const assertAgreed = async (charges: number, inquire: ReconciliationGateway['inquire']): Promise<void> => {
  const discrepancies: Discrepancy[] = []
  const said = await reconcile(shop.parts.database, { ...gateway, inquire }, (found) => discrepancies.push(found))
  assert.deepEqual(discrepancies, [])
  assert.deepEqual(said, { outcome: 'compared', charges, refunds: 0, discrepancies: 0, inDoubt: 0, unanswered: 0 })
}

test('what is booked here between a look at us and a look at the acquirer is no break', async () => {
  const id = await shop.create()
  assert.equal((await shop.pay(id, await shop.start(id, BOOKED_THEN_FAILED))).statusCode, 409)
  let asked = 0
  await assertAgreed(1, async (orderCode) => {
    const said = await gateway.inquire(orderCode)
    asked += 1
    if (asked === 1) {
      shop.clock.advance(2000)
      await shop.read(id)
    }
    return said
  })
  assert.equal(asked, 2, 'it was asked again, because it had moved')
})

test('what is booked here while the acquirer leaves us without an answer is asked about again', async () => {
  const id = await shop.create()
  assert.equal((await shop.pay(id, await shop.start(id, BOOKED_THEN_FAILED))).statusCode, 409)
  let asked = 0
  await assertAgreed(2, async (orderCode) => {
    asked += 1
    if (asked > 1) return gateway.inquire(orderCode)
    shop.clock.advance(2000)
    await shop.read(id)
    return { outcome: 'unknown', why: 'no answer in time' }
  })
})

test('what is charged and booked after we looked and before the acquirer was asked is no break', async () => {
  const id = await shop.create()
  const orderCode = await shop.start(id)
  const claimed = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  beforeCharge = async () => {
    claimed.resolve()
    await goOn.promise
  }
  const paying = shop.pay(id, orderCode)
  await claimed.promise
  await assertAgreed(3, async (code) => {
    goOn.resolve()
    assert.equal((await paying).statusCode, 200)
    return gateway.inquire(code)
  })
})
