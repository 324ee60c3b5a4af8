/** Acquirer's words: what of them may be stored and shown. */
import { holdsCardNumber, looksLikeSecurityCode } from '#payment/card-number-detector.ts'

/** Stored as given. Reasons with three digits in a row may repeat a card number or its code, and are none of an acquirer's. */
export const reasonOf = (reason: unknown): string =>
  typeof reason === 'string' && /^[a-z0-9_]{1,64}$/.test(reason) && !/\d{3}/.test(reason) ? reason : 'other'

const isPlainId = (id: unknown): id is string =>
  typeof id === 'string' && /^[A-Za-z0-9_.:-]{1,64}$/.test(id) && !holdsCardNumber(id) && !looksLikeSecurityCode(id)

/**
 * Money has moved, whatever the charge is called: taken for a decline it would be charged twice, left in doubt it would
 * be asked about for ever and answered the same. The order code is what the acquirer books a charge by.
 */
export const transactionIdOf = (id: unknown, orderCode: string): string => (isPlainId(id) ? id : `order_${orderCode}`)
