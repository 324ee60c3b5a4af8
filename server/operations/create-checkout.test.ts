import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal } from '#contract/errors.ts'
import { fakeGateway } from '../../proof/harness/fake-gateway.ts'
import { openTestServer, TEA_MERCHANT } from '../../proof/harness/test-server.ts'
import { createCheckout } from './create-checkout.ts'

test('a new checkout is stored together with its first transition', async () => {
  const { parts, clock } = await openTestServer({ gateway: fakeGateway() })
  const before = clock.now()
  const created = await createCheckout(parts, { merchantId: TEA_MERCHANT.id, mode: 'test' }, { amount: 1980 })
  if (isRefusal(created)) assert.fail(created.refused)
  const [change, ...more] = await parts.database.rows('SELECT * FROM changes')
  const { at, ...line } = change ?? {}
  assert.deepEqual(
    { ...line },
    {
      merchant_id: TEA_MERCHANT.id,
      checkout_id: created.checkout.id,
      version: 0,
      place: 0,
      subject: 'checkout',
      actor: 'merchant',
      moved_from: 'none',
      moved_to: 'open',
      why: 'create',
    },
  )
  assert.ok(typeof at === 'number' && at >= before && at === created.now)
  assert.deepEqual(more, [])
})

test('a refused body stores nothing', async () => {
  const { parts } = await openTestServer({ gateway: fakeGateway() })
  const refused = await createCheckout(
    parts,
    { merchantId: TEA_MERCHANT.id, mode: 'test' },
    { amount: 1, validUntil: 'soon' },
  )
  assert.ok(isRefusal(refused))
  for (const table of ['checkouts', 'changes'])
    assert.deepEqual(await parts.database.rows(`SELECT * FROM ${table}`), [])
})
