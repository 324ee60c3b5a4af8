/** Filters of the lists, each with values that many rows have, few, and none; and every pair of them. */
import type { CheckoutListQuery } from '#contract/merchant/checkout-lists.ts'
import type { EventListQuery } from '#contract/merchant/events.ts'
import { DAY_MS } from '#contract/jst.ts'
import { MADE_AT, MEASURED_AT, REFUNDED_MADE_AT } from '../filled-database/filled-database.ts'
import { AMOUNT, EMAIL, LINK, REFERENCE, TRANSACTION } from './prepare.ts'

/** Null: the filter has no such value. */
interface Values {
  readonly many: string | null
  readonly few: string | null
  readonly none: string | null
  /** Other forms of it. */
  readonly also?: readonly string[]
}

/** A filter that the contract gets compiles only with values here. */
type ValuesOf<Query> = { readonly [Name in keyof Omit<Query, 'limit' | 'after'>]-?: Values }

/** What a list is asked for: the text behind `?`. */
export type Filters = Readonly<Record<string, string>>

const iso = (at: number): string => new Date(at).toISOString()
const UNKNOWN_ID = 'k3v5q2m7x4n6p2r5t3w7y4z6a2c5e3g7'

/** The rows lie behind `MADE_AT`, a millisecond apart: so many of them are few. */
const FEW_MS = 40

export const checkoutFilters = (checkouts: number): ValuesOf<CheckoutListQuery> => ({
  search: {
    many: `¥${AMOUNT.many}`,
    few: AMOUNT.few,
    none: UNKNOWN_ID,
    also: [
      `${AMOUNT.many}`,
      '4242',
      '1111',
      '9999',
      EMAIL.many,
      EMAIL.few,
      REFERENCE.many,
      REFERENCE.few,
      TRANSACTION.few,
    ],
  },
  status: { many: 'paid', few: 'refunded', none: 'cancelled', also: ['open', 'expired', 'failed'] },
  pending: { many: 'false', few: 'true', none: null },
  reference: { many: REFERENCE.many, few: REFERENCE.few, none: 'order-unknown' },
  email: { many: EMAIL.many, few: EMAIL.few, none: 'nobody@example.com' },
  lastFour: { many: '4242', few: '1111', none: '9999' },
  linkId: { many: LINK.many, few: LINK.few, none: 'b'.repeat(32) },
  transactionId: { many: null, few: TRANSACTION.few, none: 'txn-unknown' },
  amountFrom: { many: '1', few: '20050', none: '9000000', also: [`${AMOUNT.many}`, AMOUNT.few] },
  amountTo: { many: '9999999', few: AMOUNT.few, none: '1', also: [`${AMOUNT.many}`] },
  cardBrand: { many: 'visa', few: 'jcb', none: 'diners' },
  createdFrom: {
    many: iso(REFUNDED_MADE_AT - DAY_MS),
    few: iso(MADE_AT + Math.round(0.6 * checkouts) - FEW_MS),
    none: iso(MEASURED_AT),
  },
  createdTo: { many: iso(MEASURED_AT), few: iso(REFUNDED_MADE_AT + FEW_MS), none: iso(REFUNDED_MADE_AT - DAY_MS) },
  paidFrom: {
    many: iso(REFUNDED_MADE_AT - DAY_MS),
    few: iso(MADE_AT + Math.round(0.27 * checkouts) - FEW_MS),
    none: iso(MEASURED_AT),
  },
  paidTo: { many: iso(MEASURED_AT), few: iso(REFUNDED_MADE_AT + FEW_MS), none: iso(REFUNDED_MADE_AT - DAY_MS) },
})

export const eventFilters = (checkouts: number, eventId: string): ValuesOf<EventListQuery> => ({
  createdFrom: {
    many: iso(REFUNDED_MADE_AT - DAY_MS),
    few: iso(MEASURED_AT + Math.round(0.6 * checkouts) - FEW_MS),
    none: iso(MEASURED_AT + DAY_MS),
  },
  createdTo: { many: iso(MEASURED_AT), few: iso(REFUNDED_MADE_AT + FEW_MS), none: iso(REFUNDED_MADE_AT - DAY_MS) },
  newerThan: { many: eventId, few: null, none: `evt_${UNKNOWN_ID}` },
})

const textsOf = ({ many, few, none, also = [] }: Values): string[] =>
  [many, few, none, ...also].filter((value) => value !== null)

/** Every value by itself, and with every value of each other filter. */
export const pairsOf = (values: Readonly<Record<string, Values>>): Filters[] => {
  const named = Object.entries(values)
  return named.flatMap(([name, one], place) =>
    textsOf(one).flatMap((value): Filters[] => [
      { [name]: value },
      ...named
        .slice(place + 1)
        .flatMap(([otherName, other]) =>
          textsOf(other).map((otherValue) => ({ [name]: value, [otherName]: otherValue })),
        ),
    ]),
  )
}

export const describeFilters = (filters: Filters): string =>
  Object.entries(filters)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
