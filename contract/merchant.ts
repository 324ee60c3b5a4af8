/** Merchant API on the wire: creating a checkout, reading it, refunding it. */
import { Type, type Static } from 'typebox'
import { CARD_BRANDS } from './brands.ts'
import { CHECKOUT_STATUSES, InstantText, Links, Locale, Yen } from './checkout.ts'
import { TaxAmounts } from './invoice.ts'
import { AuthenticationFacts, Consent, DoubtFacts, Reference, Shopper } from './merchant-facts.ts'
import { REMARKS_MAX_LENGTH, SUBJECT_MAX_LENGTH } from './text-limits.ts'
import { TEXT_RULES } from './text-rules.ts'

const closed = { additionalProperties: false }

export const VALIDITY_DAYS_DEFAULT = 7
export const VALIDITY_DAYS_MAX = 180

export const URL_MAX_LENGTH = 2000

export const AcceptedCardBrands = Type.Array(Type.Enum([...CARD_BRANDS]), {
  minItems: 1,
  maxItems: CARD_BRANDS.length,
  uniqueItems: true,
})

const MetadataValue = Type.String({ maxLength: 500, description: 'A text of yours.' })

/** A record's own key type limits nothing, and its pattern passes over keys that hold a line break, whatever is in them. */
const Metadata = Type.Record(Type.String(), MetadataValue, {
  maxProperties: 20,
  propertyNames: Type.String({ maxLength: 40 }),
  additionalProperties: MetadataValue,
  description: 'Texts of your own by names of your own; they are given back and never shown to the shopper.',
})

export const CreateCheckoutBody = Type.Object(
  {
    amount: Yen,
    subject: Type.Optional(
      Type.String({ maxLength: SUBJECT_MAX_LENGTH, description: 'What is paid for; the shopper reads it.' }),
    ),
    validUntil: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'A date (the end of that day in Japan) or an instant; at most 180 days ahead. Default: the end of the 7th day.',
      }),
    ),
    remarks: Type.Optional(
      Type.String({ maxLength: REMARKS_MAX_LENGTH, description: 'More for the shopper to read; lines are kept.' }),
    ),
    acceptedCardBrands: Type.Optional({
      ...AcceptedCardBrands,
      description: 'Cards of other brands are refused. Left out: those of the settings, or all brands.',
    }),
    links: Type.Optional(
      Type.Object(
        {
          cancelUrl: Type.Optional(Type.String({ maxLength: URL_MAX_LENGTH, description: 'Where Cancel leads.' })),
          redirectUrl: Type.Optional(
            Type.String({
              maxLength: URL_MAX_LENGTH,
              description: 'Where the shopper goes after paying. Left out: our receipt is shown.',
            }),
          ),
        },
        {
          ...closed,
          description:
            'Where the shopper goes from our page. With a test key https, or http on loopback; with a live key https to a host in `linkHosts` of the settings. {CHECKOUT_ID} is replaced by the id of the checkout.',
        },
      ),
    ),
    locale: Type.Optional({
      ...Locale,
      description: 'The language of the page. Left out: that of the settings, or of the shopper’s browser.',
    }),
    metadata: Type.Optional(Metadata),
    reference: Type.Optional(Reference),
    taxes: Type.Optional({
      ...TaxAmounts,
      description:
        'The amount by tax rate, tax included, each rate at most once; the sum is the amount. Needs a subject.',
    }),
  },
  closed,
)
/** A creation with it can be sent again: within 24 hours it opens one checkout. */
export const CreateCheckoutHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        'Your own text of 1 to 255 characters, bare or in double quotes. Sent again within 24 hours with the same body it answers the same checkout as it stands, with Idempotent-Replayed: true.',
    }),
  ),
})

export type CreateCheckoutBody = Static<typeof CreateCheckoutBody>

export const MERCHANT_MODES = ['test', 'live'] as const
export type MerchantMode = (typeof MERCHANT_MODES)[number]

