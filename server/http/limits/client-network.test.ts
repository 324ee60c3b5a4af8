import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientNetwork } from './client-network.ts'

test('an IPv4 address counts as itself, however the socket writes it', () => {
  assert.equal(clientNetwork('203.0.113.7'), '203.0.113.7')
  assert.equal(clientNetwork('::ffff:203.0.113.7'), '203.0.113.7')
  assert.equal(clientNetwork('::FFFF:203.0.113.7'), '203.0.113.7')
})

test('an IPv6 address counts as its first 64 bits, in one spelling', () => {
  const network = '2001:db8:1:2::/64'
  for (const address of [
    '2001:db8:1:2:3:4:5:6',
    '2001:db8:1:2::',
    '2001:DB8:1:2::9',
    '2001:0db8:0001:0002:ffff:ffff:ffff:ffff',
    '2001:db8:1:2:3:4:203.0.113.7',
  ])
    assert.equal(clientNetwork(address), network, address)
  assert.equal(clientNetwork('2001:db8:1:3::1'), '2001:db8:1:3::/64')
  assert.equal(clientNetwork('::1'), '0:0:0:0::/64')
  assert.equal(clientNetwork('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(clientNetwork('fe80::1%eth0'), 'fe80:0:0:0::/64')
})

test('whatever else a proxy wrote counts as one unknown address', () => {
  for (const text of ['', 'unknown', '203.0.113', '203.0.113.7:443', ':::', '4242424242424242', 'a'.repeat(5000)])
    assert.equal(clientNetwork(text), 'unknown', text)
})
