/** Draft of a link: what was entered, what is wrong with it, and the body of the call that makes it. */
import type { CardBrand } from '#contract/brands.ts'
import { sumOf, type Taxes } from '#contract/invoice-figures.ts'
import { DAY_MS } from '#contract/jst.ts'
import type { WireLocale } from '#contract/locale.ts'
import type { CreateCheckoutBody } from '#contract/merchant/checkouts.ts'
import type { CreateReusableLinkBody } from '#contract/merchant/reusable-links.ts'
import { TAX_RATES, type TaxRate } from '#contract/tax-rates.ts'
import { HALF_TYPED } from '../../forms/date-range.ts'
import { parseYen } from '../../forms/parse-yen.ts'
import { readCount } from '../../forms/read-count.ts'

/** `once`: a checkout, which one shopper pays. */
export type LinkKind = 'once' | 'reusable'
export type AmountBy = 'merchant' | 'shopper'
/** The tax rate of the whole amount. `none`: the receipt names no tax. `mixed`: an amount is entered for each rate. */
export const TAXED_BY = ['none', '10', '8', '0', 'mixed'] as const
export type TaxedBy = (typeof TAXED_BY)[number]

export const taxedField = (rate: TaxRate): `taxed${TaxRate}` => `taxed${rate}`

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
  readonly taxedBy: TaxedBy
  /** Of `mixed` alone, the amount at each rate, tax included; empty: nothing at this rate. */
  readonly taxed10: string
  readonly taxed8: string
  readonly taxed0: string
  /** Null: those of the shop's settings. */
  readonly brands: readonly CardBrand[] | null
  /** Where the shopper goes after paying; empty: our receipt is shown. */
  readonly redirectUrl: string
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
  taxedBy: 'none',
  taxed10: '',
  taxed8: '',
  taxed0: '',
  brands: null,
  redirectUrl: '',
}

/** Whether the shopper of this link enters the amount. */
export const isEntered = ({ kind, amountBy }: LinkDraft): boolean => kind === 'reusable' && amountBy === 'shopper'

/** Why a field is wrong. `refused`: the server says so, and may name no reason that a person could read. */
export type FieldProblem =
  | 'missing'
  | 'not an amount'
  | 'below the smallest'
  | 'not a number'
  | 'half typed'
  | 'subject missing'
  | 'not the amount'
  | 'no brand'
  | 'not an address'
  | 'card number'
  | 'refused'
export type DraftField =
  | 'amount'
  | 'min'
  | 'max'
  | 'subject'
  | 'until'
  | 'remarks'
  | 'reference'
  | 'maxPayments'
  | 'taxes'
  | `taxed${TaxRate}`
  | 'brands'
  | 'redirectUrl'
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

const known = (problems: Readonly<Record<string, FieldProblem | undefined>>): DraftProblems =>
  Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined))

/** The amount by tax rate; none where the receipt names no tax, or the shopper enters the amount. */
const taxesOf = (draft: LinkDraft): Taxes => {
  const { taxedBy, amount } = draft
  if (isEntered(draft) || taxedBy === 'none') return []
  const textAt = (rate: TaxRate): string => {
    if (taxedBy === 'mixed') return draft[taxedField(rate)]
    return taxedBy === String(rate) ? amount : ''
  }
  return TAX_RATES.map((rate) => ({ rate, amount: yenOf(textAt(rate)) })).filter((each) => each.amount > 0)
}

const taxProblems = (draft: LinkDraft): Readonly<Record<string, FieldProblem | undefined>> => {
  if (isEntered(draft) || draft.taxedBy === 'none') return {}
  const subject = draft.subject.trim() === '' ? 'subject missing' : undefined
  if (draft.taxedBy !== 'mixed') return { subject }
  const wrong = TAX_RATES.filter((rate) => parseYen(draft[taxedField(rate)]).state === 'wrong')
  const isWhole = sumOf(taxesOf(draft)) === yenOf(draft.amount)
  return {
    subject,
    ...Object.fromEntries(wrong.map((rate) => [taxedField(rate), 'not an amount'])),
    taxes: wrong.length > 0 || isWhole ? undefined : 'not the amount',
  }
}

