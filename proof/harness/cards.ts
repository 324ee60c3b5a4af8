import { CardNumber } from '#payment/card-number.ts'
import type { Card } from '#payment/ports.ts'

/** Test card: a card with this number, as the start call has parsed it. */
export const cardWithNumber = (digits: string): Card => {
  const number = CardNumber.parse(digits)
  if (number === undefined) throw new Error('a test names an invalid card number')
  return { number, expiryMonth: 12, expiryYear: 2099, email: 'taro@example.com', holderName: 'TARO YAMADA' }
}
