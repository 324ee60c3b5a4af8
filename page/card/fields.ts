import {
  checkCardNumber,
  checkCvc,
  checkEmail,
  checkExpiry,
  checkHolder,
  parseExpiry,
  problemOf,
  type FieldCheck,
  type FieldProblem,
  type PageMode,
} from '#contract/card.ts'
import type { CardPayload } from '#contract/three-ds.ts'

/** The form's values in the specification's words; digits without separators. */
export interface CardFormValues {
  readonly cardNumber: string
  readonly cardHolderName: string
  readonly expiryDate: string
  readonly cvc: string
  readonly email: string
}

export type CardField = keyof CardFormValues

/** The order in which a shopper meets the fields, and in which the first wrong one is found. */
export const FIELD_ORDER: readonly CardField[] = ['cardNumber', 'expiryDate', 'cvc', 'cardHolderName', 'email']

export const EMPTY_VALUES: CardFormValues = { cardNumber: '', cardHolderName: '', expiryDate: '', cvc: '', email: '' }

export type Problems = Readonly<Partial<Record<CardField, FieldProblem>>>

export const problemsOf = (values: CardFormValues, mode: PageMode, now: number): Problems => {
  const checks: Record<CardField, FieldCheck> = {
    cardNumber: checkCardNumber(values.cardNumber, mode),
    expiryDate: checkExpiry(values.expiryDate, now),
    cvc: checkCvc(values.cvc),
    cardHolderName: checkHolder(values.cardHolderName),
    email: checkEmail(values.email.trim()),
  }
  const problems = Object.entries(checks).map(([field, check]) => [field, problemOf(check)] as const)
  return Object.fromEntries(problems.filter(([, problem]) => problem !== undefined))
}

/** The payload of the start call; undefined while the expiry cannot be read. */
export const cardPayload = (values: CardFormValues): CardPayload | undefined => {
  const expiry = parseExpiry(values.expiryDate)
  if (expiry === undefined) return undefined
  return {
    number: values.cardNumber,
    expiryMonth: expiry.month,
    expiryYear: expiry.year,
    cvc: values.cvc,
    email: values.email.trim(),
    name: values.cardHolderName,
  }
}
