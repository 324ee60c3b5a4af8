import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal } from '#contract/errors.ts'
import { fakeGateway } from '../../proof/harness/fake-gateway.ts'
import { openTestServer } from '../../proof/harness/test-server.ts'
import { TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import { wholeTimeline } from '../store/checkout/timeline.ts'
import { createCheckout } from './create-checkout.ts'

const SELLER = { merchantId: TEA_MERCHANT.id, mode: 'test', settings: TEA_MERCHANT.settings, acquirer: null } as const

test('a new checkout is one row, and its timeline begins with who opened it, and when', async () => {
  const { deps, clock } = await openTestServer({ gateway: fakeGateway() })
  const before = clock.now()
  const created = await createCheckout(deps, SELLER, { amount: 1980 })
  if (isRefusal(created)) assert.fail(created.refused)
  const { merchantId, id: checkoutId } = created.checkout
  assert.deepEqual(await wholeTimeline(deps.database, { merchantId, checkoutId }), [
    {
      order: [0, '0', '-'],
      at: created.now,
      subject: 'checkout',
      id: null,
      from: null,
      to: 'open',
      by: 'merchant',
      why: 'create',
    },
  ])
  assert.ok(created.now >= before)
  assert.deepEqual(await deps.database.rows('SELECT * FROM changes'), [])
})

test('a refused body stores nothing', async () => {
  const { deps } = await openTestServer({ gateway: fakeGateway() })
  const refused = await createCheckout(deps, SELLER, { amount: 1, validUntil: 'soon' })
  assert.ok(isRefusal(refused))
  assert.deepEqual(await deps.database.rows('SELECT * FROM checkouts'), [])
})

test('with a live key a link to a host that the settings do not name stores nothing, and a registered one is kept', async () => {
  const { deps } = await openTestServer({ gateway: fakeGateway() })
  const settings = { ...TEA_MERCHANT.settings, linkHosts: ['shop.example.com'] }
  const create = (redirectUrl: string) =>
    createCheckout(deps, { ...SELLER, mode: 'live', settings }, { amount: 1, links: { redirectUrl } })
  const refused = await create('https://elsewhere.example.com/')
  assert.ok(isRefusal(refused))
  assert.deepEqual(refused.params, { field: 'links.redirectUrl' })
  assert.deepEqual(await deps.database.rows('SELECT id FROM checkouts'), [])
  const created = await create('https://shop.example.com/thanks')
  if (isRefusal(created)) assert.fail(created.message)
  assert.equal(created.checkout.redirectUrl, 'https://shop.example.com/thanks')
})
