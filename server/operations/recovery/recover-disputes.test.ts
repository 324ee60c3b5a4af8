import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { restoredAfter } from '../../../proof/harness/restored-server.ts'
import { accountOfAll } from '../../../proof/promises/shared-account.ts'
import { readDisputes } from '../../background/read-disputes.ts'
import { ALL_TIME } from '#payment/reconciliation-period.ts'
import { reconcile } from '../reconcile.ts'

onBothDatabases((engine) => {
  test('a chargeback that a restore has lost stops no recovery, and is recorded again by the next reading', async (t) => {
    let [id, order] = ['', '']
    const { client, gateway, recover } = await restoredAfter(
      t,
      engine,
      async (before) => {
        ;({ id } = await before.create({ amount: 700 }))
        order = await before.server.startAttempt(id)
      },
      async (before) => assert.equal((await before.server.pay(id, order)).statusCode, 200),
    )
    const movedAt = client.clock.now()
    gateway.dispute({
      disputeId: 'dp_1',
      orderCode: order,
      status: 'lost',
      amountYen: 700,
      reason: null,
      respondBy: null,
      openedAt: movedAt,
      movements: [{ kind: 'chargeback', movementId: 'txn_1', amountYen: 700, movedAt }],
    })
    const recovered = await recover()
    if (recovered === null || 'problem' in recovered) assert.fail(JSON.stringify(recovered))
    assert.deepEqual([recovered.charges, recovered.inDoubt, recovered.left], [1, 0, []])
    const { deps } = client.server
    await readDisputes({ ...deps, clockCheck: { ...deps.clockCheck, isConfirmed: () => true } })
    const { status, disputes } = await client.get<MerchantCheckoutAnswer>(`/checkouts/${id}`)
    assert.deepEqual([status, disputes?.map((each) => each.withdrawnAmount)], ['paid', [700]])
    const account = await accountOfAll(deps.database, gateway)
    const compared = await reconcile(deps.database, [account], ALL_TIME, (found) => assert.fail(JSON.stringify(found)))
    assert.deepEqual('charges' in compared && [compared.charges, compared.chargebacks], [1, 1])
  })
})
