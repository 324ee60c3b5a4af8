import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flipByte } from './flipped-bytes.ts'

test('one byte is changed, inside a text, so that the script can still be read', () => {
  const script = Buffer.from('const a="words";run(`more words`);let b="last"')
  const flipped = flipByte(script)
  const places = [...script.keys()].filter((place) => script[place] !== flipped[place])
  assert.equal(places.length, 1)
  assert.equal(flipped.toString(), 'const a="words";run(`More words`);let b="last"')
})

test('a script without a text cannot be changed in this way', () => {
  assert.throws(() => flipByte(Buffer.from('run(1)')), /holds no text/)
})
