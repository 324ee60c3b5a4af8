/** Adyen, references and idempotency keys: names of our orders and refunds that fit into Adyen's fields. */
import { createHash } from 'node:crypto'
import { isId } from '../../ids.ts'
import { holdsCardNumber } from '#payment/card-number-detector.ts'
import type { RefundOrder } from '#payment/ports.ts'

/** Adyen takes keys of up to 64 characters. A hash in hexadecimal has exactly as many. */
const KEY_MAX = 64

/** How much of the order code a refund's reference holds: with the longest refund id it has 80 characters, Adyen's limit. */
const ORDER_PART = 15
const REFUND_REFERENCE = /^([A-Za-z0-9_-]{1,64})\.([a-z2-7]{15})$/

/**
 * Adyen's own id of a payment or of a change to it. An attempt of an older release has its order code in its place, which is
 * lower case and never sent to Adyen. One that reads as a card number is not believed: it would be stored and shown.
 */
export const isPspReference = (text: string): boolean => /^[A-Z0-9]{16}$/.test(text) && !holdsCardNumber(text)

type RefundIds = Pick<RefundOrder, 'orderCode' | 'refundId'>

/** Refund ids are the merchant's own, and two orders may have the same. */
export const refundReference = ({ orderCode, refundId }: RefundIds): string =>
  `${refundId}.${orderCode.slice(0, ORDER_PART)}`

/** What a merchantReference of Adyen names: an order, a refund by the first characters of its order, or neither. */
export type NamedByReference =
  | { readonly names: 'order'; readonly orderCode: string }
  | { readonly names: 'refund'; readonly refundId: string; readonly orderPart: string }
  | { readonly names: 'other' }

export const readReference = (reference: string): NamedByReference => {
  if (isId(reference)) return { names: 'order', orderCode: reference }
  const [, refundId, orderPart] = REFUND_REFERENCE.exec(reference) ?? []
  return refundId === undefined || orderPart === undefined
    ? { names: 'other' }
    : { names: 'refund', refundId, orderPart }
}

export const authoriseKey = (orderCode: string): string => `${orderCode}.authorise`
export const captureKey = (orderCode: string): string => `${orderCode}.capture`

/** A key that is cut would be the key of another refund too. */
export const refundKey = ({ orderCode, refundId }: RefundIds): string => {
  const key = `${orderCode}.refund.${refundId}`
  return key.length <= KEY_MAX ? key : createHash('sha256').update(key).digest('hex')
}
