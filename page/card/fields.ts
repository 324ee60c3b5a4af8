/** Card form values under the specification's names; digits without separators. */
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

export interface CardFormValues {
  readonly cardNumber: string
  readonly cardHolderName: string
  readonly expiryDate: string
  readonly cvc: string
  readonly email: string
}

export type CardField = keyof CardFormValues

/** The order of the fields on the page, and in which the first invalid one is found. */
export const FIELD_ORDER: readonly CardField[] = ['cardNumber', 'expiryDate', 'cvc', 'cardHolderName', 'email']

export const EMPTY_VALUES: CardFormValues = { cardNumber: '', cardHolderName: '', expiryDate: '', cvc: '', email: '' }

export const withoutCard = ({ cardHolderName, email }: CardFormValues): CardFormValues => ({
  ...EMPTY_VALUES,
  cardHolderName,
  email,
})

export type FieldProblems = Readonly<Partial<Record<CardField, FieldProblem>>>

export const validateCardForm = (values: CardFormValues, mode: PageMode, now: number): FieldProblems => {
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

/** The card of the start call; undefined while the expiry cannot be parsed. */
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
