/** Keys of the keypad: what each makes of the digits that were pressed before it. */
import { YEN_MAX } from '#contract/yen.ts'

export const KEYPAD_KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '00', '0', 'back'] as const
export type KeypadKey = (typeof KEYPAD_KEYS)[number]

const DIGITS_MAX = String(YEN_MAX).length

/** Digits without leading zeros; empty: nothing was entered. What would be more than an amount can be changes nothing. */
export const pressKey = (digits: string, key: KeypadKey): string => {
  if (key === 'back') return digits.slice(0, -1)
  const next = (digits + key).replace(/^0+/, '')
  return next.length > DIGITS_MAX ? digits : next
}

/** Digits that were typed on a keyboard, in any width. */
export const typedDigits = (text: string): string =>
  text.normalize('NFKC').replaceAll(/\D/g, '').replace(/^0+/, '').slice(0, DIGITS_MAX)
