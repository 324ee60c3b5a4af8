import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextReading } from './next-reading.ts'

test('a checkout that does not exist is not asked for again and again', () => {
  assert.equal(nextReading(5000, undefined, { code: 'checkout_not_found', params: {} }), false)
  assert.equal(nextReading(5000, 'old', { code: 'checkout_not_found', params: {} }), false)
})

test('while nobody answers the reading goes on, so that a screen comes back by itself', () => {
  assert.equal(nextReading(5000, 'old', { code: 'network_error', params: {} }), 5000)
})

test('what was read says whether and when it is read again', () => {
  const whilePending = (status: string): number | false => (status === 'pending' ? 3000 : false)
  assert.equal(nextReading(whilePending, 'pending', null), 3000)
  assert.equal(nextReading(whilePending, 'delivered', null), false)
  assert.equal(nextReading(whilePending, undefined, null), false)
})
