/** Draft of a link: what was entered, what is wrong with it, and the body of the call that makes it. */
import { DAY_MS } from '#contract/jst.ts'
import type { WireLocale } from '#contract/locale.ts'
import type { CreateCheckoutBody } from '#contract/merchant/checkouts.ts'
import type { CreateReusableLinkBody } from '#contract/merchant/reusable-links.ts'
import { parseYen } from '../../forms/parse-yen.ts'

/** `once`: a checkout, which one shopper pays. */
export type LinkKind = 'once' | 'reusable'
export type AmountBy = 'merchant' | 'shopper'

export interface LinkDraft {
  readonly kind: LinkKind
  /** Of a reusable link alone. */
  readonly amountBy: AmountBy
  readonly amount: string
  readonly min: string
  readonly max: string
  readonly subject: string
  /** A day in Japan; null: the usual one, or no end. */
  readonly until: string | null
  readonly locale: WireLocale | 'any'
  readonly remarks: string
  readonly reference: string
  /** Of a reusable link alone; empty: no limit. */
  readonly maxPayments: string
}

export const EMPTY_DRAFT: LinkDraft = {
  kind: 'once',
  amountBy: 'merchant',
  amount: '',
  min: '',
  max: '',
  subject: '',
  until: null,
  locale: 'any',
  remarks: '',
  reference: '',
  maxPayments: '',
}

/** Whether the shopper of this link enters the amount. */
export const isEntered = ({ kind, amountBy }: LinkDraft): boolean => kind === 'reusable' && amountBy === 'shopper'

/** Why a field is wrong. `refused`: the server says so, and may name no reason that a person could read. */
export type FieldProblem =
  | 'missing'
  | 'not an amount'
  | 'below the smallest'
  | 'not a number'
  | 'card number'
  | 'refused'
export type DraftField = 'amount' | 'min' | 'max' | 'subject' | 'until' | 'remarks' | 'reference' | 'maxPayments'
export type DraftProblems = Readonly<Partial<Record<DraftField, FieldProblem>>>

const amountProblem = (text: string): FieldProblem | undefined => {
  const { state } = parseYen(text)
  if (state === 'empty') return 'missing'
  return state === 'wrong' ? 'not an amount' : undefined
}

const yenOf = (text: string): number => {
  const typed = parseYen(text)
  return typed.state === 'amount' ? typed.amount : 0
}

const MAX_PAYMENTS = /^[1-9]\d{0,5}$/

const countOf = (text: string): string => text.normalize('NFKC').replaceAll(/[\s,件]/g, '')

const known = (problems: Readonly<Record<string, FieldProblem | undefined>>): DraftProblems =>
  Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined))

export const problemsOf = (draft: LinkDraft): DraftProblems => {
  const { min, max, maxPayments, kind } = draft
  const isCounted = kind === 'reusable' && countOf(maxPayments) !== ''
  return known({
    ...(isEntered(draft)
      ? {
          min: amountProblem(min),
          max: amountProblem(max) ?? (yenOf(max) < yenOf(min) ? 'below the smallest' : undefined),
        }
      : { amount: amountProblem(draft.amount) }),
    maxPayments: isCounted && !MAX_PAYMENTS.test(countOf(maxPayments)) ? 'not a number' : undefined,
  })
}

const FIELD_OF: ReadonlyMap<string, DraftField> = new Map([
  ['amount', 'amount'],
  ['amountRange.min', 'min'],
  ['amountRange.max', 'max'],
  ['subject', 'subject'],
  ['remarks', 'remarks'],
  ['reference', 'reference'],
  ['validUntil', 'until'],
  ['maxPayments', 'maxPayments'],
])

const TEXTS: readonly string[] = ['subject', 'remarks', 'reference']

/** The field that the server has refused. A text that a field of ours lets through is refused for a card number in it. */
export const refusedField = (field: unknown): DraftProblems => {
  const name = typeof field === 'string' ? FIELD_OF.get(field) : undefined
  return name === undefined ? {} : { [name]: TEXTS.includes(name) ? 'card number' : 'refused' }
}

/** What the bodies of both calls have in common. */
const commonBody = ({ subject, until, locale, remarks, reference }: LinkDraft) => ({
  ...(subject.trim() === '' ? {} : { subject: subject.trim() }),
  ...(until === null ? {} : { validUntil: until }),
  ...(locale === 'any' ? {} : { locale }),
  ...(remarks.trim() === '' ? {} : { remarks: remarks.trim() }),
  ...(reference.trim() === '' ? {} : { reference: reference.trim() }),
})

export const checkoutBody = (draft: LinkDraft): CreateCheckoutBody => ({
  amount: yenOf(draft.amount),
  ...commonBody(draft),
})

export const reusableLinkBody = (draft: LinkDraft): CreateReusableLinkBody => ({
  ...(isEntered(draft)
    ? { amountRange: { min: yenOf(draft.min), max: yenOf(draft.max) } }
    : { amount: yenOf(draft.amount) }),
  ...commonBody(draft),
  ...(countOf(draft.maxPayments) === '' ? {} : { maxPayments: Number(countOf(draft.maxPayments)) }),
})

const SAMPLE_YEN = 1980

/** The amount that the preview shows: what was entered as far as it is one. */
export const previewedYen = (draft: LinkDraft): number => {
  const amount = yenOf(isEntered(draft) ? draft.min : draft.amount)
  return amount === 0 ? SAMPLE_YEN : amount
}

/** A checkout of a reusable link can be paid for a day. Undefined: the preview shows that of a checkout which names none. */
export const previewedDeadline = ({ kind, until }: LinkDraft, now: number): string | undefined =>
  kind === 'once' ? (until ?? undefined) : new Date(now + DAY_MS).toISOString()
