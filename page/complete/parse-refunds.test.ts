import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRefunds } from './parse-refunds.ts'

const AT = '2026-11-20T03:00:00.000Z'

test('part refunds are read in their order, and one that cannot be read is left out', () => {
  assert.deepEqual(parseRefunds([{ amount: 500, refundedAt: AT }, null, { amount: 1, refundedAt: AT, more: true }]), [
    { amount: 500, refundedAt: Date.parse(AT) },
    { amount: 1, refundedAt: Date.parse(AT) },
  ])
  for (const wrong of ['500', 0.5, Number.NaN, undefined])
    assert.deepEqual(parseRefunds([{ amount: wrong, refundedAt: AT }]), [], String(wrong))
  for (const wrong of ['yesterday', '', 0, undefined])
    assert.deepEqual(parseRefunds([{ amount: 500, refundedAt: wrong }]), [], String(wrong))
})

test('a receipt without part refunds shows none', () => {
  for (const none of [undefined, null, {}, 'refunds', []]) assert.deepEqual(parseRefunds(none), [])
})
