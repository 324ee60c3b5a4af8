import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashKey } from '../store/merchant/keys.ts'
import { keyHashOf } from './api-key.ts'

test('a key is read from its header only in full, and only its hash is kept', () => {
  for (const key of [`sk_test_${'a'.repeat(16)}`, `sk_live_${'Z9'.repeat(32)}`]) {
    assert.equal(keyHashOf(`Bearer ${key}`), hashKey(key))
    assert.match(hashKey(key), /^[0-9a-f]{64}$/)
    assert.doesNotMatch(hashKey(key), /sk_/)
  }
  assert.notEqual(hashKey(`sk_test_${'a'.repeat(16)}`), hashKey(`sk_test_${'a'.repeat(17)}`))
  const wrong = [
    undefined,
    '',
    'Bearer',
    `sk_test_${'a'.repeat(16)}`,
    `Basic sk_test_${'a'.repeat(16)}`,
    `bearer sk_test_${'a'.repeat(16)}`,
    `Bearer  sk_test_${'a'.repeat(16)}`,
    `Bearer sk_test_${'a'.repeat(15)}`,
    `Bearer sk_test_${'a'.repeat(65)}`,
    `Bearer sk_demo_${'a'.repeat(16)}`,
    `Bearer sk_test_${'a'.repeat(16)}\n`,
    `Bearer sk_test_${'a'.repeat(15)}-`,
  ]
  for (const header of wrong) assert.equal(keyHashOf(header), null, JSON.stringify(header))
})
