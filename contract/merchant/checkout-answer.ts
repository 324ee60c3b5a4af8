/** Checkout as its merchant reads it: the same in answers, in lists and in events. */
import { Type, type Static } from 'typebox'
import { MERCHANT_MODES } from '../access.ts'
import { CHECKOUT_STATUSES, InstantText, Links, Locale, Yen } from '../checkout.ts'
import { TaxAmounts } from '../invoice.ts'
import { REFERENCE_MAX_LENGTH } from '../text-limits.ts'
import { TEXT_RULES } from '../text-rules.ts'
import { DisputeAnswer } from './disputes.ts'

const closed = { additionalProperties: false }

const MetadataValue = Type.String({ maxLength: 500, description: 'A text of yours.' })

/** Not `Type.Record`: its pattern would let a name that holds a line break have any value. */
export const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: 20,
  propertyNames: Type.String({ maxLength: 40 }),
  additionalProperties: MetadataValue,
  description: 'Texts of your own by names of your own; they are given back and never shown to the shopper.',
})

export const Reference = Type.String({
  minLength: 1,
  maxLength: REFERENCE_MAX_LENGTH,
  pattern: TEXT_RULES.withoutNul.pattern,
  description: 'Your own number for it, such as that of an order. Two checkouts may have the same.',
})

export const Shopper = Type.Object(
  {
    email: Type.Optional(Type.String({ description: 'Where the receipt goes. Left out once it has been erased.' })),
    locale: Type.String({ description: 'The language of the page when it was paid, such as ja_JP.' }),
  },
  { ...closed, description: 'Who has paid.' },
)
export type Shopper = Static<typeof Shopper>

export const AuthenticationFacts = Type.Object(
  {
    transStatus: Type.Optional(Type.Enum(['Y', 'A'], { description: 'Y: authenticated. A: attempted.' })),
    eci: Type.Optional(Type.String({ description: 'Electronic Commerce Indicator, as the card network gives it.' })),
    dsTransId: Type.Optional(Type.String({ description: 'The id of the authentication at the directory server.' })),
    messageVersion: Type.Optional(Type.String({ description: 'The version of 3-D Secure, such as 2.2.0.' })),
    challenged: Type.Boolean({ description: 'The card holder has passed a challenge of the issuer.' }),
    exemption: Type.Optional(
      Type.Enum(['not_enrolled'], { description: 'Why it was charged without authentication.' }),
    ),
  },
  { ...closed, description: 'How the card holder was authenticated, where a charge has begun.' },
)
export type AuthenticationFacts = Static<typeof AuthenticationFacts>

const Consent = Type.Object(
  {
    version: Type.String({ description: 'Of the notice that the shopper agreed to by paying.' }),
    at: { ...InstantText, description: 'When the shopper agreed.' },
  },
  { ...closed, description: 'What the shopper agreed to.' },
)

const DoubtFacts = Type.Object(
  {
    since: { ...InstantText, description: 'Since when it is unknown.' },
    nextInquiryAt: { ...InstantText, description: 'When the acquirer is asked next.' },
  },
  { ...closed, description: 'The acquirer has not said yet what became of the charge; when it is asked next.' },
)

export const MerchantCheckoutAnswer = Type.Object(
  {
    id: Type.String({ description: 'The id of the checkout, part of its link.' }),
    url: Type.String({ description: 'The link to send to the shopper.' }),
    mode: Type.Enum([...MERCHANT_MODES], { description: 'The mode of the key that made it.' }),
    status: Type.Enum([...CHECKOUT_STATUSES], {
      description:
        'open: can be paid. paid: has been paid, perhaps refunded in part. refunded: all was given back. failed: too many cards were declined. cancelled: by the shopper or by you, or its reusable link was full, ended or disabled when it was to be paid. expired: its time is over.',
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
    linkId: Type.Optional(Type.String({ description: 'The reusable link that has opened it, where one has.' })),
    shopper: Type.Optional(Shopper),
    authentication: Type.Optional(AuthenticationFacts),
    consent: Type.Optional(Consent),
    doubt: Type.Optional(DoubtFacts),
    disputes: Type.Optional(
      Type.Array(DisputeAnswer, {
        description: 'Its disputes (chargebacks), the oldest first. Left out where there are none, and in lists.',
      }),
    ),
  },
  { ...closed, title: 'Checkout' },
)
export type MerchantCheckoutAnswer = Static<typeof MerchantCheckoutAnswer>
