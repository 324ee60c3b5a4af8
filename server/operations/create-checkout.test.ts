import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal } from '#contract/errors.ts'
import { fakeGateway } from '../../proof/harness/fake-gateway.ts'
import { openTestServer, TEA_MERCHANT } from '../../proof/harness/test-server.ts'
import { createCheckout } from './create-checkout.ts'

const SELLER = { merchantId: TEA_MERCHANT.id, mode: 'test', settings: TEA_MERCHANT.settings } as const

test('a new checkout is stored together with its first transition', async () => {
  const { parts, clock } = await openTestServer({ gateway: fakeGateway() })
  const before = clock.now()
  const created = await createCheckout(parts, SELLER, { amount: 1980 })
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
  const refused = await createCheckout(parts, SELLER, { amount: 1, validUntil: 'soon' })
  assert.ok(isRefusal(refused))
  for (const table of ['checkouts', 'changes'])
    assert.deepEqual(await parts.database.rows(`SELECT * FROM ${table}`), [])
})

test('with a live key a link to a host that the settings do not name stores nothing, and a registered one is kept', async () => {
  const { parts } = await openTestServer({ gateway: fakeGateway() })
  const settings = { ...TEA_MERCHANT.settings, linkHosts: ['shop.example.com'] }
  const create = (redirectUrl: string) =>
    createCheckout(parts, { ...SELLER, mode: 'live', settings }, { amount: 1, links: { redirectUrl } })
  const refused = await create('https://elsewhere.example.com/')
  assert.ok(isRefusal(refused))
  assert.deepEqual(refused.params, { field: 'links.redirectUrl' })
  assert.deepEqual(await parts.database.rows('SELECT id FROM checkouts'), [])
  const created = await create('https://shop.example.com/thanks')
  if (isRefusal(created)) assert.fail(created.message)
  assert.equal(created.checkout.redirectUrl, 'https://shop.example.com/thanks')
})
