/** Lists and reports of the merchant API on the wire: filters, pages, timeline, summary. */
import { Type, type Static, type TProperties, type TSchema } from 'typebox'
import { CHECKOUT_STATUSES, InstantText } from './checkout.ts'
import { MAIL_STATES } from './mail-facts.ts'
import { Reference } from './merchant-facts.ts'
import { MerchantCheckoutAnswer, RefundAnswer } from './merchant.ts'
import { TEXT_RULES } from './text-rules.ts'

const closed = { additionalProperties: false }

export const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100

export const paging = {
  limit: Type.Optional(
    Type.String({
      pattern: TEXT_RULES.limit.pattern,
      description: `How many at most: 1 to ${LIMIT_MAX}, default ${LIMIT_DEFAULT}.`,
    }),
  ),
  after: Type.Optional(Type.String({ maxLength: 300, description: 'The `after` of the page before.' })),
}

export const Moment = (which: string) =>
  Type.Optional(
    Type.String({ maxLength: 40, description: `${which}; a date in Japan such as 2026-11-30, or an instant.` }),
  )

export const PageQuery = Type.Object(paging, closed)
export type PageQuery = Static<typeof PageQuery>

export const CheckoutListQuery = Type.Object(
  {
    status: Type.Optional(Type.Enum([...CHECKOUT_STATUSES], { description: 'In this state.' })),
    pending: Type.Optional(Type.Enum(['true', 'false'], { description: 'Whether a charge is under way or in doubt.' })),
    reference: Type.Optional(Reference),
    email: Type.Optional(
      Type.String({
        maxLength: 254,
        pattern: TEXT_RULES.someWithoutNul.pattern,
        description: 'The address the receipt of the payment goes to.',
      }),
    ),
    lastFour: Type.Optional(
      Type.String({ pattern: TEXT_RULES.lastFour.pattern, description: 'Of the card that paid.' }),
    ),
    transactionId: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: TEXT_RULES.someWithoutNul.pattern,
        description: 'The id of the payment at the acquirer.',
      }),
    ),
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
    'Send it as `after` for the next page; null: that was the last. With rare filters or long texts a page may hold fewer items than `limit`, even none: go on while `after` is there.',
})

const page = <Item extends TSchema>(item: Item) => ({
  items: Type.Array(item, { description: 'The newest first.' }),
  after: After,
})

export const pageOf = <Item extends TSchema>(title: string, item: Item) => Type.Object(page(item), { ...closed, title })

/** A page that says more of itself. */
export const pageWith = <Item extends TSchema, More extends TProperties>(title: string, item: Item, more: More) =>
  Type.Object({ ...page(item), ...more }, { ...closed, title })

export const CheckoutListAnswer = pageOf('CheckoutList', MerchantCheckoutAnswer)
export type CheckoutListAnswer = Static<typeof CheckoutListAnswer>

export const RefundListAnswer = pageOf('RefundList', RefundAnswer)
export type RefundListAnswer = Static<typeof RefundListAnswer>

/** One change of state. */
export const TimelineItem = Type.Object(
  {
    at: { ...InstantText, description: 'When it changed.' },
    what: Type.Enum(['checkout', 'attempt', 'refund', 'mail', 'delivery'], {
      description:
        'What changed. An attempt is one try to pay with one card; a mail is one to the shopper; a delivery is one event sent to one webhook, told when it has ended, for 30 days and while the webhook is there.',
    }),
    id: Type.Optional(
      Type.String({
        description:
          'Of the attempt, which is also its order at the acquirer, or of the refund; of a mail its kind: receipt, reissue, refund or nothing_charged; of a delivery the id of the webhook.',
      }),
    ),
    from: Type.Optional(Type.String({ description: 'Left out where there was nothing before.' })),
    to: Type.String({ description: 'The state that it is in from then on.' }),
    by: Type.String({ description: 'shopper, merchant, settlement (an answer of the acquirer), worker or operator.' }),
    why: Type.String({ description: 'The reason, in a few words; of a delivery the type and the id of its event.' }),
  },
  { ...closed, title: 'TimelineItem' },
)
export type TimelineItem = Static<typeof TimelineItem>

