import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readCursor, writeCursor } from './cursor.ts'

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/)
const at = fc.nat({ max: Number.MAX_SAFE_INTEGER })

test('a cursor leads back to the place that it was written of', () => {
  fc.assert(
    fc.property(at, fc.array(id, { minLength: 1, maxLength: 2 }), (time, ids) => {
      const text = writeCursor([time, ...ids])
      assert.match(text, /^[\w-]+$/)
      assert.deepEqual(readCursor(text, ids.length), [time, ...ids])
      assert.equal(readCursor(text, 3 - ids.length), undefined, 'of another list')
    }),
  )
})

test('whatever text is sent, it is a place that would be written so, or none', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[\w=.-]{0,80}$/),
    fc.string().map((text) => Buffer.from(text).toString('base64url')),
    fc.tuple(at, id).map(([time, name]) => `${writeCursor([time, name])}=`),
  )
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 2 }), (text, ids) => {
      const place = readCursor(text, ids)
      if (place !== undefined) assert.equal(writeCursor(place), text)
    }),
    { numRuns: 2000 },
  )
})

test('a changed, padded, negative or fractional place is none', () => {
  const encoded = (text: string): string => Buffer.from(text).toString('base64url')
  for (const text of [
    '',
    '1',
    '1.',
    '.a',
    '-1.a',
    '1.5.a.b',
    '01.a',
    '1e3.a',
    'x.a',
    `1.${'a'.repeat(65)}`,
    '1.a\0',
    '9999999999999999.a',
  ])
    assert.equal(readCursor(encoded(text), 1), undefined, text)
  assert.deepEqual(readCursor(encoded('1.a'), 1), [1, 'a'])
  assert.equal(readCursor(`${encoded('1.a')}==`, 1), undefined)
})
