import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shopAddress, shopInAddress } from './addresses.ts'

test('an address names the shop and the mode of its screen', () => {
  assert.deepEqual(shopInAddress(shopAddress('tea', 'live')), { label: 'tea', mode: 'live' })
  assert.deepEqual(shopInAddress('/shops/tea-2/test/checkouts/abc'), { label: 'tea-2', mode: 'test' })
})

test('an address of no shop, or of a mode that does not exist, names none', () => {
  for (const address of [
    '/',
    '/account',
    '/shops/tea',
    '/shops/tea/real',
    '/shops/tea/testing',
    '/shops//test',
    '/shops/Tea/test',
  ])
    assert.equal(shopInAddress(address), null, address)
})