export const ReceiptAnswer = Type.Object(
  {
    checkoutId: Type.String({ description: 'The id of the checkout.' }),
    status: Type.Enum([...MAIL_STATES], {
      description:
        'waiting: for its first or next try; sending; sent: the mail server has taken it; refused by it for good; given_up after 72 hours.',
    }),
    createdAt: InstantText,
  },
  { ...closed, title: 'Receipt', description: 'A receipt on its way to the shopper.' },
)
export type ReceiptAnswer = Static<typeof ReceiptAnswer>

export const TimelineAnswer = pageOf('Timeline', TimelineItem)

const Day = (which: string) => Type.String({ pattern: TEXT_RULES.day.pattern, description: which })

export const RANGE_DAYS_DEFAULT = 30
export const RANGE_DAYS_MAX = 366

const dayRange = {
  from: Type.Optional(Day(`The first day in Japan. Default: ${RANGE_DAYS_DEFAULT} days up to the last.`)),
  to: Type.Optional(Day(`The last day in Japan. Default: today. At most ${RANGE_DAYS_MAX} days.`)),
}

/** Days in Japan. */
export const DayRangeQuery = Type.Object(dayRange, closed)
export type DayRangeQuery = Static<typeof DayRangeQuery>

const sums = {
  charges: Type.Integer({ minimum: 0, description: 'How many charges.' }),
  chargedAmount: Type.Integer({ minimum: 0, description: 'What was charged, in yen.' }),
  refunds: Type.Integer({ minimum: 0, description: 'How many refunds.' }),
  refundedAmount: Type.Integer({ minimum: 0, description: 'What was given back, in yen.' }),
  netAmount: Type.Integer({ description: 'Charged less refunded, in yen.' }),
}

export const SummaryAnswer = Type.Object(
  {
    from: Day('The first day.'),
    to: Day('The last day.'),
    days: Type.Array(Type.Object({ date: Day('A day in Japan.'), ...sums }, closed), {
      description: 'Every day of the range, also one on which nothing moved; the first day first.',
    }),
    total: Type.Object(sums, { ...closed, description: 'All days together.' }),
  },
  { ...closed, title: 'Summary' },
)
export type SummaryAnswer = Static<typeof SummaryAnswer>

/** What an export is asked for beside its days. */
export const ExportQuery = Type.Object(
  {
    ...dayRange,
    locale: Type.Optional(
      Type.Enum(['ja_JP'], {
        description: 'ja_JP: headings and kinds in Japanese. Left out: the names of the columns.',
      }),
    ),
    taxes: Type.Optional(
      Type.Enum(['true', 'false'], { description: 'true: columns for each tax rate follow. Default: false.' }),
    ),
  },
  closed,
)
export type ExportQuery = Static<typeof ExportQuery>

/** Columns of the export in their order, and what each holds. */
export const MOVEMENT_COLUMNS = [
  ['date', 'the day in Japan on which it was booked, such as 2026-11-30'],
  ['time', 'the time in Japan, such as 09:05'],
  ['kind', 'charge or refund'],
  ['chargedAmount', 'of a charge, in yen'],
  ['refundedAmount', 'of a refund, in yen'],
  ['checkoutId', 'the id of the checkout'],
  ['reference', 'your own number for the checkout'],
  ['subject', 'what was paid for'],
  ['refundId', 'your own name for the refund; empty for a charge'],
  ['transactionId', 'the id of the payment at the acquirer'],
  ['cardBrand', 'the brand of the card, such as visa'],
  ['lastFour', 'the last four digits of the card'],
] as const
export type MovementColumn = (typeof MOVEMENT_COLUMNS)[number][0]

/** Columns that follow where taxes are asked for; all empty where the checkout has no taxes. */
export const TAX_COLUMNS = [
  ['amountAt10', 'what of the amount is at 10 %, tax included, in yen'],
  ['taxAt10', 'the tax contained in it, rounded down once'],
  ['amountAt8', 'what of the amount is at the reduced rate of 8 %, tax included, in yen'],
  ['taxAt8', 'the tax contained in it, rounded down once'],
  ['amountAt0', 'what of the amount bears no tax, in yen'],
] as const
export type TaxColumn = (typeof TAX_COLUMNS)[number][0]
