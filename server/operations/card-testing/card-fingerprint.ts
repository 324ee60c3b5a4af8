/** Card fingerprint and card mark: keyed hashes (HMAC-SHA-256) that count a card without storing its number. */
import { createHmac, hkdfSync } from 'node:crypto'
import type { Dependencies } from '../../dependencies.ts'

/** Each use has its own key, so that hashes of different uses cannot be compared. */
const keyFor = (secretKey: string, use: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, '', use, 32))

export const createCardFingerprint = (secretKey: string): Dependencies['cardFingerprint'] => {
  const key = keyFor(secretKey, 'kaikei card fingerprint')
  return (number) => createHmac('sha256', key).update(number.reveal()).digest('base64url')
}

/** Just enough to tell the cards of one shop apart. */
const MARK_BYTES = 8

/** Differs from shop to shop: it leads neither to the fingerprint nor to the card at another shop. */
export const createCardMark = (secretKey: string): Dependencies['cardMark'] => {
  const key = keyFor(secretKey, 'kaikei card mark')
  return (number, { merchantId, mode }) =>
    createHmac('sha256', key)
      .update(`${mode} ${merchantId} `)
      .update(number.reveal())
      .digest()
      .subarray(0, MARK_BYTES)
      .toString('base64url')
}