export const isMerchantMode = (value: string): value is MerchantMode => MERCHANT_MODES.some((mode) => mode === value)

/** The checkout as its merchant reads it. */
export const MerchantCheckoutAnswer = Type.Object(
  {
    id: Type.String({ description: 'The id of the checkout, part of its link.' }),
    url: Type.String({ description: 'The link to send to the shopper.' }),
    mode: Type.Enum([...MERCHANT_MODES], { description: 'The mode of the key that made it.' }),
    status: Type.Enum([...CHECKOUT_STATUSES], {
      description:
        'open: can be paid. paid: has been paid, perhaps refunded in part. refunded: all was given back. failed: too many cards were declined. cancelled: by the shopper or by you. expired: its time is over.',
    }),
    amount: Yen,
    subject: Type.Optional(Type.String({ description: 'What is paid for.' })),
    validUntil: { ...InstantText, description: 'It can be paid until then.' },
    remarks: Type.Optional(Type.String({ description: 'More for the shopper to read.' })),
    acceptedCardBrands: Type.Array(Type.String(), { description: 'The brands that it takes.' }),
    links: Links,
    locale: Type.Optional({ ...Locale, description: 'The language of the page, where you chose one.' }),
    metadata: Metadata,
    taxes: Type.Optional(TaxAmounts),
    createdAt: { ...InstantText, description: 'When it was created.' },
    transactionId: Type.Optional(Type.String({ description: 'The id of the payment at the acquirer.' })),
    paidAt: Type.Optional({ ...InstantText, description: 'When it was paid.' }),
    card: Type.Optional(
      Type.Object(
        {
          brand: Type.String({ description: 'Such as visa.' }),
          number: Type.String({ description: 'Masked: the last four digits alone.' }),
        },
        { ...closed, description: 'The card that paid.' },
      ),
    ),
    paymentPending: Type.Boolean({
      description: 'A charge is under way or in doubt: do not cancel or deliver yet, read again in a little while.',
    }),
    refundedAmount: Type.Integer({ minimum: 0, description: 'What has been given back so far, in yen.' }),
    reference: Type.Optional(Reference),
    shopper: Type.Optional(Shopper),
    authentication: Type.Optional(AuthenticationFacts),
    consent: Type.Optional(Consent),
    doubt: Type.Optional(DoubtFacts),
  },
  { ...closed, title: 'Checkout' },
)
export type MerchantCheckoutAnswer = Static<typeof MerchantCheckoutAnswer>

export const RefundBody = Type.Object(
  {
    refundId: Type.String({
      pattern: TEXT_RULES.refundId.pattern,
      description: 'Your own name for this refund. The same id is refunded once, however often it is sent.',
    }),
    amount: Type.Optional({ ...Yen, description: 'In yen. Left out: all that is left.' }),
    taxes: Type.Optional({
      ...TaxAmounts,
      description:
        'The refund by tax rate, where the checkout has taxes. Left out: all that is left, or the one rate that is left.',
    }),
  },
  closed,
)
export type RefundBody = Static<typeof RefundBody>

const REFUND_STATUSES = ['pending', 'refunded', 'refused'] as const

export const RefundAnswer = Type.Object(
  {
    refundId: Type.String({ description: 'Your own name for it.' }),
    checkoutId: Type.String({ description: 'The checkout that was paid.' }),
    amount: Yen,
    taxes: Type.Optional(TaxAmounts),
    status: Type.Enum([...REFUND_STATUSES], {
      description:
        'pending: the acquirer has not said yet what became of it; read it again later. refunded: given back. refused: by the acquirer; nothing was given back.',
    }),
    requestedAt: { ...InstantText, description: 'When you asked for it.' },
    refundedAt: Type.Optional({ ...InstantText, description: 'When the acquirer gave it back.' }),
    reason: Type.Optional(Type.String({ description: 'Why the acquirer refused it.' })),
  },
  { ...closed, title: 'Refund' },
)
export type RefundAnswer = Static<typeof RefundAnswer>
