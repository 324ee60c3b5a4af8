import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal } from '#contract/errors.ts'
import { readIdempotencyKey } from './idempotency-key.ts'

const hashes = (header: string, body: object = {}) => {
  const read = readIdempotencyKey(header, body)
  if (read === undefined || isRefusal(read)) assert.fail(header)
  return read
}

test('without the header there is no key', () => {
  assert.equal(readIdempotencyKey(undefined, {}), undefined)
})

test('a key has 1 to 255 printable characters; in quotes it may hold spaces', () => {
  for (const header of [
    'a',
    '~',
    'x'.repeat(255),
    `"${'x'.repeat(255)}"`,
    '"a b"',
    '"a\\"b"',
    '8e03978e-40d5-43dd-bc93',
  ])
    hashes(header)
  for (const header of [
    '',
    '""',
    ' ',
    'a b',
    'x'.repeat(256),
    `"${'x'.repeat(256)}"`,
    '"a',
    'ä',
    '"ä"',
    'a\tb',
    '"a"b"',
  ]) {
    const read = readIdempotencyKey(header, {})
    assert.ok(read !== undefined && isRefusal(read), header)
    assert.deepEqual(read.params, { field: 'Idempotency-Key' })
  }
  assert.ok(isRefusal(readIdempotencyKey(['a', 'b'], {}) ?? {}))
})

test('bare and in quotes it is the same key, and nothing of it is kept but a hash', () => {
  assert.equal(hashes('order-1').keyHash, hashes('"order-1"').keyHash)
  assert.notEqual(hashes('order-1').keyHash, hashes('order-2').keyHash)
  assert.match(hashes('order-1').keyHash, /^[0-9a-f]{64}$/)
})

test('two bodies are the same when they say the same', () => {
  const of = (body: object): string => hashes('k', body).bodyHash
  assert.equal(of({ a: 1, b: { c: 2, d: [1, 2] } }), of({ b: { d: [1, 2], c: 2 }, a: 1 }))
  const others = [
    {},
    { a: 1 },
    { a: '1' },
    { a: [1] },
    { a: { 0: 1 } },
    { a: [1, 2] },
    { a: [2, 1] },
    { a: null },
    { b: 1 },
  ]
  assert.equal(new Set(others.map(of)).size, others.length)
})

test('a card number is refused as a key: its hash would hide nothing', () => {
  for (const header of ['4242424242424242', '4242-4242-4242-4242', '"4242 4242 4242 4242"', '3528000000000106'])
    assert.ok(isRefusal(readIdempotencyKey(header, {}) ?? {}), header)
  for (const header of ['4242424242424241', 'order-4242424242424242', '42424242-4242-4242-8a4b-424242424242', '42'])
    hashes(header)
})
