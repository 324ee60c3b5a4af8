/** Adyen, HMAC of a notification: what is signed, and whether a signature is right. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** What Adyen signs of a notification. Reason, time and additional data are not signed. */
export interface SignedFields {
  readonly pspReference: string
  readonly originalReference?: string
  readonly merchantAccountCode: string
  readonly merchantReference: string
  readonly amount: { readonly value: number; readonly currency: string }
  readonly eventCode: string
  readonly success: string | boolean
}

export const signedText = (item: SignedFields): string =>
  [
    item.pspReference,
    item.originalReference ?? '',
    item.merchantAccountCode,
    item.merchantReference,
    item.amount.value,
    item.amount.currency,
    item.eventCode,
    item.success,
  ].join(':')

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
