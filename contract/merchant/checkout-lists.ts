/** Lists of checkouts: what they are looked for by, and the calls that list them and export them as CSV. */
import { Type, type Static } from 'typebox'
import { MERCHANT_ROUTES } from '../access.ts'
import { CARD_BRANDS } from '../brands.ts'
import { NoPath, queryCall } from '../calls.ts'
import { CHECKOUT_STATUSES } from '../checkout.ts'
import { TEXT_RULES } from '../text-rules.ts'
import { MerchantCheckoutAnswer, Reference } from './checkout-answer.ts'
import { Moment, pageOf, paging } from './lists.ts'

const closed = { additionalProperties: false }

/** Longest text that can be found: an e-mail address, or a link. */
const SEARCH_MAX_LENGTH = 300

const YenText = (which: string) =>
  Type.Optional(Type.String({ pattern: TEXT_RULES.yen.pattern, description: `${which}, in yen.` }))

/** What checkouts are looked for by, in lists and in their export. */
const filters = {
  search: Type.Optional(
    Type.String({
      maxLength: SEARCH_MAX_LENGTH,
      pattern: TEXT_RULES.someWithoutNul.pattern,
      description:
        'One text, found by its form: an amount (1,980 or ¥1980 or 1980円), the last four digits of the card, the e-mail address of the receipt, a checkout id, its link, an order at the acquirer, else your reference or the transaction id. Whole texts alone are found; subject, remarks, metadata and the cards of declined tries are not searched.',
    }),
  ),
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
  lastFour: Type.Optional(Type.String({ pattern: TEXT_RULES.lastFour.pattern, description: 'Of the card that paid.' })),
  linkId: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: TEXT_RULES.someWithoutNul.pattern,
      description: 'Opened by this reusable link.',
    }),
  ),
  transactionId: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: TEXT_RULES.someWithoutNul.pattern,
      description: 'The id of the payment at the acquirer.',
    }),
  ),
  amountFrom: YenText('The amount is this or more'),
  amountTo: YenText('The amount is this or less'),
  cardBrand: Type.Optional(Type.Enum([...CARD_BRANDS], { description: 'Of the card that paid.' })),
  createdFrom: Moment('Created at this time or later'),
  createdTo: Moment('Created at this time or earlier'),
  paidFrom: Moment('Paid at this time or later'),
  paidTo: Moment('Paid at this time or earlier'),
}

export const CheckoutListQuery = Type.Object({ ...filters, ...paging }, closed)
export type CheckoutListQuery = Static<typeof CheckoutListQuery>

export const CheckoutListAnswer = pageOf('CheckoutList', MerchantCheckoutAnswer)
export type CheckoutListAnswer = Static<typeof CheckoutListAnswer>

export const CheckoutExportQuery = Type.Object(
  {
    ...filters,
    locale: Type.Optional(
      Type.Enum(['ja_JP'], {
        description: 'ja_JP: headings and states in Japanese. Left out: the names of the columns.',
      }),
    ),
  },
  closed,
)
export type CheckoutExportQuery = Static<typeof CheckoutExportQuery>

/** How long a time of creation an export covers: without an end it would read all that a shop ever sold. */
export const EXPORT_DAYS_MAX = 366

/** Columns of the export in their order, and what each holds. */
export const CHECKOUT_COLUMNS = [
  ['createdDate', 'the day in Japan on which it was created, such as 2026-11-30'],
  ['createdTime', 'the time in Japan, such as 09:05'],
  ['status', 'open, paid, refunded, failed, cancelled or expired'],
  ['amount', 'in yen'],
  ['refundedAmount', 'what has been given back so far, in yen'],
  ['reference', 'your own number for it'],
  ['subject', 'what is paid for'],
  ['paidDate', 'the day in Japan on which it was paid'],
  ['paidTime', 'the time in Japan'],
  ['email', 'where the receipt goes'],
  ['cardBrand', 'the brand of the card, such as visa'],
  ['lastFour', 'the last four digits of the card'],
  ['transactionId', 'the id of the payment at the acquirer'],
  ['checkoutId', 'the id of the checkout'],
  ['url', 'its link'],
] as const
export type CheckoutColumn = (typeof CHECKOUT_COLUMNS)[number][0]

export const listCheckouts = queryCall({
  ...MERCHANT_ROUTES.listCheckouts,
  summary: 'List checkouts, the newest first',
  params: NoPath,
  query: CheckoutListQuery,
  answer: CheckoutListAnswer,
  errors: [],
})

export const exportCheckouts = queryCall({
  ...MERCHANT_ROUTES.exportCheckouts,
  summary: 'Export checkouts as CSV, the newest first',
  params: NoPath,
  query: CheckoutExportQuery,
  answer: Type.String({
    description:
      'UTF-8 with BOM, lines end with CRLF, the first names the columns. A cell that begins with = + - @ has an apostrophe before it.',
  }),
  contentType: 'text/csv',
  errors: [],
})
