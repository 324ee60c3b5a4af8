/** Test cards: a card with this number, as the start call has parsed it; the card that is held for an attempt. */
import { CardNumber } from '#payment/card-number.ts'
import type { Card, CardBinding, CardHold } from '#payment/ports.ts'

export const cardWithNumber = (digits: string): Card => {
  const number = CardNumber.parse(digits)
  if (number === undefined) throw new Error('a test names an invalid card number')
  return { number, expiryMonth: 12, expiryYear: 2099, email: 'taro@example.com', holderName: 'TARO YAMADA' }
}

/** Undefined: none is held for exactly this attempt. */
export const heldCard = async (hold: CardHold, binding: CardBinding): Promise<Card | undefined> => {
  const found = await hold.find(binding)
  if (found.outcome === 'unavailable') throw new Error(found.why)
  return found.outcome === 'held' ? found.card : undefined
}

const luhnDigit = (digits: string): number => {
  const sum = [...digits].toReversed().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return (10 - (sum % 10)) % 10
}

/** The n-th of many valid numbers that are on no list of test cards. */
export const liveCardNumber = (n: number): string => {
  const digits = `4556${String(n).padStart(11, '0')}`
  return `${digits}${luhnDigit(digits)}`
}
