import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { secretKeyId } from './secret-key-id.ts'
import { createSealing } from './sealed.ts'

const [OLD, NEW] = ['o'.repeat(64), 'n'.repeat(64)]
const PLACE = ['tea-id', 'live', 'stripe']
const SECRET = 'sk_live_canary'

test('a credential opens with the secret key that sealed it, in its own place alone', () => {
  const sealing = createSealing([OLD])
  const sealed = sealing.seal(SECRET, PLACE)
  assert.equal(sealed.keyId, secretKeyId(OLD))
  assert.equal(sealing.open(sealed, PLACE), SECRET)
  for (const place of [['books-id', 'live', 'stripe'], ['tea-id', 'test', 'stripe'], ['tea-id', 'live', 'adyen'], []])
    assert.equal(sealing.open(sealed, place), null, place.join())
  assert.equal(createSealing([NEW]).open(sealed, PLACE), null, 'another key')
  assert.equal(createSealing([NEW]).open({ ...sealed, keyId: secretKeyId(NEW) }, PLACE), null, 'another id')
  assert.equal(createSealing([]).open(sealed, PLACE), null, 'no key')
  assert.throws(() => createSealing([]).seal(SECRET, PLACE), /without a secret key/)
})

test('two places whose names run together are two places', () => {
  const sealing = createSealing([OLD])
  assert.equal(sealing.open(sealing.seal(SECRET, ['a', 'bc']), ['ab', 'c']), null)
  assert.equal(sealing.open(sealing.seal(SECRET, ['a"', 'b']), ['a', '"b']), null)
})

test('after a rotation the earlier key still opens, and the current one seals', () => {
  const sealed = createSealing([OLD]).seal(SECRET, PLACE)
  const rotated = createSealing([NEW, OLD])
  assert.equal(rotated.open(sealed, PLACE), SECRET)
  const anew = rotated.seal(SECRET, PLACE)
  assert.deepEqual([anew.keyId, rotated.currentKeyId], [secretKeyId(NEW), secretKeyId(NEW)])
  assert.equal(createSealing([NEW]).open(anew, PLACE), SECRET)
})

test('sealed twice, a credential is written in two ways, and neither holds it', () => {
  const sealing = createSealing([OLD])
  const texts = Array.from({ length: 100 }, () => sealing.seal(SECRET, PLACE).text)
  assert.equal(new Set(texts).size, 100)
  assert.equal(new Set(texts.map((text) => text.slice(3, 3 + 16))).size, 100, 'the nonces')
  for (const text of texts) assert.equal(Buffer.from(text.slice(3), 'base64url').includes('canary'), false)
})

test('a sealed credential of which one bit was changed does not open, and nor does half of it', () => {
  const sealing = createSealing([OLD])
  const sealed = sealing.seal(SECRET, PLACE)
  const bytes = Buffer.from(sealed.text.slice(3), 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    assert.equal(sealing.open({ ...sealed, text: `v1.${changed.toString('base64url')}` }, PLACE), null, String(bit))
  }
  for (let length = 0; length < sealed.text.length; length += 1)
    assert.equal(sealing.open({ ...sealed, text: sealed.text.slice(0, length) }, PLACE), null, String(length))
})

test('any text in any place is opened as it was sealed', () => {
  const sealing = createSealing([NEW, OLD])
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string()), (plain, place) => {
      assert.equal(sealing.open(sealing.seal(plain, place), place), plain)
    }),
  )
})
