import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal } from '#contract/errors.ts'
import { readIdempotencyKey } from './idempotency-key.ts'

const KEY = { kind: 'key' } as const

const hashes = (header: string, body: object = {}) => {
  const read = readIdempotencyKey(header, body, KEY)
  if (read === undefined || isRefusal(read)) assert.fail(header)
  return read
}

test('without the header there is no key', () => {
  assert.equal(readIdempotencyKey(undefined, {}, KEY), undefined)
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
    const read = readIdempotencyKey(header, {}, KEY)
    assert.ok(read !== undefined && isRefusal(read), header)
    assert.deepEqual(read.params, { field: 'Idempotency-Key' })
  }
  assert.ok(isRefusal(readIdempotencyKey(['a', 'b'], {}, KEY) ?? {}))
})

test('bare and in quotes it is the same key, and nothing of it is kept but a hash', () => {
  assert.equal(hashes('order-1').keyHash, hashes('"order-1"').keyHash)
  assert.notEqual(hashes('order-1').keyHash, hashes('order-2').keyHash)
  assert.match(hashes('order-1').keyHash, /^[0-9a-f]{64}$/)
})

test('a key of a person is another one than the same text of a program or of somebody else', () => {
  const keyHashOf = (by: Parameters<typeof readIdempotencyKey>[2]): string => {
    const read = readIdempotencyKey('order-1', {}, by)
    if (read === undefined || isRefusal(read)) assert.fail()
    return read.keyHash
  }
  const person = (id: string) => ({ kind: 'person', person: { id } }) as const
  assert.equal(keyHashOf(person('a')), keyHashOf(person('a')))
  assert.equal(new Set([KEY, person('a'), person('b')].map(keyHashOf)).size, 3)
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
    assert.ok(isRefusal(readIdempotencyKey(header, {}, KEY) ?? {}), header)
  for (const header of ['4242424242424241', 'order-4242424242424242', '42424242-4242-4242-8a4b-424242424242', '42'])
    hashes(header)
})
