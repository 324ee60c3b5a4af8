import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RECENT_NAMES_MAX } from './recent-names.ts'
import { createRecentlyAcceptedKeys } from './recently-accepted-keys.ts'

const headerOf = (each: number): string => `Bearer sk_test_${String(each).padStart(32, '0')}`

test('a key that was accepted is known by its hash alone, and any other header by nothing', () => {
  const keys = createRecentlyAcceptedKeys()
  keys.add(headerOf(1))
  keys.add('Basic abc')
  keys.add(undefined)
  assert.match(keys.find(headerOf(1)) ?? '', /^[0-9a-f]{64}$/)
  for (const other of [headerOf(2), 'Basic abc', undefined]) assert.equal(keys.find(other), undefined)
})

test('of too many keys the one that was not used for longest is forgotten', () => {
  const keys = createRecentlyAcceptedKeys()
  for (let each = 0; each < RECENT_NAMES_MAX; each += 1) keys.add(headerOf(each))
  keys.add(headerOf(0))
  assert.notEqual(keys.find(headerOf(1)), undefined)
  keys.add(headerOf(RECENT_NAMES_MAX))
  assert.equal(keys.find(headerOf(1)), undefined)
  assert.notEqual(keys.find(headerOf(0)), undefined)
})
