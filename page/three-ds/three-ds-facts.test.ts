import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseThreeDSFacts } from './three-ds-facts.ts'

const THREE_DS = {
  messageDomains: ['http://3ds.localhost:3000'],
  collectLimitMs: 15_000,
  challengeLimitMs: 630_000,
  challengeHelpMs: 30_000,
}

const factsOf = (facts: unknown, origin = 'http://demo.localhost:3000') => parseThreeDSFacts(facts, origin)

test('facts of the wrong type are replaced by their defaults, one by one', () => {
  const odd = { messageDomains: '*', collectLimitMs: '1', challengeLimitMs: null, challengeHelpMs: -1 }
  for (const facts of [odd, undefined, null, 7, 'x', [], {}]) assert.deepEqual(factsOf(facts), THREE_DS)
  assert.deepEqual(factsOf({ ...odd, challengeLimitMs: 63_000 }), { ...THREE_DS, challengeLimitMs: 63_000 })
})

test('messages are accepted from two origins at most, and only from exact origins', () => {
  const [first, second, third] = ['https://a.example', 'http://b.example:81', 'https://c.example']
  assert.deepEqual(factsOf({ messageDomains: [first, second, third] }).messageDomains, [first, second])
  const none = ['', '*', 'null', 'a.example', 'https://a.example/', 'HTTPS://a.example', 'javascript:1', 7, null]
  assert.deepEqual(factsOf({ messageDomains: [...none, third] }).messageDomains, [third])
  assert.deepEqual(factsOf({ messageDomains: none }).messageDomains, THREE_DS.messageDomains)
  assert.deepEqual(factsOf({ messageDomains: [] }).messageDomains, THREE_DS.messageDomains)
})

test('with nothing inlined the bridge is expected at 3ds beside the merchant’s label, never at a host of somebody else', () => {
  const bridges: Readonly<Record<string, readonly string[]>> = {
    'http://demo.localhost:3000': ['http://3ds.localhost:3000'],
    'http://demo.localhost': ['http://3ds.localhost'],
    'https://demo.pay.example': ['https://3ds.pay.example'],
    'https://demo.pay.shop.example:8443': ['https://3ds.pay.shop.example:8443'],
    'https://demo.com': [],
    'http://localhost:3000': [],
    'http://127.0.0.1:3000': [],
    'http://[::1]:3000': [],
    null: [],
    '': [],
  }
  for (const [origin, bridge] of Object.entries(bridges)) {
    assert.deepEqual(factsOf(undefined, origin).messageDomains, bridge, origin)
  }
})

test('a time limit is more than 0 and at most a day; any other is replaced by its default', () => {
  for (const [given, taken] of [
    [0, 15_000],
    [0.5, 0.5],
    [1, 1],
    [86_400_000, 86_400_000],
    [86_400_001, 15_000],
    [-1, 15_000],
  ] as const) {
    assert.equal(factsOf({ collectLimitMs: given }).collectLimitMs, taken)
  }
})
