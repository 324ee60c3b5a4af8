/** Reports of the merchant API: charges, refunds and chargebacks by day, and their export as CSV. */
import { Type, type Static } from 'typebox'
import { MERCHANT_ROUTES } from '../access.ts'
import { NoPath, queryCall } from '../calls.ts'
import { InstantText } from '../checkout.ts'
import { TEXT_RULES } from '../text-rules.ts'

const closed = { additionalProperties: false }

export const Day = (which: string) => Type.String({ pattern: TEXT_RULES.day.pattern, description: which })

export const RANGE_DAYS_DEFAULT = 30
export const RANGE_DAYS_MAX = 366

export const dayRange = {
  from: Type.Optional(Day(`The first day in Japan. Default: ${RANGE_DAYS_DEFAULT} days up to the last.`)),
  to: Type.Optional(Day(`The last day in Japan. Default: today. At most ${RANGE_DAYS_MAX} days.`)),
}

export const DayRangeQuery = Type.Object(dayRange, closed)
export type DayRangeQuery = Static<typeof DayRangeQuery>

export const sums = {
  charges: Type.Integer({ minimum: 0, description: 'How many charges.' }),
  chargedAmount: Type.Integer({ minimum: 0, description: 'What was charged, in yen.' }),
  refunds: Type.Integer({ minimum: 0, description: 'How many refunds.' }),
  refundedAmount: Type.Integer({ minimum: 0, description: 'What was given back, in yen.' }),
  chargebacks: Type.Integer({ minimum: 0, description: 'How many chargebacks: money that disputes have taken.' }),
  chargebackAmount: Type.Integer({ minimum: 0, description: 'What chargebacks have taken, in yen.' }),
  chargebackReversals: Type.Integer({ minimum: 0, description: 'How many reversals of chargebacks.' }),
  reversedAmount: Type.Integer({ minimum: 0, description: 'What reversals have returned to you, in yen.' }),
  netAmount: Type.Integer({
    description: 'Charged less refunded, less taken by chargebacks, and what was returned added, in yen.',
  }),
}

export const CountedAt = {
  ...InstantText,
  description:
    'When this day was counted, at most a minute ago: only of a busy day that is not over yet, or not summed. Left out: it was summed, or counted for this answer.',
}

export const SummaryAnswer = Type.Object(
  {
    from: Day('The first day.'),
    to: Day('The last day.'),
    days: Type.Array(
      Type.Object({ date: Day('A day in Japan.'), ...sums, countedAt: Type.Optional(CountedAt) }, closed),
      {
        description: 'Every day of the range, also one on which nothing moved; the first day first.',
      },
    ),
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
  ['kind', 'charge, refund, chargeback or chargeback_reversal'],
  ['chargedAmount', 'of a charge, in yen'],
  ['refundedAmount', 'of a refund, in yen'],
  ['checkoutId', 'the id of the checkout'],
  ['reference', 'your own number for the checkout'],
  ['subject', 'what was paid for'],
  ['refundId', 'your own name for the refund; empty for all others'],
  ['transactionId', 'the id of the payment at the acquirer'],
  ['cardBrand', 'the brand of the card, such as visa'],
  ['lastFour', 'the last four digits of the card'],
] as const
export type MovementColumn = (typeof MOVEMENT_COLUMNS)[number][0]

/** The last columns, behind those of taxes, so that every other column stays where it has always been. */
export const CHARGEBACK_COLUMNS = [
  ['chargebackAmount', 'of a chargeback, in yen'],
  ['reversedAmount', 'of the reversal of a chargeback, in yen'],
  ['chargebackId', 'the acquirer’s id of the chargeback or the reversal'],
] as const
export type ChargebackColumn = (typeof CHARGEBACK_COLUMNS)[number][0]

/** Columns that follow where taxes are asked for; all empty where the checkout has no taxes, and for a chargeback. */
export const TAX_COLUMNS = [
  ['amountAt10', 'what of the amount is at 10 %, tax included, in yen'],
  ['taxAt10', 'the tax contained in it, rounded down once'],
  ['amountAt8', 'what of the amount is at the reduced rate of 8 %, tax included, in yen'],
  ['taxAt8', 'the tax contained in it, rounded down once'],
  ['amountAt0', 'what of the amount bears no tax, in yen'],
] as const
export type TaxColumn = (typeof TAX_COLUMNS)[number][0]

export const readSummary = queryCall({
  ...MERCHANT_ROUTES.readSummary,
  summary: 'Add up charges, refunds and chargebacks by day in Japan',
  params: NoPath,
  query: DayRangeQuery,
  answer: SummaryAnswer,
  errors: [],
})

export const exportMovements = queryCall({
  ...MERCHANT_ROUTES.exportMovements,
  summary: 'Export charges, refunds and chargebacks as CSV, the oldest first',
  params: NoPath,
  query: ExportQuery,
  answer: Type.String({
    description:
      'UTF-8 with BOM, lines end with CRLF, the first names the columns. A cell that begins with = + - @ has an apostrophe before it.',
  }),
  contentType: 'text/csv',
  errors: [],
})
