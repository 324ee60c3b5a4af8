import {
  CARD_NUMBER_MAX_DIGITS,
  CVC_MAX_DIGITS,
  digitsOf,
  EXPIRY_MAX_DIGITS,
  foldFullWidth,
  groupCardNumber,
  groupExpiry,
} from '#contract/card.ts'

/** Fields that hold digits alone. Also values of `data-format`, by which the early script finds them. */
export type DigitFormat = 'number' | 'expiry' | 'cvc'
export type Format = DigitFormat | 'text'

const shapes: Record<DigitFormat, readonly [atMost: number, group: (digits: string) => string]> = {
  number: [CARD_NUMBER_MAX_DIGITS, groupCardNumber],
  expiry: [EXPIRY_MAX_DIGITS, groupExpiry],
  cvc: [CVC_MAX_DIGITS, (digits) => digits],
}

export const isDigitFormat = (format: string | undefined): format is DigitFormat =>
  format !== undefined && format in shapes

/** What the field shows, the digits it means, and where the caret belongs. */
type Retyped = readonly [shown: string, digits: string, caret: number]

/** The place right behind the n-th digit. In front of a separator, so that the next Backspace deletes a digit. */
const behindDigit = (shown: string, count: number): number => {
  let place = 0
  for (let seen = 0; seen < count; place += 1) if (/\d/.test(shown.charAt(place))) seen += 1
  return place
}

/** What a field should show after an edit, and where the caret belongs: behind the digit it was behind. */
export const retype = (format: DigitFormat, text: string, caret: number): Retyped => {
  const [atMost, group] = shapes[format]
  const digits = digitsOf(text, atMost)
  const shown = group(digits)
  return [shown, digits, behindDigit(shown, digitsOf(text.slice(0, caret), atMost).length)]
}

/** Where the caret must stand so that Backspace or Delete takes away a digit and not the separator beside it. */
export const besideDigit = (shown: string, caret: number, key: 'Backspace' | 'Delete'): number =>
  key === 'Backspace'
    ? shown.slice(0, caret).replace(/\D+$/, '').length
    : caret + (/^\D*/.exec(shown.slice(caret))?.[0].length ?? 0)

/** Writes only what differs: every write moves the caret, which is then put back. */
const show = (input: HTMLInputElement, shown: string, caret: number): void => {
  if (input.value === shown) return
  input.value = shown
  if (document.activeElement === input) input.setSelectionRange(caret, caret)
}

const caretOf = (input: HTMLInputElement): number => input.selectionStart ?? 0

/** Brings a field of digits into shape in place and answers its digits. */
export const settleDigits = (input: HTMLInputElement, format: DigitFormat): string => {
  const [shown, digits, caret] = retype(format, input.value, caretOf(input))
  show(input, shown, caret)
  return digits
}

/** The same for a field of text: full-width forms are folded, nothing is grouped. */
export const settleText = (input: HTMLInputElement): string => {
  const folded = foldFullWidth(input.value)
  show(input, folded, caretOf(input))
  return folded
}

/** Before the browser deletes: steps over a separator, which would only come back. */
export const stepOverSeparator = (input: HTMLInputElement, key: string): void => {
  const caret = caretOf(input)
  if ((key !== 'Backspace' && key !== 'Delete') || input.selectionEnd !== caret) return
  const place = besideDigit(input.value, caret, key)
  if (place !== caret && place > 0 && place < input.value.length) input.setSelectionRange(place, place)
}
