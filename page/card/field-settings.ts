/** Field settings: format, keyboard, autofill name and label of each field of the card form. */
import { formatDigitInput, formatTextInput, type FieldFormat } from './field-format.ts'
import type { CardField } from './fields.ts'

interface FieldSettings {
  readonly format: FieldFormat
  readonly autoComplete: string
  readonly inputMode: 'numeric' | 'text' | 'email'
  /** The name of its label in the dictionary. Its placeholder is called the same with `Example` behind it. */
  readonly label: 'number' | 'expiry' | 'cvc' | 'holder' | 'email'
}

export const fieldSettings: Record<CardField, FieldSettings> = {
  cardNumber: { format: 'number', autoComplete: 'cc-number', inputMode: 'numeric', label: 'number' },
  expiryDate: { format: 'expiry', autoComplete: 'cc-exp', inputMode: 'numeric', label: 'expiry' },
  cvc: { format: 'cvc', autoComplete: 'cc-csc', inputMode: 'numeric', label: 'cvc' },
  cardHolderName: { format: 'text', autoComplete: 'cc-name', inputMode: 'text', label: 'holder' },
  email: { format: 'text', autoComplete: 'email', inputMode: 'email', label: 'email' },
}

export const formatters: Record<FieldFormat, (input: HTMLInputElement) => string> = {
  number: (input) => formatDigitInput(input, 'number'),
  expiry: (input) => formatDigitInput(input, 'expiry'),
  cvc: (input) => formatDigitInput(input, 'cvc'),
  text: formatTextInput,
}
