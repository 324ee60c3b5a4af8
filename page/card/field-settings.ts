/** Field settings: format, keyboard, autofill name and texts of each field of the card form. */
import type { Words } from '../words/en-US.ts'
import { formatDigitInput, formatTextInput, type FieldFormat } from './field-format.ts'
import type { CardField } from './fields.ts'

interface FieldSettings {
  readonly format: FieldFormat
  readonly autoComplete: string
  readonly inputMode: 'numeric' | 'text' | 'email'
  texts(card: Words['card']): { readonly label: string; readonly placeholder: string }
}

export const fieldSettings: Record<CardField, FieldSettings> = {
  cardNumber: {
    format: 'number',
    autoComplete: 'cc-number',
    inputMode: 'numeric',
    texts: (card) => ({ label: card.number, placeholder: card.numberExample }),
  },
  expiryDate: {
    format: 'expiry',
    autoComplete: 'cc-exp',
    inputMode: 'numeric',
    texts: (card) => ({ label: card.expiry, placeholder: card.expiryExample }),
  },
  cvc: {
    format: 'cvc',
    autoComplete: 'cc-csc',
    inputMode: 'numeric',
    texts: (card) => ({ label: card.cvc, placeholder: card.cvcExample('3') }),
  },
  cardHolderName: {
    format: 'text',
    autoComplete: 'cc-name',
    inputMode: 'text',
    texts: (card) => ({ label: card.holder, placeholder: card.holderExample }),
  },
  email: {
    format: 'text',
    autoComplete: 'email',
    inputMode: 'email',
    texts: (card) => ({ label: card.email, placeholder: card.emailExample }),
  },
}

export const formatters: Record<FieldFormat, (input: HTMLInputElement) => string> = {
  number: (input) => formatDigitInput(input, 'number'),
  expiry: (input) => formatDigitInput(input, 'expiry'),
  cvc: (input) => formatDigitInput(input, 'cvc'),
  text: formatTextInput,
}
