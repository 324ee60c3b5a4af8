import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeTo } from './did-you-mean.ts'

const KNOWN = ['reconcile', 'restore', 'listen', 'key list', 'key roll', 'checkout create', 'a'.repeat(30)]

test('a letter too much, too few, changed, or swapped with its neighbour is a typing mistake', () => {
  for (const typed of ['reconsile', 'recconcile', 'reconcil', 'reconciel', 'Reconcile'])
    assert.deepEqual(closeTo(typed, KNOWN), ['reconcile'], typed)
  assert.deepEqual(closeTo('chekout craete', KNOWN), ['checkout create'])
})

test('two letters may be wrong and no third, in three letters one and in two none', () => {
  assert.deepEqual(closeTo('lixxen', KNOWN), ['listen'])
  assert.deepEqual(closeTo('xixxen', KNOWN), [])
  assert.deepEqual(closeTo('kex', ['key']), ['key'])
  assert.deepEqual(closeTo('ke', ['key']), [])
})

test('the closest comes first, and no more than three are named', () => {
  assert.deepEqual(closeTo('key lisl', KNOWN), ['key list'])
  assert.deepEqual(closeTo('key rolt', ['key list', 'key roll']), ['key roll'])
  assert.equal(closeTo('abcd', ['abce', 'abcf', 'abcg', 'abch']).length, 3)
})

test('a word of thirty letters is compared, a longer one and an empty one are like nothing', () => {
  assert.deepEqual(closeTo('a'.repeat(30), KNOWN), ['a'.repeat(30)])
  assert.deepEqual(closeTo('a'.repeat(31), KNOWN), [])
  assert.deepEqual(closeTo('', KNOWN), [])
})
