import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import lz from 'lz-string'
import { decompress } from './decompress.ts'

const compress = (text: string): string => lz.compressToEncodedURIComponent(text)

/** What lz-string itself makes of a value, where it would compress it to the same. */
const expected = (value: string): string | undefined => {
  try {
    const text: string | null = lz.decompressFromEncodedURIComponent(value)
    return text !== null && compress(text) === value ? text : undefined
  } catch {
    return undefined
  }
}

/** Few different characters make long entries, and many make numbers of many bits. */
const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 2000, size: 'max' }),
  fc.string({ unit: fc.constantFrom('a', 'ÿ', 'Ā', '茶', '🍵', "'"), maxLength: 500, size: 'max' }),
  fc.string({ unit: 'binary', maxLength: 500, size: 'max' }),
)

test('whatever lz-string compresses is decompressed', () => {
  fc.assert(
    fc.property(texts, (text) => assert.equal(decompress(compress(text), 10_000), text)),
    { numRuns: 1000 },
  )
})

test('what lz-string would not have written is no compressed text: a changed sign, one more, one fewer, or plain words', () => {
  const signs = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-$ .あ')
  const values = fc.oneof(
    fc.string({ unit: signs, maxLength: 8 }),
    fc.tuple(texts, fc.nat(), signs).map(([text, place, sign]) => {
      const written = compress(text.slice(0, 40))
      const at = place % written.length
      return written.slice(0, at) + sign + written.slice(at + 1)
    }),
    texts.map((text) => `${compress(text.slice(0, 40))}A`),
    texts.map((text) => compress(text.slice(0, 40)).slice(0, -1)),
  )
  fc.assert(
    fc.property(values, (value) => assert.equal(decompress(value, 10_000), expected(value))),
    { numRuns: 5000 },
  )
})

test('a text ends where it is long enough, whatever would follow: nothing behind that is read', () => {
  const written = compress('a'.repeat(2_000_000))
  for (const most of [1, 99, 100, 101, 2000]) {
    assert.equal(decompress(written, most), 'a'.repeat(most))
    // Cut off, it could not be read to its end.
    assert.equal(decompress(written.slice(0, 100), most), 'a'.repeat(most))
  }
  assert.equal(decompress(written.slice(0, 100), 100_000), undefined)
  const [short, exact] = [compress('a'.repeat(99)), compress('a'.repeat(100))]
  assert.deepEqual([decompress(short, 100), decompress(exact, 100)], ['a'.repeat(99), 'a'.repeat(100)])
})
