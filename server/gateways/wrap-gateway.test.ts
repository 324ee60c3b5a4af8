import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Gateway } from '#payment/ports.ts'
import { createLog } from '../log.ts'
import { gatewayNotConfigured } from './not-configured.ts'
import { cardWithNumber } from '../../proof/harness/cards.ts'
import { exemption } from '#payment/testing/records.ts'
import { errorsAsUnknown, withAccountAlarms } from './wrap-gateway.ts'

/** An adapter that throws, or whose promise rejects: it may do either. */
const failing = (fail: () => Promise<never>): Gateway => ({
  ready: fail,
  charge: fail,
  inquire: fail,
  fence: fail,
  refund: fail,
  inquireRefund: fail,
  statement: fail,
  disputes: fail,
})

const throws = (): never => {
  throw new Error('4242424242424242 is not a card of mine')
}

for (const [name, fail] of [
  ['throws', throws],
  ['rejects', async () => throws()],
] as const) {
  test(`every call of an acquirer's adapter that ${name} has an unknown outcome, and its error message stays out of the log`, async () => {
    const logged: string[] = []
    const gateway = errorsAsUnknown(
      failing(fail),
      createLog(
        'debug',
        (line) => logged.push(line),
        () => 0,
      ),
    )
    const unknown = { outcome: 'unknown', why: 'the gateway adapter failed', isSilence: true }
    const [orderCode, refundId, amountYen] = ['order', 'refund', 1980]
    const card = cardWithNumber('4242424242424242')
    const charge = { orderCode, amountYen, card, cvc: '737', clearance: exemption }
    const sent = { orderCode, amountYen, reference: orderCode, startedAt: 0 }
    const refund = { orderCode, amountYen, reference: orderCode, refundId, requestedAt: 0 }
    assert.deepEqual(await gateway.charge(charge, async () => true), unknown)
    assert.deepEqual(await gateway.inquire(sent), unknown)
    assert.deepEqual(await gateway.fence(sent), unknown)
    assert.deepEqual(await gateway.refund(refund), unknown)
    assert.deepEqual(await gateway.inquireRefund(refund), unknown)
    assert.deepEqual(await gateway.statement({ from: 0, to: 1 }, null), unknown)
    assert.deepEqual(await gateway.disputes({ from: 0, to: 1 }, null), unknown)
    assert.equal(await gateway.ready(), 'silent')
    assert.equal(logged.length, 8)
    for (const line of logged) {
      assert.match(line, /the gateway adapter failed/)
      assert.doesNotMatch(line, /card of mine|4242/)
    }
  })
}

test('an acquirer that refuses the account itself calls its operator, once in ten seconds, with the merchant and the order', async () => {
  const logged: string[] = []
  let now = 0
  const log = createLog(
    'error',
    (line) => logged.push(line),
    () => now,
  )
  const adapter: Gateway = {
    ...gatewayNotConfigured,
    ready: async () => 'forbidden',
    charge: async () => ({ outcome: 'not_charged', accountFault: 'Stripe does not accept the key (HTTP 401)' }),
  }
  const gateway = withAccountAlarms(adapter, { log, elapsed: () => now, merchantId: 'm-tea' })
  const card = cardWithNumber('4242424242424242')
  const order = { orderCode: 'order', amountYen: 1980, card, cvc: '737', clearance: exemption }
  for (let tries = 0; tries < 5; tries += 1) {
    assert.equal(await gateway.ready(), 'forbidden')
    assert.equal((await gateway.charge(order, async () => true)).outcome, 'not_charged')
  }
  now = 10_000
  await gateway.charge(order, async () => true)
  assert.equal(logged.length, 3)
  for (const line of logged) {
    assert.match(line, /an acquirer refuses its account/)
    assert.match(line, /"merchant":"m-tea"/)
    assert.match(line, /acquirer check.*says how to mend it/)
  }
  assert.match(logged[0] ?? '', /does not take the key of this account/)
  for (const line of logged.slice(1)) assert.match(line, /"order":"order".*HTTP 401/)
})
