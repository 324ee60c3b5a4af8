import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../../proof/harness/silent-log.ts'
import { createProxyCheck } from './untrusted-proxy.ts'

/** How often two requests of this kind are warned of. */
const warnings = (peer: string, ip: string, headers: Readonly<Record<string, string>>): number => {
  let warned = 0
  const check = createProxyCheck({ ...silentLog, warn: () => void (warned += 1) })
  const request = { headers, ip, socket: { remoteAddress: peer } }
  // The check reads nothing else of a request.
  for (let times = 0; times < 2; times += 1) check(request as unknown as Parameters<typeof check>[0])
  return warned
}

const FORWARDED = { 'x-forwarded-for': '203.0.113.7' }

test('a proxy on this machine or in its network that is not trusted is named once', () => {
  for (const peer of ['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '::1', 'fd00::1', '::ffff:127.0.0.1'])
    assert.equal(warnings(peer, peer, FORWARDED), 1, peer)
})

test('a trusted proxy, a shopper without one, and a stranger who sends the header are not named', () => {
  assert.equal(warnings('127.0.0.1', '203.0.113.7', FORWARDED), 0)
  assert.equal(warnings('127.0.0.1', '127.0.0.1', {}), 0)
  assert.equal(warnings('198.51.100.1', '198.51.100.1', FORWARDED), 0)
  assert.equal(warnings('2001:db8::1', '2001:db8::1', FORWARDED), 0)
})
