/** References that Adyen gives: of a payment or a modification, and the bank's authorisation code. */
import { randomInt } from 'node:crypto'

const REFERENCE_CHARACTERS = 'ABCDEFGHJKLMNPQRSTVWXYZ23456789'

/** 16 characters that begin with a letter: nobody takes it for a card number. */
export const newPspReference = (): string =>
  Array.from({ length: 16 }, (_, index) => REFERENCE_CHARACTERS[randomInt(index === 0 ? 23 : 31)]).join('')

export const newAuthCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')
