import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Gateway } from '#payment/ports.ts'
import { createLog } from '../log.ts'
import { cardWithNumber } from '../../proof/harness/cards.ts'
import { exemption } from '#payment/testing/records.ts'
import { errorsAsUnknown } from './wrap-gateway.ts'

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
