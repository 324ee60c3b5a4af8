/** Card fingerprint: a keyed hash (HMAC-SHA-256) by which a card is counted without its number being kept. */
import { createHmac, hkdfSync } from 'node:crypto'
import type { Parts } from '../parts.ts'

/** A key of its own, so that nothing else that is made of the secret key can be compared with a fingerprint. */
const fingerprintKey = (secretKey: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'kaikei card fingerprint', 32))

export const createCardFingerprint = (secretKey: string): Parts['cardFingerprint'] => {
  const key = fingerprintKey(secretKey)
  return (number) => createHmac('sha256', key).update(number.reveal()).digest('base64url')
}
