import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { PictureName } from './picture.tsx'

const NAMES: Record<PictureName, true> = {
  visa: true,
  master: true,
  jcb: true,
  amex: true,
  diners: true,
  discover: true,
  'unknown-brand': true,
  'cvc-back': true,
  'cvc-front': true,
  lock: true,
  'powered-by': true,
  'visa-secure': true,
  'mastercard-identity-check': true,
  'jcb-j-secure': true,
  'amex-safekey': true,
  'diners-protectbuy': true,
}

test('every picture that the page can name is in the one file of pictures, and no other', () => {
  const file = readFileSync(new URL('../art/pictures.svg', import.meta.url), 'utf8')
  const ids = [...file.matchAll(/<symbol id="([^"]+)"/g)].map(([, id = '']) => id)
  assert.deepEqual(ids.toSorted(), Object.keys(NAMES).toSorted())
})
