/** Lists and reports of the merchant API on the wire: filters, pages, timeline, summary. */
import { Type, type Static, type TSchema } from 'typebox'
import { CHECKOUT_STATUSES, InstantText } from './checkout.ts'
import { Reference } from './merchant-facts.ts'
import { MerchantCheckoutAnswer, RefundAnswer } from './merchant.ts'

const closed = { additionalProperties: false }

export const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100

/** A query is text, and no schema turns it into anything else: a number has a pattern. */
const paging = {
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]?|100)$',
      description: `How many at most: 1 to ${LIMIT_MAX}, default ${LIMIT_DEFAULT}.`,
    }),
  ),
  after: Type.Optional(Type.String({ maxLength: 300, description: 'The `after` of the page before.' })),
}

const Moment = (which: string) =>
  Type.Optional(
    Type.String({ maxLength: 40, description: `${which}; a date in Japan such as 2026-11-30, or an instant.` }),
  )

export const PageQuery = Type.Object(paging, closed)
export type PageQuery = Static<typeof PageQuery>

export const CheckoutListQuery = Type.Object(
  {
    status: Type.Optional(Type.Enum([...CHECKOUT_STATUSES])),
    pending: Type.Optional(Type.Enum(['true', 'false'], { description: 'Whether a charge is under way or in doubt.' })),
    reference: Type.Optional(Reference),
    email: Type.Optional(
      Type.String({
        maxLength: 254,
        pattern: '^[^\\u0000]+$',
        description: 'The address the receipt of the payment goes to.',
      }),
    ),
    lastFour: Type.Optional(Type.String({ pattern: '^[0-9]{4}$', description: 'Of the card that paid.' })),
    transactionId: Type.Optional(Type.String({ maxLength: 200, pattern: '^[^\\u0000]+$' })),
    createdFrom: Moment('Created at this time or later'),
    createdTo: Moment('Created at this time or earlier'),
    paidFrom: Moment('Paid at this time or later'),
    paidTo: Moment('Paid at this time or earlier'),
    ...paging,
  },
  closed,
)
export type CheckoutListQuery = Static<typeof CheckoutListQuery>

const After = Type.Union([Type.String(), Type.Null()], {
  description:
    'Send it as `after` for the next page; null: that was the last. With rare filters a page may hold fewer items than `limit`, even none: go on while `after` is there.',
})

const pageOf = <Item extends TSchema>(item: Item) => Type.Object({ items: Type.Array(item), after: After }, closed)

export const CheckoutListAnswer = pageOf(MerchantCheckoutAnswer)
export type CheckoutListAnswer = Static<typeof CheckoutListAnswer>

export const RefundListAnswer = pageOf(RefundAnswer)
export type RefundListAnswer = Static<typeof RefundListAnswer>

/** One change of state. */
export const TimelineItem = Type.Object(
  {
    at: InstantText,
    subject: Type.Enum(['checkout', 'attempt', 'refund']),
    id: Type.Optional(
      Type.String({ description: 'Of the attempt, which is also its order at the acquirer, or of the refund.' }),
    ),
    from: Type.Optional(Type.String({ description: 'Left out where there was nothing before.' })),
    to: Type.String(),
    by: Type.String({ description: 'shopper, merchant, settlement (an answer of the acquirer) or worker.' }),
    why: Type.String(),
  },
  closed,
)
export type TimelineItem = Static<typeof TimelineItem>

export const TimelineAnswer = pageOf(TimelineItem)

const Day = (which: string) => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: which })

export const RANGE_DAYS_DEFAULT = 30
export const RANGE_DAYS_MAX = 366

/** Days in Japan. */
export const DayRangeQuery = Type.Object(
  {
    from: Type.Optional(Day(`The first day in Japan. Default: ${RANGE_DAYS_DEFAULT} days up to the last.`)),
    to: Type.Optional(Day(`The last day in Japan. Default: today. At most ${RANGE_DAYS_MAX} days.`)),
  },
  closed,
)
export type DayRangeQuery = Static<typeof DayRangeQuery>

const sums = {
  charges: Type.Integer({ minimum: 0 }),
  chargedAmount: Type.Integer({ minimum: 0 }),
  refunds: Type.Integer({ minimum: 0 }),
  refundedAmount: Type.Integer({ minimum: 0 }),
  netAmount: Type.Integer({ description: 'Charged less refunded.' }),
}

export const SummaryAnswer = Type.Object(
  {
    from: Day('The first day.'),
    to: Day('The last day.'),
    days: Type.Array(Type.Object({ date: Day('A day in Japan.'), ...sums }, closed)),
    total: Type.Object(sums, closed),
  },
  closed,
)
export type SummaryAnswer = Static<typeof SummaryAnswer>