export const problemsOf = (draft: LinkDraft): DraftProblems => {
  const { min, max, maxPayments, kind } = draft
  return known({
    ...(isEntered(draft)
      ? {
          min: amountProblem(min),
          max: amountProblem(max) ?? (yenOf(max) < yenOf(min) ? 'below the smallest' : undefined),
        }
      : { amount: amountProblem(draft.amount) }),
    maxPayments: kind === 'reusable' && readCount(maxPayments) === undefined ? 'not a number' : undefined,
    until: draft.until === HALF_TYPED ? 'half typed' : undefined,
    ...taxProblems(draft),
    brands: draft.brands?.length === 0 ? 'no brand' : undefined,
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
  ['taxes', 'taxes'],
  ['acceptedCardBrands', 'brands'],
  ['links.redirectUrl', 'redirectUrl'],
])

/** Why the server refuses a field that ours lets through: a text for a card number in it. */
const REFUSED: Readonly<Partial<Record<DraftField, FieldProblem>>> = {
  subject: 'card number',
  remarks: 'card number',
  reference: 'card number',
  redirectUrl: 'not an address',
}

/** The field that the server has refused. */
export const refusedField = (field: unknown): DraftProblems => {
  const name = typeof field === 'string' ? FIELD_OF.get(field) : undefined
  return name === undefined ? {} : { [name]: REFUSED[name] ?? 'refused' }
}

/** What the bodies of both calls have in common. */
const commonBody = (draft: LinkDraft) => {
  const { subject, until, locale, remarks, reference, brands, redirectUrl } = draft
  const taxes = taxesOf(draft)
  return {
    ...(subject.trim() === '' ? {} : { subject: subject.trim() }),
    ...(until === null ? {} : { validUntil: until }),
    ...(locale === 'any' ? {} : { locale }),
    ...(remarks.trim() === '' ? {} : { remarks: remarks.trim() }),
    ...(reference.trim() === '' ? {} : { reference: reference.trim() }),
    ...(taxes.length === 0 ? {} : { taxes: [...taxes] }),
    ...(brands === null ? {} : { acceptedCardBrands: [...brands] }),
    ...(redirectUrl.trim() === '' ? {} : { links: { redirectUrl: redirectUrl.trim() } }),
  }
}

export const checkoutBody = (draft: LinkDraft): CreateCheckoutBody => ({
  amount: yenOf(draft.amount),
  ...commonBody(draft),
})

export const reusableLinkBody = (draft: LinkDraft): CreateReusableLinkBody => {
  const maxPayments = readCount(draft.maxPayments) ?? null
  return {
    ...(isEntered(draft)
      ? { amountRange: { min: yenOf(draft.min), max: yenOf(draft.max) } }
      : { amount: yenOf(draft.amount) }),
    ...commonBody(draft),
    ...(maxPayments === null ? {} : { maxPayments }),
  }
}

const SAMPLE_YEN = 1980

/** The amount that the preview shows: what was entered as far as it is one. */
export const previewedYen = (draft: LinkDraft): number => {
  const amount = yenOf(isEntered(draft) ? draft.min : draft.amount)
  return amount === 0 ? SAMPLE_YEN : amount
}

/** A checkout of a reusable link can be paid for a day. Undefined: the preview shows that of a checkout which names none. */
export const previewedDeadline = ({ kind, until }: LinkDraft, now: number): string | undefined =>
  kind === 'once' ? (until === null || until === HALF_TYPED ? undefined : until) : new Date(now + DAY_MS).toISOString()

/** As far as they are whole: the page draws none that do not add up to the amount. */
export const previewedTaxes = (draft: LinkDraft): { readonly taxes?: Taxes } => {
  const taxes = taxesOf(draft)
  return taxes.length > 0 && sumOf(taxes) === previewedYen(draft) ? { taxes } : {}
}
