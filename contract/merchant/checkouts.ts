/** Checkouts of the merchant API: what is sent to create one, and the calls that create, read and cancel one, draw its QR code and send its receipt. */
import { Type, type Static } from 'typebox'
import { MERCHANT_ROUTES } from '../access.ts'
import { CARD_BRANDS } from '../brands.ts'
import { bodilessCall, merchantCall, NoPath, NoQuery, queryCall } from '../calls.ts'
import { CheckoutPath, InstantText, Locale, Yen } from '../checkout.ts'
import { TaxAmounts } from '../invoice.ts'
import { MAIL_STATES } from '../mail-facts.ts'
import { REMARKS_MAX_LENGTH, SUBJECT_MAX_LENGTH, URL_MAX_LENGTH } from '../text-limits.ts'
import { MerchantCheckoutAnswer, Metadata, Reference } from './checkout-answer.ts'

const closed = { additionalProperties: false }

export const VALIDITY_DAYS_DEFAULT = 7
export const VALIDITY_DAYS_MAX = 180

export const AcceptedCardBrands = Type.Array(Type.Enum([...CARD_BRANDS]), {
  minItems: 1,
  maxItems: CARD_BRANDS.length,
  uniqueItems: true,
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
/** A creation with it can be sent again: within 24 hours it makes one checkout, or one reusable link. */
export const CreationHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        'Your own text of 1 to 255 characters, bare or in double quotes. Sent again within 24 hours with the same body it answers what it made before, as it stands, with Idempotent-Replayed: true.',
    }),
  ),
})

export type CreateCheckoutBody = Static<typeof CreateCheckoutBody>

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

export const createCheckout = merchantCall({
  ...MERCHANT_ROUTES.createCheckout,
  headers: CreationHeaders,
  summary: 'Create a checkout',
  params: NoPath,
  body: CreateCheckoutBody,
  status: 201,
  answer: MerchantCheckoutAnswer,
  errors: ['idempotency_key_reused'],
})

export const readMerchantCheckout = bodilessCall({
  ...MERCHANT_ROUTES.readMerchantCheckout,
  summary: 'Read a checkout',
  params: CheckoutPath,
  answer: MerchantCheckoutAnswer,
  errors: ['checkout_not_found'],
})

export const cancelMerchantCheckout = bodilessCall({
  ...MERCHANT_ROUTES.cancelMerchantCheckout,
  summary: 'Cancel a checkout; one that is closed already is answered as it stands',
  params: CheckoutPath,
  answer: MerchantCheckoutAnswer,
  errors: ['checkout_not_found', 'payment_in_progress'],
})

export const sendReceipt = bodilessCall({
  ...MERCHANT_ROUTES.sendReceipt,
  summary: 'Send the receipt of a paid checkout to its shopper again',
  params: CheckoutPath,
  answer: ReceiptAnswer,
  errors: ['checkout_not_found', 'no_receipt'],
})

export const drawQrCode = queryCall({
  ...MERCHANT_ROUTES.drawQrCode,
  summary: 'Draw the link of a checkout as a QR code',
  params: CheckoutPath,
  query: NoQuery,
  answer: Type.String({ description: 'An SVG picture.' }),
  contentType: 'image/svg+xml',
  errors: ['checkout_not_found'],
})
