import { CardNumber } from '#payment/card-number.ts'
import type { Card } from '#payment/ports.ts'

/** A card as start has read it. */
export const cardOf = (digits: string): Card => {
  const number = CardNumber.parse(digits)
  if (number === undefined) throw new Error('a test names a card number that is none')
  return { number, expiryMonth: 12, expiryYear: 2099, email: 'taro@example.com', holderName: 'TARO YAMADA' }
}
