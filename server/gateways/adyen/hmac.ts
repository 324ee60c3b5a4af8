/** Adyen, HMAC of a notification: what is signed, and whether a signature is right. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** What Adyen signs of a notification, whatever stands there. Reason, time and additional data are not signed. */
export interface SignedFields {
  readonly pspReference?: unknown
  readonly originalReference?: unknown
  readonly merchantAccountCode?: unknown
  readonly merchantReference?: unknown
  readonly amount?: unknown
  readonly eventCode?: unknown
  readonly success?: unknown
}

/** What is neither a text nor a number is empty: whether somebody who knows the key has sent it is asked before what it says. */
const fieldText = (field: unknown): string =>
  typeof field === 'string' ? field : typeof field === 'number' || typeof field === 'boolean' ? String(field) : ''

export const signedText = ({ amount, ...item }: SignedFields): string => {
  const { value, currency }: { readonly value?: unknown; readonly currency?: unknown } =
    typeof amount === 'object' && amount !== null ? amount : {}
  return [
    item.pspReference,
    item.originalReference,
    item.merchantAccountCode,
    item.merchantReference,
    value,
    currency,
    item.eventCode,
    item.success,
  ]
    .map(fieldText)
    .join(':')
}

const hmacOf = (text: string, hmacKey: string): Buffer =>
  createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(text).digest()

/** As Adyen writes it into `additionalData.hmacSignature`. */
export const sign = (item: SignedFields, hmacKey: string): string =>
  hmacOf(signedText(item), hmacKey).toString('base64')

/** In constant time: how long a wrong signature takes tells nothing about the right one. */
export const isSigned = (item: SignedFields, signature: string, hmacKey: string): boolean => {
  const expected = hmacOf(signedText(item), hmacKey)
  const given = Buffer.from(signature, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
