import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseJson, parseWellFormed } from './parse-json.ts'

test('half a surrogate of an acquirer or of a stored row is read as U+FFFD, in a value and in a name', () => {
  const read = parseWellFormed(
    String.raw`{"a\ud83d":["b\uDF75","\ud83c\udf75","\ud83d\ud83c\udf75",{"c":"\udf75\ud83c"}]}`,
  )
  assert.deepEqual(read, { 'a\ufffd': ['b\ufffd', '🍵', '\ufffd🍵', { c: '\ufffd\ufffd' }] })
  // A backslash and five letters.
  assert.deepEqual(parseWellFormed(String.raw`["\\ud83d","\\\ud83d","\"\ud83d","\\\\ud83d"]`), [
    String.raw`\ud83d`,
    '\\\ufffd',
    '"\ufffd',
    String.raw`\\ud83d`,
  ])
  assert.equal(parseJson('{"a":'), null)
})

test('whatever JSON says is read as JSON.parse reads it, each half apart', () => {
  const units = fc.array(
    fc.oneof(fc.constantFrom(0xd83c, 0xdf75, 0x5c, 0x75, 0x22), fc.integer({ min: 0, max: 0xffff })),
  )
  fc.assert(
    fc.property(units, (codes) => {
      const text = String.fromCharCode(...codes)
      const json = JSON.stringify({ [text]: [text] })
      const name = text.toWellFormed()
      assert.deepEqual(parseWellFormed(json), { [name]: [name] })
      // Everything as an escape, as PHP writes it.
      const escaped = `["${codes.map((code) => `\\u${code.toString(16).padStart(4, '0')}`).join('')}"]`
      assert.deepEqual(parseWellFormed(escaped), [name])
    }),
    { numRuns: 2000 },
  )
})
