/** Figures of the merchant API: what moved on each day in Japan, and how the checkouts that were begun on it have ended. */
import { Type, type Static } from 'typebox'
import { MERCHANT_ROUTES } from '../access.ts'
import { CARD_BRANDS } from '../brands.ts'
import { NoPath, queryCall } from '../calls.ts'
import { CountedAt, Day, dayRange, DayRangeQuery, sums } from './reports.ts'

const closed = { additionalProperties: false }

/** What is counted of checkouts. */
const COUNTED = {
  begun: 'checkouts whose first attempt began on the day',
  paid: 'of these: paid, on that day or later, also where the money was given back since',
  declined: 'of these: the last charge that was asked for was declined or not made',
  authenticationFailed: 'of these: the bank refused the card holder, or 3-D Secure could not be carried out',
  givenUp: 'of these: the shopper left, cancelled, let the time run out, or is still at it',
  inDoubt: 'of these: nobody knows yet whether a charge was made',
} as const

/** A database that was restored may not know the card of a charge. */
export const REPORTED_BRANDS = [...CARD_BRANDS, 'unknown'] as const
export type ReportedBrand = (typeof REPORTED_BRANDS)[number]

const count = (what: string) => Type.Integer({ minimum: 0, description: `How many: ${what}.` })

const CheckoutCounts = Type.Object(
  {
    begun: count(COUNTED.begun),
    paid: count(COUNTED.paid),
    declined: count(COUNTED.declined),
    authenticationFailed: count(COUNTED.authenticationFailed),
    givenUp: count(COUNTED.givenUp),
    inDoubt: count(COUNTED.inDoubt),
  },
  {
    ...closed,
    description: 'Checkouts by the day on which their first attempt began. All others together are as many as begun.',
  },
)

const figures = {
  ...sums,
  checkouts: CheckoutCounts,
  cardBrands: Type.Array(
    Type.Object(
      {
        cardBrand: Type.Enum([...REPORTED_BRANDS], {
          description: 'The brand of the card; unknown where a restored database has lost it.',
        }),
        charges: Type.Integer({ minimum: 1, description: 'How many charges.' }),
        chargedAmount: Type.Integer({ minimum: 1, description: 'What was charged, in yen.' }),
      },
      closed,
    ),
    { description: 'The charges by card brand. A brand without charges is left out.' },
  ),
}

export const FiguresAnswer = Type.Object(
  {
    from: Day('The first day.'),
    to: Day('The last day.'),
    days: Type.Array(
      Type.Object({ date: Day('A day in Japan.'), ...figures, countedAt: Type.Optional(CountedAt) }, closed),
      { description: 'Every day of the range, also one on which nothing happened; the first day first.' },
    ),
    total: Type.Object(figures, { ...closed, description: 'All days together.' }),
  },
  { ...closed, title: 'Figures' },
)
export type FiguresAnswer = Static<typeof FiguresAnswer>

export const FiguresExportQuery = Type.Object(
  {
    ...dayRange,
    locale: Type.Optional(
      Type.Enum(['ja_JP'], { description: 'ja_JP: headings in Japanese. Left out: the names of the columns.' }),
    ),
  },
  closed,
)
export type FiguresExportQuery = Static<typeof FiguresExportQuery>

/** Columns of the export in their order, before those of card brands, and what each holds. */
export const FIGURE_COLUMNS = [
  ['date', 'the day in Japan, such as 2026-11-30'],
  ['charges', 'how many charges were booked'],
  ['chargedAmount', 'what was charged, in yen'],
  ['refunds', 'how many refunds were booked'],
  ['refundedAmount', 'what was given back, in yen'],
  ['chargebacks', 'how many chargebacks were booked'],
  ['chargebackAmount', 'what chargebacks have taken, in yen'],
  ['chargebackReversals', 'how many reversals of chargebacks were booked'],
  ['reversedAmount', 'what reversals have returned, in yen'],
  ['begun', COUNTED.begun],
  ['paid', COUNTED.paid],
  ['declined', COUNTED.declined],
  ['authenticationFailed', COUNTED.authenticationFailed],
  ['givenUp', COUNTED.givenUp],
  ['inDoubt', COUNTED.inDoubt],
] as const
export type FigureColumn = (typeof FIGURE_COLUMNS)[number][0]

export const readFigures = queryCall({
  ...MERCHANT_ROUTES.readFigures,
  summary: 'Read the figures of each day in Japan: money, begun checkouts and how they ended, card brands',
  params: NoPath,
  query: DayRangeQuery,
  answer: FiguresAnswer,
  errors: [],
})

export const exportFigures = queryCall({
  ...MERCHANT_ROUTES.exportFigures,
  summary: 'Export the figures of each day as CSV, the oldest first',
  params: NoPath,
  query: FiguresExportQuery,
  answer: Type.String({ description: 'UTF-8 with BOM, lines end with CRLF, the first names the columns.' }),
  contentType: 'text/csv',
  errors: [],
})
