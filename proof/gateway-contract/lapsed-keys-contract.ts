/** Lapsed keys contract: what is sent again after the acquirer has forgotten its idempotency keys moves nothing more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../server/dependencies.ts'
import { AMOUNT_YEN, chargeNewOrder, connect, type OpenAcquirer } from './gateway-under-test.ts'
import { refund, refundOf } from './settle.ts'

/** With an acquirer of its own, for it sets the acquirer's clock. */
export const testLapsedKeysContract = (name: string, open: OpenAcquirer): void => {
  test(`a refund and an inquiry through ${name} move nothing more after its idempotency keys have lapsed`, async (t) => {
    const acquirer = await open()
    t.after(acquirer.stop)
    const { forgetKeys } = acquirer
    if (typeof forgetKeys === 'string') return t.diagnostic(`not tried with ${name}: ${forgetKeys}`)
    const connection = await connect(t, acquirer)
    const sent = await chargeNewOrder(connection, acquirer)
    const half = refundOf(sent, 'half', AMOUNT_YEN / 2)
    assert.equal((await refund(connection, acquirer, half)).outcome, 'refunded')
    const ago = systemClock.now() - (await forgetKeys())
    const later = await connect(t, acquirer)
    const again = await later.gateway.refund({ ...half, requestedAt: ago })
    assert.ok(again.outcome === 'refunded' || again.outcome === 'unknown', again.outcome)
    const asked = await later.gateway.inquire({ ...sent, startedAt: ago })
    assert.ok(asked.outcome === 'charged' || asked.outcome === 'unknown', asked.outcome)
    await acquirer.notify?.()
    const booked = { chargedYen: AMOUNT_YEN, refundedYen: AMOUNT_YEN / 2 }
    assert.deepEqual(await acquirer.orderAtAcquirer(sent.orderCode), booked)
  })
}
