/** Field formats: how the card fields group digits while the shopper types. Values of `data-format` in the markup too. */
import {
  CARD_NUMBER_MAX_DIGITS,
  CVC_MAX_DIGITS,
  digitsOf,
  EXPIRY_MAX_DIGITS,
  foldFullWidth,
  groupCardNumber,
  groupExpiry,
} from '#contract/card.ts'

export type DigitFormat = 'number' | 'expiry' | 'cvc'
export type FieldFormat = DigitFormat | 'text'

const digitFormats: Record<DigitFormat, readonly [maxDigits: number, group: (digits: string) => string]> = {
  number: [CARD_NUMBER_MAX_DIGITS, groupCardNumber],
  expiry: [EXPIRY_MAX_DIGITS, groupExpiry],
  cvc: [CVC_MAX_DIGITS, (digits) => digits],
}

export const isDigitFormat = (format: string | undefined): format is DigitFormat =>
  format !== undefined && format in digitFormats

/** What the field shows, its digits without separators, and where the caret belongs. */
type FormattedEdit = readonly [shown: string, digits: string, caret: number]

/** The position right after the n-th digit, before any separator, so that the next Backspace deletes a digit. */
const caretAfterDigits = (shown: string, count: number): number => {
  let position = 0
  for (let seen = 0; seen < count; position += 1) if (/\d/.test(shown.charAt(position))) seen += 1
  return position
}

/** Before the caret: where a digit of the month was deleted, the slash is behind it, and no zero may take its place. */
const ONE_DIGIT_MONTH = /^\s*[1-9１-９]\s*[/／]/

/** What a field should show after an edit, and where the caret belongs: after the digit that it was after. */
export const formatEdit = (format: DigitFormat, text: string, caret: number): FormattedEdit => {
  // 5/30 is May 2030; as digits alone it would be month 53.
  if (format === 'expiry' && ONE_DIGIT_MONTH.test(text.slice(0, caret)))
    return formatEdit(format, `0${text}`, caret + 1)
  const [maxDigits, group] = digitFormats[format]
  const digits = digitsOf(text, maxDigits)
  const shown = group(digits)
  return [shown, digits, caretAfterDigits(shown, digitsOf(text.slice(0, caret), maxDigits).length)]
}

/** Where the caret must be so that Backspace or Delete removes a digit and not the separator beside it. */
export const caretBesideDigit = (shown: string, caret: number, key: 'Backspace' | 'Delete'): number =>
  key === 'Backspace'
    ? caretAfterDigits(shown, shown.slice(0, caret).replace(/\D/g, '').length)
    : caret + (/^\D*/.exec(shown.slice(caret))?.[0].length ?? 0)

/** Writes only a value that differs: every write moves the caret, which is then put back. */
const writeValue = (input: HTMLInputElement, shown: string, caret: number): void => {
  if (input.value === shown) return
  input.value = shown
  if (document.activeElement === input) input.setSelectionRange(caret, caret)
}

const caretOf = (input: HTMLInputElement): number => input.selectionStart ?? 0

/** Formats a field of digits in place and returns its digits. */
export const formatDigitInput = (input: HTMLInputElement, format: DigitFormat): string => {
  const [shown, digits, caret] = formatEdit(format, input.value, caretOf(input))
  writeValue(input, shown, caret)
  return digits
}

/** The same for a text field: full-width characters become half-width, nothing is grouped. */
export const formatTextInput = (input: HTMLInputElement): string => {
  const folded = foldFullWidth(input.value)
  writeValue(input, folded, caretOf(input))
  return folded
}

/** Called before the browser deletes: a deleted separator would only come back. */
export const moveCaretOverSeparator = (input: HTMLInputElement, key: string): void => {
  const caret = caretOf(input)
  if ((key !== 'Backspace' && key !== 'Delete') || input.selectionEnd !== caret) return
  const target = caretBesideDigit(input.value, caret, key)
  if (target !== caret && target > 0 && target < input.value.length) input.setSelectionRange(target, target)
}
